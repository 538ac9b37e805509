import { describe, expect, it } from 'vitest';
import { toolAnnotations } from '../../src/projection/annotations.js';
import { sampleNode } from './sample-node.js';

describe('The hints of a declaration (P14)', () => {
  it.each([
    [{}, undefined],
    [{ effect: 'read' }, '{"readOnlyHint":true}'],
    [{ type: 'read' }, '{"readOnlyHint":true}'],
    [{ effect: 'write' }, '{"readOnlyHint":false,"destructiveHint":false}'],
    [{ type: 'write' }, '{"readOnlyHint":false,"destructiveHint":false}'],
    [{ effect: 'destructive' }, '{"destructiveHint":true}'],
    [{ idempotent: true }, '{"idempotentHint":true}'],
    [{ idempotent: false }, '{"idempotentHint":false}'],
    [{ openWorld: true }, '{"openWorldHint":true}'],
    [{ openWorld: false }, '{"openWorldHint":false}'],
    [
      { effect: 'read', idempotent: false, openWorld: true },
      '{"readOnlyHint":true,"idempotentHint":false,"openWorldHint":true}',
    ],
    [
      { openWorld: false, idempotent: true, effect: 'destructive' },
      '{"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}',
    ],
  ] as const)('of %j are %s', (fields, hints) => {
    expect(JSON.stringify(toolAnnotations(sampleNode(fields).tool))).toBe(hints);
  });
});
