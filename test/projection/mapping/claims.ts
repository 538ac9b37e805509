import { flag, type MappingRow, port, row } from './row.js';

/** P13 to P16: what a node states of itself. */
export const claimsRows: readonly MappingRow[] = [
  row(
    'P13',
    'a confirmation is a banner and a required property',
    { requiresConfirmation: true },
    {
      declares: {
        description: '"Requires confirmation: ask the user first, then call with user_confirmed: true. Does it."',
        inputSchema:
          '{"type":"object","properties":{"user_confirmed":{"type":"boolean","const":true}},"required":["user_confirmed"],"additionalProperties":false}',
      },
    },
  ),
  row(
    'P13',
    'without exactly true a call is refused before any other check',
    { requiresConfirmation: true },
    {
      called: { user_confirmed: 'true', other: 1 },
      refused: ['confirmation_required', 'Ask the user first, then call with user_confirmed: true'],
    },
  ),
  row(
    'P13',
    'it is never passed on',
    {
      requiresConfirmation: true,
      inputs: [port('user_confirmed', 'Flag', flag('--yes'))],
    },
    { called: { user_confirmed: true }, argv: ['echo', 'hello'] },
  ),
  row('P14', 'read', { effect: 'read' }, { declares: { annotations: '{"readOnlyHint":true}' } }),
  row(
    'P14',
    'write, in its other spelling',
    { type: 'write' },
    {
      declares: { annotations: '{"readOnlyHint":false,"destructiveHint":false}' },
    },
  ),
  row(
    'P14',
    'destructive, with what else is stated',
    { effect: 'destructive', idempotent: true, openWorld: false },
    {
      declares: { annotations: '{"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}' },
    },
  ),
  row('P14', 'nothing stated: no hint', {}, { declares: {} }),
  row(
    'P15',
    'only stable tools are served by default',
    { tier: 'experimental' },
    {
      omitted: ['tier', 'its tier is experimental, which is not served'],
    },
  ),
  row('P15', 'the others by option', { tier: 'experimental' }, { declares: {} }, { tiers: ['experimental'] }),
  row(
    'P15',
    'a deprecated one with a banner, its reason in it',
    { tier: 'deprecated', deprecated: { reason: 'use y' } },
    {
      declares: { description: '"[DEPRECATED — use y] Does it."' },
    },
    { tiers: ['deprecated'] },
  ),
  row(
    'P15',
    'or without, and before that of P13',
    { tier: 'deprecated', requiresConfirmation: true },
    {
      declares: {
        description:
          '"[DEPRECATED] Requires confirmation: ask the user first, then call with user_confirmed: true. Does it."',
        inputSchema:
          '{"type":"object","properties":{"user_confirmed":{"type":"boolean","const":true}},"required":["user_confirmed"],"additionalProperties":false}',
      },
    },
    { tiers: ['deprecated'] },
  ),
  row(
    'P15',
    'internal ones never',
    { tier: 'internal' },
    {
      omitted: ['internal', 'its tier is internal, which is never served'],
    },
    { tiers: ['stable', 'experimental', 'deprecated'] },
  ),
  row(
    'P16',
    'satisfies, requires and selection are in nothing that a client sees',
    {
      satisfies: ['a', 'b'],
      requires: { network: true },
      selection: { when: 'always' },
      alternativeTo: ['y'],
      version: '2.0.0',
    },
    { declares: {} },
  ),
];
