import type { ValidateFunction } from 'ajv';
import { definitionKey, type JsonSchema } from '../../schemas/declaration.js';
import type { Entry } from '../projection/generation.js';
import { measureArguments } from './argument-bounds.js';
import { type Refusal, refuseParams } from './refusal.js';
import { schemaIssue } from './schema-issue.js';

/** Arguments with more values than this get one issue: Ajv would hold an error object for each wrong one of them. */
const allIssuesValuesLimit = 10_000;
const compiledLimit = 500;

/**
 * Checks the arguments of a call against the inputSchema that the client saw (JSON Schema 2020-12): no coercion, no defaults, nothing
 * changed in them. Gives the refusal, `invalid_params` with one issue per finding, or undefined when they satisfy it.
 */
export async function validateArguments(
  { declaration }: Pick<Entry, 'declaration'>,
  args: unknown,
): Promise<Refusal | undefined> {
  if (!isJsonObject(args)) return refuseParams([{ path: '', message: 'must be an object' }]);
  const { issue, values } = measureArguments(args);
  if (issue !== undefined) return refuseParams([issue]);
  const schema = declaration.inputSchema;
  const validate = await compiled(declaration._meta[definitionKey], schema, values <= allIssuesValuesLimit);
  if (validate(args)) return undefined;
  const inputs = Object.keys(schema.properties ?? {});
  return refuseParams((validate.errors ?? []).map((error) => schemaIssue(error, inputs)));
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compiled schemas, the least recently used first. */
const cache = new Map<string, ValidateFunction>();

/**
 * Compiled at the first call (2 ms each) and kept by the digest of the definition, so a changed tool gets its own. One Ajv for each: an
 * instance keeps every schema that it has ever compiled, and refuses a second one with the same `$id`.
 */
async function compiled(definition: string, schema: JsonSchema, allErrors: boolean): Promise<ValidateFunction> {
  const key = `${definition} ${allErrors}`;
  const found = cache.get(key) ?? (await compile(schema, allErrors));
  cache.delete(key);
  cache.set(key, found);
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
