import { describe, expect, it } from 'vitest';
import type { PatternVerdict } from '../../src/patterns/verdict.js';
import { argvDanger } from '../../src/projection/argv-safety.js';

const verdicts = new Map<string, PatternVerdict>([
  ['^[a-z]+$', { time: 'linear', argv: { kind: 'safe' } }],
  ['^.+$', { time: 'linear', argv: { kind: 'unsafe', counterexample: '\n;' } }],
  ['^a\\b', { time: 'linear', argv: { kind: 'undecided', why: 'automata do not decide \\b' } }],
  ['a^', { time: 'linear', argv: { kind: 'empty' } }],
]);

describe('argvDanger', () => {
  it.each([
    [{ type: 'boolean' }],
    [{ type: 'integer', minimum: -5 }],
    [{ type: 'number' }],
    [{ type: 'string', pattern: '^[a-z]+$' }],
    [{ type: 'string', enum: ['a', 'b:c/d', 'é', '-x'] }],
    [{ type: 'string', const: 'a' }],
    [{ type: 'string', enum: ['a'], pattern: '^.+$' }],
    [{ type: 'number', enum: [1, 2.5] }],
    [{ type: 'string', enum: [''] }],
  ])('finds none in %j', (schema) => {
    expect(argvDanger(schema, verdicts)).toBeUndefined();
  });

  it.each([
    [{ type: 'string' }, 'has no pattern, so it admits ";"'],
    [{ type: 'string', minLength: 3 }, 'has no pattern, so it admits "aa;"'],
    [{ type: 'string', format: 'uri' }, 'has no pattern, so it admits ";"'],
    [{ type: 'string', pattern: '^.+$' }, 'has a pattern that admits "\\n;"'],
    [{ type: 'string', pattern: '^a\\b' }, 'has a pattern that cannot be proved safe: automata do not decide \\b'],
    [{ type: 'string', pattern: '^new$' }, 'has a pattern that cannot be proved safe: it has not been analysed'],
    [{ type: 'string', pattern: 'a^' }, 'has a pattern that matches no string at all'],
    [{ type: 'string', enum: ['a', 'very loud', 'b!', '$('] }, 'admits "$("'],
    [{ type: 'string', const: 'a b' }, 'admits "a b"'],
    [{ type: 'null', const: null }, 'admits null'],
    [{ type: 'array', items: { type: 'integer' } }, 'is of type array, which is not one word'],
    [{ type: 'object' }, 'is of type object, which is not one word'],
    [{ type: 'null' }, 'is of type null, which is not one word'],
    [{ type: 'string', allOf: [{ pattern: '^[a-z]+$' }] }, 'has no pattern, so it admits ";"'],
  ])('in %j: it %s', (schema, danger) => {
    expect(argvDanger(schema, verdicts)).toBe(danger);
  });
});
