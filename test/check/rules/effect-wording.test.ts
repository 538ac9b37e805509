import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/tool.js';
import { effectWording } from '../../../src/check/rules/effect-wording.js';
import { node } from '../../cli/generation-builder.js';
import { checked, messages } from '../checked-instance.js';

function judged(id: string, fields: Partial<Tool>): string[] {
  return messages(effectWording, checked({ nodes: [node(id, { effect: 'read', ...fields })] }));
}

describe('effect-wording', () => {
  it('warns of a Tool that reads by its effect and destroys or publishes by its words', () => {
    expect(judged('a', { title: 'Delete old branches' })).toEqual([
      'a: its effect is "read", and its title begins with "Delete"',
    ]);
    expect(judged('a', { description: 'Publishes the site.' })).toEqual([
      'a: its effect is "read", and its description begins with "Publishes"',
    ]);
    expect(judged('wipe-disk', {})).toEqual(['wipe-disk: its effect is "read", and its id begins with "wipe"']);
  });

  it.each(['List deleted files', 'Drop-down texts', 'Removable media', 'Deployment status', 'Installed packages'])(
    'finds nothing in the title %j',
    (title) => {
      expect(judged('a', { title })).toEqual([]);
    },
  );

  it('says nothing where the effect is another, or not stated', () => {
    const { effect, ...unstated } = node('a', { effect: 'read', title: 'Delete it' }).tool;
    const nodes = [node('b', { effect: 'destructive', title: 'Delete it' }), { ...node('a'), tool: unstated }];
    expect(messages(effectWording, checked({ nodes }))).toEqual([]);
  });
});
