import type { Json, JsonSchema } from '../../schemas/declaration.js';

/** What stands under a keyword of JSON Schema 2020-12, where that is a schema or holds schemas. */
export const subschemaKeywords: ReadonlyMap<string, 'schema' | 'map' | 'list'> = new Map([
  ...['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'].map(asSchema),
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'].map(asSchema),
  ...['properties', 'patternProperties', 'dependentSchemas'].map((keyword) => [keyword, 'map'] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((keyword) => [keyword, 'list'] as const),
]);

/** Left out of a projected schema: they identify or comment, or a host acts on them (`x-mcp-header` mirrors an argument into a header). */
export const droppedKeywords: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$defs', 'definitions', '$comment', '$anchor', '$dynamicAnchor', '$vocabulary'],
  'x-mcp-header',
]);

/** Keywords that a host with a subset of JSON Schema ignores or refuses at the root of a schema (P18). */
export const rootCompositions: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'if']);

/** They describe and do not constrain, so a sibling of `$ref` may overrule them. */
export const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** May stand beside `$ref` and be written into the type that it names: what they say does not depend on other keywords. */
export const independentKeywords: ReadonlySet<string> = new Set([
  ...annotations,
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'required'],
]);

const simpleTypes: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** What the value of a keyword has to be (JSON Schema Validation 2020-12, section 6), or undefined when it is that. */
export function expectedValue(keyword: string, value: Json): string | undefined {
  const rule = rules.get(keyword);
  return rule === undefined || rule.holds(value) ? undefined : rule.expected;
}

interface Rule {
  readonly expected: string;
  readonly holds: (value: Json) => boolean;
}

const isString = (value: Json): boolean => typeof value === 'string';
const isUniqueStrings = (value: Json): boolean =>
  Array.isArray(value) && value.every(isString) && new Set(value).size === value.length;
const count: Rule = {
  expected: 'an integer of 0 or more',
  holds: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const number: Rule = { expected: 'a number', holds: (value) => typeof value === 'number' };
const string: Rule = { expected: 'a string', holds: isString };
const boolean: Rule = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const names: Rule = { expected: 'an array of different strings', holds: isUniqueStrings };

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(by(count)),
  ...['minContains', 'maxContains'].map(by(count)),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(by(number)),
  ...['title', 'description', 'format', 'contentEncoding', 'contentMediaType', '$ref'].map(by(string)),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map(by(boolean)),
  ['required', names],
  ['examples', { expected: 'an array', holds: Array.isArray }],
  ['enum', { expected: 'an array with at least one member', holds: (v) => Array.isArray(v) && v.length > 0 }],
  ['multipleOf', { expected: 'a number above 0', holds: (value) => typeof value === 'number' && value > 0 }],
  ['pattern', { expected: 'a regular expression that is valid with flag u', holds: isPattern }],
  ['type', { expected: 'one of the types of JSON Schema, or an array of them', holds: isTypeOrTypes }],
  [
    'dependentRequired',
    {
      expected: 'an object of arrays of different strings',
      holds: (v) => Object.values(object(v)).every(isUniqueStrings),
    },
  ],
]);

/** Whether a value is a regular expression as Ajv compiles it. */
export function isPattern(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The one `type` of the members of an enum; undefined when they do not agree. */
export function commonType(members: readonly Json[]): string | undefined {
  const types = new Set(members.map(typeOf));
  if (types.size === 2 && types.has('integer') && types.has('number')) return 'number';
  const [only] = types;
  return types.size === 1 ? only : undefined;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function isTypeOrTypes(value: Json): boolean {
  const types = Array.isArray(value) ? value : [value];
  return types.length > 0 && isUniqueStrings(types) && types.every((type) => simpleTypes.has(type));
}

function object(value: Json): JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as JsonSchema)
    : { wrong: value };
}

function asSchema(keyword: string): readonly [string, 'schema'] {
  return [keyword, 'schema'];
}

function by(rule: Rule): (keyword: string) => readonly [string, Rule] {
  return (keyword) => [keyword, rule];
}
