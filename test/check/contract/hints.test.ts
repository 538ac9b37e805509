import { describe, expect, it } from 'vitest';
import type { Json } from '../../../schemas/declaration.js';
import type { Tool } from '../../../schemas/tool.js';
import { hintDrift } from '../../../src/check/contract/hints.js';
import { tool } from '../../cli/generation-builder.js';

type Stated = Pick<Tool, 'effect' | 'idempotent' | 'openWorld'>;

describe('The hints of a server', () => {
  it.each<[Stated, Json, string[]]>([
    [{ effect: 'read' }, { readOnlyHint: true }, []],
    [{ effect: 'read' }, {}, []],
    [{ effect: 'read' }, 'odd', []],
    [{ effect: 'read' }, { readOnlyHint: 'false' }, []],
    [{ effect: 'read' }, { readOnlyHint: true, destructiveHint: true }, []],
    [{ effect: 'read' }, { readOnlyHint: false }, ['the server says readOnlyHint: false, the node says effect read']],
    [
      { effect: 'read' },
      { destructiveHint: true },
      ['the server says destructiveHint: true, the node says effect read'],
    ],
    [{ effect: 'write' }, { readOnlyHint: true }, ['the server says readOnlyHint: true, the node says effect write']],
    [
      { effect: 'write' },
      { destructiveHint: true },
      ['the server says destructiveHint: true, the node says effect write'],
    ],
    [{ effect: 'write' }, { readOnlyHint: false, destructiveHint: false }, []],
    [
      { effect: 'destructive' },
      { readOnlyHint: true },
      ['the server says readOnlyHint: true, the node says effect destructive'],
    ],
    [
      { effect: 'destructive' },
      { destructiveHint: false },
      ['the server says destructiveHint: false, the node says effect destructive'],
    ],
    [{ effect: 'destructive' }, { destructiveHint: true }, []],
    [
      { idempotent: true },
      { idempotentHint: false },
      ['the server says idempotentHint: false, the node says idempotent: true'],
    ],
    [
      { openWorld: false },
      { openWorldHint: true },
      ['the server says openWorldHint: true, the node says openWorld: false'],
    ],
    [{}, { readOnlyHint: true, idempotentHint: true, openWorldHint: true }, []],
  ])('of a node that says %j: %j', (stated, annotations, messages) => {
    expect(hintDrift(tool('a', stated), annotations).map(({ message }) => message)).toEqual(messages);
  });
});
