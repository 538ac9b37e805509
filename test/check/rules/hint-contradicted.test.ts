import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/tool.js';
import { hintContradicted } from '../../../src/check/rules/hint-contradicted.js';
import { node } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

function judged(fields: Partial<Tool>): (string | undefined)[][] {
  return found(hintContradicted, checked({ nodes: [node('a', fields)] })).map(({ message, pointer }) => [
    message,
    pointer,
  ]);
}

const broken: readonly (readonly [fields: Partial<Tool>, message: string, pointer: string])[] = [
  [
    { effect: 'read', idempotent: false },
    'a: idempotent is false, and its effect is "read": to read again changes nothing',
    '/idempotent',
  ],
  [
    { idempotent: true, invoke: { shell: 'git commit -m x' } },
    'a: idempotent is true, and git commit adds something each time',
    '/idempotent',
  ],
  [
    { openWorld: false, requires: { network: true } },
    'a: openWorld is false, and it requires the network',
    '/openWorld',
  ],
  [
    { openWorld: false, invoke: { container: { image: 'x', network: true } } },
    'a: openWorld is false, and it requires the network',
    '/openWorld',
  ],
  [
    { openWorld: false, invoke: { shell: 'gh api x' } },
    'a: openWorld is false, and gh reaches other hosts',
    '/openWorld',
  ],
];

describe('hint-contradicted', () => {
  it.each(broken)('P14: finds %j', (fields, message, pointer) => {
    expect(judged(fields)).toEqual([[message, pointer]]);
  });

  it.each<Partial<Tool>>([
    { effect: 'read', idempotent: true, openWorld: false, invoke: { shell: 'git log' } },
    { effect: 'write', idempotent: false, invoke: { shell: 'git commit' } },
    { openWorld: true, requires: { network: true }, invoke: { shell: 'gh api x' } },
    { requires: { network: true } },
    { openWorld: false, requires: { network: false } },
  ])('finds nothing in %j', (fields) => {
    expect(judged(fields)).toEqual([]);
  });
});
