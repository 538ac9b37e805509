import { describe, expect, it } from 'vitest';
import { inputsReach } from '../../../src/check/rules/inputs-reach.js';
import { entry, generation, input, iriOf } from '../../cli/generation-builder.js';

describe('inputs-reach', () => {
  it('P8: warns of an optional input that no arm can reach, and of no other', () => {
    const inputs = [input('text', { arg: { stdin: true } }), input('note'), input('user_confirmed')];
    const one = entry('a', { io: { inputs, outputs: [] } }, [{ name: 'text', kind: 'stdin' }]);
    expect(inputsReach.check(generation([one]))).toEqual([
      {
        code: 'unreachable-input',
        severity: 'warning',
        message: 'a: its optional input "note" has no arg, so it is left out of the inputSchema',
        document: 'graph/tools/a.json',
        subject: iriOf('a'),
      },
    ]);
  });
});
