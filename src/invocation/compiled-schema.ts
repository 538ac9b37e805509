import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../schemas/declaration.js';
import { BoundedMatching, type Matcher } from './bounded-matching.js';
import { CheckBudget, Unchecked } from './check-budget.js';
import { measureValue } from './value-bounds.js';

const compiledLimit = 500;

/** Compiled schemas, and those that are being compiled, the least recently used first. */
const cache = new Map<string, Promise<CompiledSchema>>();

/** The check of one JSON Schema 2020-12: no coercion, no defaults, nothing changed in the value. */
export class CompiledSchema {
  /** How many values the schema holds, itself included, without the members of each `enum`, which are found at once. */
  readonly parts: number;
  readonly #validate: ValidateFunction;
  readonly #budget: CheckBudget;

  constructor(schema: JsonSchema, validate: ValidateFunction, budget: CheckBudget) {
    this.parts = partsOf(schema);
    this.#validate = validate;
    this.#budget = budget;
  }

  /**
   * What is wrong with a value, none when it is valid; or where it could not be checked in bounded time. `values` is how many it holds:
   * each part may compare each of these.
   */
  errorsOf(value: unknown, values: number): readonly ErrorObject[] | Unchecked {
    try {
      this.#budget.begin();
      this.#budget.spend(values * this.parts, `${values} values and a schema of ${this.parts} parts`);
      return this.#validate(value) ? [] : (this.#validate.errors ?? []);
    } catch (error) {
      if (error instanceof Unchecked) return error;
      throw error;
    }
  }
}

function partsOf(schema: JsonSchema): number {
  let members = 0;
  const { values } = measureValue(schema, (value, key) => {
    if (key === 'enum' && Array.isArray(value)) members += value.length;
    return undefined;
  });
  return values - members;
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
  const [{ Ajv2020 }, formats, { linearKeywords }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('./linear-keywords.js'),
  ]);
  metaSchema ??= new Ajv2020({ strict: false, logger: false });
  metaSchema.validateSchema(schema, true);
  const budget = new CheckBudget();
  const matching = new BoundedMatching(budget);
  const regExp = (pattern: string, flags: string) => {
    const compiled = new RegExp(pattern, flags);
    const told = `the pattern ${JSON.stringify(pattern.slice(0, 100))}`;
    const matcher = {
      told,
      isLinear: linearPatterns.has(pattern),
      cost: patternCost,
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
  for (const definition of linearKeywords(budget)) {
    ajv.removeKeyword(definition.keyword);
    ajv.addKeyword(definition);
  }
  return new CompiledSchema(schema, ajv.compile(schema), budget);
}

/** With Ajv's way to it, also to each property for a pattern of names. */
const patternCost = { try: 40, unit: 1 };
/** Of a format, which may be several patterns or a function; `regex` compiles what it is given. */
const formatCost = { try: 40, unit: 1 };
const regexCost = { try: 40, unit: 16 };

/** Those of ajv-formats 3 that take quadratic time, by recheck and by trial of each on 8 MiB. The others are linear. */
const quadraticFormats: ReadonlySet<string> = new Set(['url']);

function boundFormats(ajv: Ajv2020, matching: BoundedMatching): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    const matches = stringCheck(format);
    if (matches === undefined) continue;
    const cost = name === 'regex' ? regexCost : formatCost;
    const matcher: Matcher = { told: `the format "${name}"`, isLinear: !quadraticFormats.has(name), cost, matches };
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
