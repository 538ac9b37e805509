import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../schemas/declaration.js';
import { invalidSchema } from '../../../src/check/rules/invalid-schema.js';
import { findSchemaFaults } from '../../../src/invocation/schema-fault.js';
import { entry, generation, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

function withSchema(id: string, properties: JsonSchema) {
  const one = entry(id);
  return { ...one, declaration: { ...one.declaration, inputSchema: { type: 'object', properties } as const } };
}

describe('invalid-schema', () => {
  it('finds a declaration whose schema the meta-schema of 2020-12 refuses, and no other', async () => {
    const entries = [
      withSchema('a', { x: { type: 'object', dependencies: 5 } }),
      withSchema('b', { x: { type: 'string' } }),
    ];
    const schemaFaults = await findSchemaFaults(entries);
    const nodes = [node('a'), node('b')];
    expect(found(invalidSchema, checked({ generation: generation(entries), nodes, schemaFaults }))).toEqual([
      {
        message: 'a: its inputSchema, at /properties/x/dependencies: must be object',
        document: 'graph/tools/a.json',
        pointer: '/io',
        subject: iriOf('a'),
      },
    ]);
  });
});
