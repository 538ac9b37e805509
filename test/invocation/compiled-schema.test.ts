import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schemas/declaration.js';
import { compiledSchema } from '../../src/invocation/compiled-schema.js';

const options = { allErrors: true, linearPatterns: [] };
const count: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } } };

describe('A compiled schema', () => {
  it('is compiled once for a storm of first calls, which would else take seconds', async () => {
    const compiled = await Promise.all(Array.from({ length: 500 }, () => compiledSchema('storm', count, options)));
    expect(new Set(compiled).size).toBe(1);
    expect(await compiledSchema('storm', count, options)).toBe(compiled[0]);
    expect(await compiledSchema('storm', count, { ...options, allErrors: false })).not.toBe(compiled[0]);
  });

  it('is refused where the meta-schema refuses it, and a failure is not kept', async () => {
    const wrong = { type: 'object', properties: { n: { type: 'no-type' } } } as JsonSchema;
    await expect(compiledSchema('wrong', wrong, options)).rejects.toThrow('schema is invalid: data/properties/n/type');
    expect((await compiledSchema('wrong', count, options)).errorsOf({ n: 'x' }, 2)).toHaveLength(1);
  });
});
