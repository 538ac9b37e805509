import { describe, expect, it } from 'vitest';
import { surveyTree } from '../../src/ingest/json-tree.js';

const survey = (text: string, limits = { depth: 64, items: 100 }) => surveyTree(JSON.parse(text), limits, true);

describe('surveyTree', () => {
  it('counts members, colons in strings and contexts at every depth', () => {
    const { members, colons, contexts } = survey('{"@context":"a:b","x":[{"@context":{},"c:d":"e"}]}');
    expect({ members, colons, contexts }).toEqual({ members: 4, colons: 2, contexts: 2 });
  });

  it.each([
    ['{"__proto__":{"admin":true}}', '/__proto__'],
    ['{"a":[{"constructor":1}]}', '/a/0/constructor'],
    ['{"a":{"b/c":{"prototype":null}}}', '/a/b~1c/prototype'],
    ['{"\\u005f_proto__":1}', '/__proto__'],
  ])('G6: refuses the reserved key in %s', (text, pointer) => {
    expect(survey(text).faults).toEqual([{ pointer, message: expect.stringContaining('is reserved') }]);
  });

  it('tells the pointer of a number that is too large, and of half a surrogate pair', () => {
    expect(survey('{"a":[1e400]}').faults).toMatchObject([{ pointer: '/a/0' }]);
    expect(survey('{"a":"\\ud800","\\udc00":1,"ok":"\\ud83d\\ude00"}').faults).toHaveLength(2);
  });

  it('tells numbers that JSON-LD would turn into 0', () => {
    expect(survey('{"a":1e-7,"b":1.5e-7,"c":0.1,"d":0,"e":[-2e-9]}').tinyNumbers).toEqual(['/a', '/e/0']);
  });

  it('refuses an array with more items than the limit', () => {
    expect(survey(`{"a":[${Array(101).fill(0)}]}`).faults).toMatchObject([{ pointer: '/a' }]);
  });

  it('ends at the limit of depth, however deep the tree is', () => {
    expect(survey('['.repeat(64) + ']'.repeat(64)).isTooDeep).toBe(false);
    expect(survey('['.repeat(100_000) + ']'.repeat(100_000)).isTooDeep).toBe(true);
  });

  it('finds nothing in the empty key', () => {
    expect(survey('{"":{"":1}}')).toMatchObject({ members: 2, faults: [] });
  });
});
