import type { ValidateFunction } from 'ajv';
import type { JsonSchema } from '../../schemas/declaration.js';

/** Values beyond this number get one issue: Ajv would hold an error object for each wrong one of them. */
const allIssuesValuesLimit = 10_000;
const compiledLimit = 500;

/** Compiled schemas, the least recently used first. */
const cache = new Map<string, ValidateFunction>();

/**
 * The check of a JSON Schema 2020-12 on a value that holds `values` values: no coercion, no defaults, nothing changed in it. Compiled at
 * its first use (2 ms each) and kept by `key`, which stands for the schema. One Ajv for each: an instance keeps every schema that it has
 * ever compiled, and refuses a second one with the same `$id`.
 */
export async function compiledSchema(key: string, schema: JsonSchema, values: number): Promise<ValidateFunction> {
  const allErrors = values <= allIssuesValuesLimit;
  const entry = `${key} ${allErrors}`;
  const found = cache.get(entry) ?? (await compile(schema, allErrors));
  cache.delete(entry);
  cache.set(entry, found);
  for (const oldest of cache.keys()) {
    if (cache.size <= compiledLimit) break;
    cache.delete(oldest);
  }
  return found;
}

async function compile(schema: JsonSchema, allErrors: boolean): Promise<ValidateFunction> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  // Without ownProperties, `required: ["toString"]` is satisfied by {} and `__proto__` is not seen as a property.
  const ajv = new Ajv2020({ allErrors, ownProperties: true, strict: false, logger: false });
  formats.default.default(ajv);
  return ajv.compile(schema);
}
