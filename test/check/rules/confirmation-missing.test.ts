import { describe, expect, it } from 'vitest';
import { confirmationMissing } from '../../../src/check/rules/confirmation-missing.js';
import { entry, generation, input, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

const gated = { requiresConfirmation: true };
const inputs = [input('x', { arg: { positional: 0 } }), input('user_confirmed')];

function served(inputSchema: object) {
  const one = entry('a', gated);
  const declaration = { ...one.declaration, inputSchema: { type: 'object', ...inputSchema } as const };
  return checked({ generation: generation([{ ...one, declaration }]), nodes: [node('a', gated)] });
}

describe('confirmation-missing', () => {
  it('P13: finds a gated Tool whose declaration does not ask for the confirmation', () => {
    expect(found(confirmationMissing, served({ properties: {} }))).toEqual([
      {
        message: 'a: it requires a confirmation, and its declaration does not ask for user_confirmed',
        document: 'graph/tools/a.json',
        pointer: '/requiresConfirmation',
        subject: iriOf('a'),
      },
    ]);
    const optional = served({ properties: { user_confirmed: { type: 'boolean', const: true } }, required: [] });
    expect(messages(confirmationMissing, optional)).toHaveLength(1);
    const loose = served({ properties: { user_confirmed: { type: 'boolean' } }, required: ['user_confirmed'] });
    expect(messages(confirmationMissing, loose)).toHaveLength(1);
  });

  it('finds an input of that name that gates nothing', () => {
    const nodes = [node('a', { io: { inputs, outputs: [] } })];
    expect(found(confirmationMissing, checked({ nodes }))).toEqual([
      {
        message:
          'a: it takes user_confirmed without "requiresConfirmation": true, so nothing refuses a call without it',
        document: 'graph/tools/a.json',
        pointer: '/io/inputs/1',
        subject: iriOf('a'),
      },
    ]);
  });

  it('finds nothing where the property is required and true, or nothing is gated', () => {
    const property = { user_confirmed: { type: 'boolean', const: true } };
    expect(messages(confirmationMissing, served({ properties: property, required: ['user_confirmed'] }))).toEqual([]);
    expect(
      messages(confirmationMissing, checked({ nodes: [node('b')], generation: generation([entry('b')]) })),
    ).toEqual([]);
  });
});
