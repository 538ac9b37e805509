import { describe, expect, it } from 'vitest';
import { printChange } from '../../../src/cli/print/change.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation, omission } from '../generation-builder.js';

describe('printChange', () => {
  it('names what was added, removed and changed', () => {
    const before = generation([entry('a'), entry('b'), entry('c')]);
    const after = generation([entry('a'), entry('c', { description: 'Other.' }), entry('d')], [], [], 5);
    expect(printChange(before, after)).toEqual(['toolgraph: generation 5: added d; removed b; changed c']);
  });

  it('tells of new problems and omissions a line each, and counts cured problems', () => {
    const old = problem('unreadable', 'bad', { document: 'x.json', line: 1, column: 1 });
    const moved = { ...old, line: 2 };
    const fresh = problem('invalid-node', 'expected a string', { document: 'y.json', line: 3, column: 4 });
    const cured = problem('unknown-context', 'http://x', { document: 'z.json' });
    const before = generation([entry('a')], [omission('o', 'tier', 'experimental')], [old, cured]);
    const now = [omission('a', 'unmet-env', 'GH_TOKEN is not set'), omission('o', 'tier', 'experimental')];
    expect(printChange(before, generation([], now, [moved, fresh], 5))).toEqual([
      'toolgraph: generation 5: removed a; 1 new omission; 1 new problem; 1 problem cured',
      'graph/tools/a.json: a omitted: unmet-env: GH_TOKEN is not set',
      'y.json:3:4: invalid-node: expected a string',
    ]);
  });

  it('tells of a tool that goes on as it last was', () => {
    const kept = generation([{ ...entry('a'), lastGood: true }], [], [], 5);
    expect(printChange(generation([entry('a')]), kept)).toEqual(['toolgraph: generation 5: kept the last good a']);
    const still = generation([{ ...entry('a'), lastGood: true }, entry('b')], [], [], 6);
    expect(printChange(kept, still)).toEqual(['toolgraph: generation 6: added b']);
    const cured = generation([entry('a')], [], [], 6);
    expect(printChange(kept, cured)).toEqual(['toolgraph: generation 6: restored a']);
    const corrected = generation([entry('a', { description: 'Other.' })], [], [], 6);
    expect(printChange(kept, corrected)).toEqual(['toolgraph: generation 6: changed a']);
  });

  it('says so when no tool is another', () => {
    expect(printChange(generation([entry('a')]), generation([entry('a')], [], [], 5))).toEqual([
      'toolgraph: generation 5: the tools are the same',
    ]);
  });

  it('names ten of many', () => {
    const many = Array.from({ length: 12 }, (_, i) => entry(`t${i + 10}`));
    expect(printChange(generation([]), generation(many, [], [], 5))).toEqual([
      'toolgraph: generation 5: added t10, t11, t12, t13, t14, t15, t16, t17, t18, t19 and 2 more',
    ]);
  });
});
