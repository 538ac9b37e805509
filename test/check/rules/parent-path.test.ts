import { describe, expect, it } from 'vitest';
import { parentPath } from '../../../src/check/rules/parent-path.js';
import type { PatternVerdict } from '../../../src/patterns/verdict.js';
import { input, node } from '../../cli/generation-builder.js';
import { checked, found, messages, types } from '../checked-instance.js';

const pattern = '^[a-z./]+$';
const verdicts = new Map<string, PatternVerdict>([
  [pattern, { time: 'linear', argv: { kind: 'safe', parentPath: '..' } }],
  ['^[a-z]+$', { time: 'linear', argv: { kind: 'safe' } }],
]);
const arg = { positional: 0 };

function taking(id: string, name: string, fields: Parameters<typeof input>[1] = { arg }) {
  return node(id, { io: { inputs: [input(name, fields)], outputs: [] } });
}

describe('parent-path', () => {
  it('points at the pattern, with a shortest path that it admits and the inputs that have it', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((id) => taking(id, 'Dir'));
    expect(found(parentPath, checked({ nodes, verdicts, types: types({ Dir: { type: 'string', pattern } }) }))).toEqual(
      [
        {
          message:
            'the type Dir admits "..", a path that can lead out of the instance, in argv: input "Dir" of a, input "Dir" of b, input "Dir" of c and 2 more',
          document: 'graph/types/types.json',
          pointer: '/$defs/Dir/pattern',
          subject: 'https://example.org/types#/$defs/Dir',
        },
      ],
    );
  });

  it.each([
    ['/enum/1', '../b', { type: 'string', enum: ['a', '../b'] }],
    ['/const', 'a/..', { const: 'a/..' }],
    ['/const', 'file:///a/..', { const: 'file:///a/..' }],
  ] as const)('finds a listed value at %s: %s', (at, path, schema) => {
    const [finding] = found(parentPath, checked({ nodes: [taking('a', 'Dir')], types: types({ Dir: schema }) }));
    expect(finding).toMatchObject({
      message: expect.stringContaining(`admits "${path}"`),
      pointer: `/$defs/Dir${at}`,
    });
  });

  it.each([
    ['a pattern that admits none', { type: 'string', pattern: '^[a-z]+$' }, { arg }],
    ['a URL with an authority', { const: 'https://example.org/a/../b' }, { arg }],
    ['two dots that are no segment', { type: 'string', enum: ['a..b', '...'] }, { arg }],
    ['a list of values', { type: 'string', pattern, enum: ['a', 'b'] }, { arg }],
    ['a value that is too long to be one', { type: 'string', pattern, maxLength: 1 }, { arg }],
    ['an input on stdin', { type: 'string', pattern }, { arg: { stdin: true } }],
    ['an input without arg', { type: 'string', pattern }, {}],
  ] as const)('finds nothing in %s', (_, schema, fields) => {
    const nodes = [taking('a', 'Dir', fields)];
    expect(messages(parentPath, checked({ nodes, verdicts, types: types({ Dir: schema }) }))).toEqual([]);
  });
});
