import { describe, expect, it } from 'vitest';
import { hiddenText } from '../../../src/check/rules/hidden-text.js';
import { input, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages, types } from '../checked-instance.js';

const zero = '\u200b';

describe('hidden-text', () => {
  it('names the character and its place in a description', () => {
    const nodes = [node('a', { description: `Counts${zero} words.` }), node('b')];
    expect(found(hiddenText, checked({ nodes }))).toEqual([
      {
        message: 'a: its description has U+200B ZERO WIDTH SPACE at character 7',
        document: 'graph/tools/a.json',
        pointer: '/description',
        subject: iriOf('a'),
      },
    ]);
  });

  it('counts those that follow the first', () => {
    expect(messages(hiddenText, checked({ nodes: [node('a', { title: `A${zero}${zero}${zero}` })] }))).toEqual([
      'a: its title has U+200B ZERO WIDTH SPACE at character 2, and 2 more such characters',
    ]);
  });

  it('looks at every text of a Tool that a model reads', () => {
    const fields = {
      tier: 'deprecated' as const,
      deprecated: { reason: `old${zero}` },
      selection: { cost: `much${zero}` },
      io: {
        inputs: [input('path', { description: `where${zero}` })],
        outputs: [{ name: 'out', schema: 'https://example.org/types#/$defs/out', description: `what${zero}` }],
      },
    };
    const places = found(hiddenText, checked({ nodes: [node('a', fields)] })).map(({ pointer }) => pointer);
    expect(places).toEqual([
      '/deprecated/reason',
      '/selection/cost',
      '/io/inputs/0/description',
      '/io/outputs/0/description',
    ]);
  });

  it('looks at what the reason of an omission quotes', () => {
    const fields = {
      requires: { os: [`linux${zero}`], runtime: ['bun', `deno${zero}`] },
      when: { exists: [`a${zero}`] },
      invoke: { shell: `wc${zero} -l` },
    };
    expect(found(hiddenText, checked({ nodes: [node('a', fields)] })).map(({ pointer }) => pointer)).toEqual([
      '/requires/os/0',
      '/requires/runtime/1',
      '/when/exists/0',
      '/invoke/shell',
    ]);
  });

  it('looks at every text of a type, at any depth, and not at what is not projected', () => {
    const schema = {
      $comment: `no${zero}`,
      type: 'object',
      properties: { kind: { enum: ['a', `b${zero}`], description: `Kind${zero}` } },
    };
    const instance = checked({ types: types({ Thing: schema }) });
    expect(messages(hiddenText, instance)).toEqual([
      'the type Thing: its properties/kind/enum/1 has U+200B ZERO WIDTH SPACE at character 2',
      'the type Thing: its properties/kind/description has U+200B ZERO WIDTH SPACE at character 5',
    ]);
    expect(found(hiddenText, instance)[0]).toMatchObject({
      document: 'graph/types/types.json',
      pointer: '/$defs/Thing/properties/kind/enum/1',
    });
  });

  it('looks at skills', () => {
    const skill = { iri: 'urn:s', document: 'graph/skills/s.md', name: 's', description: `What${zero}` };
    expect(found(hiddenText, checked({ skills: [skill] }))).toEqual([
      {
        message: 'the skill s: its description has U+200B ZERO WIDTH SPACE at character 5',
        document: 'graph/skills/s.md',
        subject: 'urn:s',
      },
    ]);
  });
});
