import { describe, expect, it } from 'vitest';
import { adviceFor } from '../../../src/check/advice/advice.js';
import { problemRules } from '../../../src/check/rules/problems.js';
import { problem } from '../../../src/diagnostic.js';
import { generation } from '../../cli/generation-builder.js';
import { checked } from '../checked-instance.js';

describe('what to do about a shape', () => {
  it.each([
    [
      'invalid-node',
      'io.inputs[0].schema: expected an absolute IRI, found "Path"',
      '"schema": "https://w3id.org/toolgraph/types.schema.json#/$defs/Path"',
    ],
    ['invalid-node', 'io: required, but missing: expected an object', 'Write "io": {} where'],
    [
      'unreadable',
      'the file is no YAML: Nested mappings are not allowed in compact mappings; correct it here',
      'Put the value in quotes',
    ],
    ['invalid-node', 'title: required, but missing: expected a string', 'what the message expects'],
  ] as const)('is told by check and by why: %s: %s', (code, message, words) => {
    expect(adviceFor(code, undefined, { reason: message, types: new Map() }).steps[0]).toContain(words);
    const instance = checked({ generation: generation([], [], [problem(code, message)]) });
    const rule = problemRules.find(({ name }) => name === code);
    const [found] = rule?.check(instance) ?? [];
    expect(found?.fix).toContain(words);
  });
});
