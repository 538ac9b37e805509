import type { Json, JsonSchema } from '../../../schemas/declaration.js';
import { isJsonObject } from '../../json-object.js';
import { expectedValue, subschemaKeywords } from '../../projection/schema-keywords.js';

export const typeNames = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof typeNames)[number];

/** Keywords that are not understood, in the groups in which they act together. */
interface OpaqueGroup {
  /** The values that they concern. */
  readonly type: TypeName | 'every';
  readonly keyword: string;
  /** What else decides what the keyword says. */
  readonly with: readonly string[] | 'all';
}

const opaqueGroups: readonly OpaqueGroup[] = [
  { type: 'every', keyword: 'not', with: [] },
  { type: 'every', keyword: 'if', with: ['then', 'else'] },
  { type: 'every', keyword: '$dynamicRef', with: [] },
  { type: 'every', keyword: '$recursiveRef', with: [] },
  { type: 'array', keyword: 'contains', with: ['minContains', 'maxContains'] },
  { type: 'array', keyword: 'unevaluatedItems', with: 'all' },
  { type: 'object', keyword: 'patternProperties', with: ['properties', 'additionalProperties'] },
  { type: 'object', keyword: 'propertyNames', with: [] },
  { type: 'object', keyword: 'dependentRequired', with: [] },
  { type: 'object', keyword: 'dependentSchemas', with: [] },
  { type: 'object', keyword: 'dependencies', with: [] },
  { type: 'object', keyword: 'unevaluatedProperties', with: 'all' },
];

const understood = [
  ...['type', 'enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties'],
];

/** Every keyword that constrains. Annotations and unknown keywords do not. */
const constraining: ReadonlySet<string> = new Set([...understood, ...opaqueGroups.map(({ keyword }) => keyword)]);

/** Whether any keyword constrains: a schema without one accepts whatever is JSON. */
export function isConstrained(schema: JsonSchema): boolean {
  return Object.keys(schema).some((keyword) => constraining.has(keyword));
}

/** What is not understood about values of a type: each keyword, with the text that says it. */
export function opaqueConstraints(schema: JsonSchema, type: TypeName | 'every'): [keyword: string, text: JsonSchema][] {
  return opaqueGroups.flatMap((group): [string, JsonSchema][] => {
    const { keyword } = group;
    if (group.type !== type || schema[keyword] === undefined || saysNothing(keyword, schema[keyword])) return [];
    if (group.with === 'all') return [[keyword, schema]];
    const acting = new Set([keyword, ...group.with]);
    return [[keyword, Object.fromEntries(Object.entries(schema).filter(([name]) => acting.has(name)))]];
  });
}

/** Keywords whose value is not what the specification asks for: what they say is anybody's guess. */
export function invalidKeywords(schema: JsonSchema): string[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (!constraining.has(keyword)) return [];
    const holds = subschemaKeywords.get(keyword);
    const isArray = Array.isArray(value);
    if (holds === 'list' || (keyword === 'items' && isArray)) return isArray ? [] : [keyword];
    if (holds === 'map') return isJsonObject(value) ? [] : [keyword];
    // What should be a schema is told where it is read.
    return holds === 'schema' || expectedValue(keyword, value) === undefined ? [] : [keyword];
  });
}

/** Whether `not` has this value: how some generators write "never". */
export function isEverything(value: Json | undefined): boolean {
  return value === true || (isJsonObject(value) && !isConstrained(value));
}

/** Patterns of names decide, too, which names `additionalProperties` concerns. */
export function hasPatternNames({ patternProperties }: JsonSchema): boolean {
  return isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0;
}

/** Whether a keyword that is not understood has the one value in which it says nothing, or what is told elsewhere. */
function saysNothing(keyword: string, value: Json): boolean {
  if (keyword === 'not') return value === false || isEverything(value);
  if (keyword === 'patternProperties' || keyword.startsWith('depend')) {
    return isJsonObject(value) && Object.keys(value).length === 0;
  }
  if (keyword === 'propertyNames') {
    // Names are strings anyhow; generators write it for maps.
    if (!isJsonObject(value) || value.type !== 'string') return isEverything(value);
    const { type: _, ...others } = value;
    return isEverything(others);
  }
  return keyword.startsWith('unevaluated') && isEverything(value);
}
