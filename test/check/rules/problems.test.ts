import { describe, expect, it } from 'vitest';
import { check } from '../../../src/check/check.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation } from '../../cli/generation-builder.js';
import { checked } from '../checked-instance.js';

describe('The rules of problems', () => {
  it('report a problem as it is, with its place', () => {
    const place = { document: 'a.json', pointer: '/id', line: 3, column: 5 };
    const instance = generation([entry('a')], [], [problem('invalid-node', 'expected a string', place)]);
    expect(check(checked({ generation: instance })).findings).toEqual([
      {
        rule: 'TG002',
        name: 'invalid-node',
        code: 'invalid-node',
        severity: 'error',
        message: 'expected a string',
        fix: 'Write at the place named what the message expects; docs/authoring.md shows a whole node.',
        ...place,
      },
    ]);
  });
});
