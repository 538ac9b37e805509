import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../schemas/declaration.js';
import { BoundedMatching, type Matcher, Unmatched } from './bounded-matching.js';
import { equalItems } from './equal-items.js';
import { measureValue } from './value-bounds.js';

const compiledLimit = 500;

/** Compiled schemas, and those that are being compiled, the least recently used first. */
const cache = new Map<string, Promise<CompiledSchema>>();

/** The check of one JSON Schema 2020-12: no coercion, no defaults, nothing changed in the value. */
export class CompiledSchema {
  /** How many values the schema holds, itself included. */
  readonly parts: number;
  readonly #validate: ValidateFunction;
  readonly #matching: BoundedMatching;

  constructor(schema: JsonSchema, validate: ValidateFunction, matching: BoundedMatching) {
    this.parts = measureValue(schema, () => undefined).values;
    this.#validate = validate;
    this.#matching = matching;
  }

  /** What is wrong with a value, none when it is valid; or the string that could not be matched in bounded time. */
  errorsOf(value: unknown): readonly ErrorObject[] | Unmatched {
    this.#matching.begin();
    try {
      return this.#validate(value) ? [] : (this.#validate.errors ?? []);
    } catch (error) {
      if (error instanceof Unmatched) return error;
      throw error;
    }
  }
}

/**
 * Compiles a schema at its first use (1 ms each), once for all who ask for it meanwhile, and keeps it by `key`, which stands for the schema. With `allErrors` it finds all that is
 * wrong, else the first. Any pattern but `linearPatterns` may take quadratic time.
 */
export function compiledSchema(
  key: string,
  schema: JsonSchema,
  { allErrors, linearPatterns }: { readonly allErrors: boolean; readonly linearPatterns: readonly string[] },
): Promise<CompiledSchema> {
  const entry = `${key} ${allErrors}`;
  const found = cache.get(entry) ?? compile(schema, allErrors, new Set(linearPatterns));
  found.catch(() => cache.delete(entry));
  cache.delete(entry);
  cache.set(entry, found);
  for (const oldest of cache.keys()) {
    if (cache.size <= compiledLimit) break;
    cache.delete(oldest);
  }
  return found;
}

/** The meta-schema, compiled once: that takes longer than a schema does. */
let metaSchema: Ajv2020 | undefined;

/** One Ajv for each: an instance keeps every schema that it has ever compiled, and refuses a second one with the same `$id`. */
async function compile(
  schema: JsonSchema,
  allErrors: boolean,
  linearPatterns: ReadonlySet<string>,
): Promise<CompiledSchema> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  metaSchema ??= new Ajv2020({ strict: false, logger: false });
  metaSchema.validateSchema(schema, true);
  const matching = new BoundedMatching();
  const regExp = (pattern: string, flags: string) => {
    const compiled = new RegExp(pattern, flags);
    const told = `the pattern ${JSON.stringify(pattern.slice(0, 100))}`;
    const matcher = {
      told,
      isLinear: linearPatterns.has(pattern),
      matches: (text: string) => compiled.test(text),
    };
    // Ajv takes two patterns for one where their texts are the same.
    return { test: (text: string) => matching.matches(matcher, text), toString: () => String(compiled) };
  };
  // Ajv writes the code into modules that it generates, which are not made here.
  const code = { regExp: Object.assign(regExp, { code: 'regExp' }) };
  // Without ownProperties, `required: ["toString"]` is satisfied by {} and `__proto__` is not seen as a property.
  const settings = { allErrors, ownProperties: true, strict: false, logger: false, validateSchema: false } as const;
  const ajv = new Ajv2020({ ...settings, code });
  formats.default.default(ajv);
  boundFormats(ajv, matching);
  replaceUniqueItems(ajv);
  return new CompiledSchema(schema, ajv.compile(schema), matching);
}

/** Those of ajv-formats 3 that take quadratic time, by recheck and by trial of each on 8 MiB. The others are linear. */
const quadraticFormats: ReadonlySet<string> = new Set(['url']);

function boundFormats(ajv: Ajv2020, matching: BoundedMatching): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    const matches = stringCheck(format);
    if (matches === undefined) continue;
    const matcher: Matcher = { told: `the format "${name}"`, isLinear: !quadraticFormats.has(name), matches };
    ajv.addFormat(name, (text: string) => matching.matches(matcher, text));
  }
}

/** The check of a format; undefined for one of numbers, and one that admits every string. */
function stringCheck(format: Ajv2020['formats'][string]): Matcher['matches'] | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => format(text) === true;
  if (typeof format !== 'object' || format.type === 'number') return undefined;
  return stringCheck(format.validate as Ajv2020['formats'][string]);
}

function replaceUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems');
  const compile = (isDemanded: boolean) => {
    const validate: { (items: readonly unknown[]): boolean; errors?: Partial<ErrorObject>[] } = (items) => {
      const equal = isDemanded ? equalItems(items) : undefined;
      if (equal === undefined) return true;
      validate.errors = [
        { keyword: 'uniqueItems', message: `must not hold equal items, as ${equal.join(' and ')} are` },
      ];
      return false;
    };
    return validate;
  };
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', compile });
}
