import { describe, expect, it } from 'vitest';
import { optionLikeValue } from '../../../src/check/rules/option-like-value.js';
import type { PatternVerdict } from '../../../src/patterns/verdict.js';
import { input, node } from '../../cli/generation-builder.js';
import { checked, messages, types } from '../checked-instance.js';

const pattern = '^[a-z-]+$';
const verdicts = new Map<string, PatternVerdict>([
  [pattern, { time: 'linear', argv: { kind: 'safe', optionLike: '-' } }],
]);

function judged(schema: Parameters<typeof types>[0][string], arg: object = { flag: '--tag' }): string[] {
  const nodes = [node('a', { io: { inputs: [input('Tag', { arg: arg as { flag: string } })], outputs: [] } })];
  return messages(optionLikeValue, checked({ nodes, verdicts, types: types({ Tag: schema }) }));
}

describe('option-like-value', () => {
  it('warns of a pattern, a member and a bound that admit a value which every call is refused for', () => {
    const told = (value: string) => [
      `the type Tag admits ${value}, and a call with such a value is refused: input "Tag" of a`,
    ];
    expect(judged({ type: 'string', pattern })).toEqual(told('"-"'));
    expect(judged({ type: 'string', enum: ['all', '-x'] })).toEqual(told('"-x"'));
    expect(judged({ type: 'integer', minimum: -10 })).toEqual(told('-10'));
  });

  it('finds nothing where the value stands behind a joined flag, or no such value is meant', () => {
    expect(judged({ type: 'string', pattern }, { flag: '--tag', joined: true })).toEqual([]);
    expect(judged({ type: 'string', pattern }, { stdin: true })).toEqual([]);
    expect(judged({ type: 'integer' })).toEqual([]);
    expect(judged({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER })).toEqual([]);
    expect(judged({ type: 'string', enum: ['a-b'] })).toEqual([]);
  });
});
