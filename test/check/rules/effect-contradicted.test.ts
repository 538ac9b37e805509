import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/tool.js';
import { effectContradicted } from '../../../src/check/rules/effect-contradicted.js';
import { iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

function judged(fields: Partial<Tool>): string[] {
  return messages(effectContradicted, checked({ nodes: [node('a', fields)] }));
}

describe('effect-contradicted', () => {
  it('P14: finds a Tool that claims to read and removes files', () => {
    const nodes = [node('a', { effect: 'read', invoke: { shell: 'rm -r build' } })];
    expect(found(effectContradicted, checked({ nodes }))).toEqual([
      {
        message: 'a: its effect is "read", and rm destroys something',
        document: 'graph/tools/a.json',
        pointer: '/effect',
        subject: iriOf('a'),
      },
    ]);
  });

  it('finds one that claims to read and writes, or maintains a file', () => {
    expect(judged({ effect: 'read', invoke: { shell: 'git commit' } })).toEqual([
      'a: its effect is "read", and git commit writes',
    ]);
    expect(judged({ effect: 'read', maintains: [{ source: 'a.ts', artefact: 'docs/a.md' }] })).toEqual([
      'a: its effect is "read", and it maintains docs/a.md, which is to write',
    ]);
  });

  it('finds one that claims to write and destroys', () => {
    expect(judged({ effect: 'write', invoke: { shell: 'git push --force' } })).toEqual([
      'a: its effect is "write", and git push --force destroys something',
    ]);
  });

  it('finds nothing where the effect is as much, or is not stated', () => {
    expect(judged({ effect: 'write', invoke: { shell: 'git push' } })).toEqual([]);
    expect(judged({ effect: 'destructive', invoke: { shell: 'rm x' } })).toEqual([]);
    expect(judged({ invoke: { shell: 'rm x' } })).toEqual([]);
    expect(judged({ effect: 'read', invoke: { shell: 'git log' } })).toEqual([]);
  });
});
