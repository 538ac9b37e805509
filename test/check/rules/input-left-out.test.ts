import { describe, expect, it } from 'vitest';
import { inputLeftOut } from '../../../src/check/rules/input-left-out.js';
import { entry, generation, input, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

describe('input-left-out', () => {
  it('P8: warns of an optional input that no arm can reach, and of no other', () => {
    const inputs = [input('text', { arg: { stdin: true } }), input('note'), input('user_confirmed')];
    const fields = { io: { inputs, outputs: [] } };
    const one = entry('a', fields, [{ name: 'text', kind: 'stdin' }]);
    expect(found(inputLeftOut, checked({ generation: generation([one]), nodes: [node('a', fields)] }))).toEqual([
      {
        message: 'a: its optional input "note" has no arg, so it is left out of the inputSchema',
        document: 'graph/tools/a.json',
        pointer: '/io/inputs/1',
        subject: iriOf('a'),
      },
    ]);
  });
});
