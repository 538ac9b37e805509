import fc from 'fast-check';
import type { Json, JsonSchema } from '../../../schemas/declaration.js';

type Schema = JsonSchema | boolean;

const small = fc.integer({ min: -3, max: 6 });
const size = fc.integer({ min: 0, max: 4 });
// Ajv does not look at a property `__proto__`.
const name = fc.constantFrom('a', 'b', 'c', 'hasOwnProperty');
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  small,
  fc.constantFrom('', 'a', 'ab', 'abc', 'é', '2020-01-31'),
  fc.constantFrom(0.5, 2.5),
);

/** Values of the size in which the schemas differ. */
export const jsonValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(name, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((members) => Object.fromEntries(members) as Json),
  ),
})).value;

/** Every value of up to two levels over a few scalars: what random values would rarely hit. */
export const smallValues: readonly Json[] = smallUniverse();

function smallUniverse(): Json[] {
  const scalars: Json[] = [null, true, false, -1, 0, 1, 2, 3, 0.5, '', 'a', 'b', 'ab', 'abc', '2020-01-31'];
  const members: Json[] = [null, true, 0, 2, 'a', 'ab'];
  const arrays = [
    [],
    ...members.map((one) => [one]),
    ...members.flatMap((one) => members.map((two) => [one, two])),
    [0, 0, 0],
    ['a', 'b', 0, null],
  ];
  const objects: Json[] = [
    {},
    { a: 0, b: 0, c: 0 },
    { a: 'a', b: 'a', c: 'a' },
    { hasOwnProperty: 0 },
    { other: 0 },
    { a: 0, other: 0 },
  ];
  for (const key of ['a', 'b', 'c']) for (const one of members) objects.push({ [key]: one });
  for (const one of members) for (const two of members) objects.push({ a: one, b: two });
  return [
    ...scalars,
    ...arrays,
    ...objects,
    [[]],
    [{}],
    { a: {} },
    { a: [] },
    [[0]],
    { a: { a: 0 } },
    { a: { b: 'a' } },
    { a: [0] },
  ];
}

const numberKeywords = fc.record(
  {
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(1, 2, 3, 0.5),
  },
  { requiredKeys: [] },
);
const stringKeywords = fc.record(
  {
    minLength: size,
    maxLength: size,
    pattern: fc.constantFrom('^a', 'b$', '^[ab]+$', 'é'),
    format: fc.constantFrom('date', 'uuid'),
  },
  { requiredKeys: [] },
);
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');

/** Schemas of every keyword that the comparison understands, and of some that it does not. */
export const schemaArbitrary: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema; list: Schema[] }>((tie) => ({
  list: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: types }),
    fc.boolean(),
    fc.record({ type: fc.uniqueArray(types, { minLength: 1, maxLength: 3 }) }),
    fc.tuple(fc.constantFrom('number', 'integer'), numberKeywords).map(([type, keywords]) => ({ type, ...keywords })),
    fc.tuple(fc.constantFrom('string'), stringKeywords).map(([type, keywords]) => ({ type, ...keywords })),
    fc.record({ enum: fc.uniqueArray(jsonValue, { minLength: 1, maxLength: 3, selector: (v) => JSON.stringify(v) }) }),
    fc.record({ const: jsonValue }),
    // Ajv compares only items of the type of `items` where both stand: uniqueItems is tried without prefixItems.
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), prefixItems: tie('list'), minItems: size, maxItems: size },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('schema'), uniqueItems: fc.boolean(), minItems: size }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc
          .uniqueArray(fc.tuple(name, tie('schema')), { maxLength: 3, selector: ([key]) => key })
          .map((all) => Object.fromEntries(all)),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        minProperties: size,
        maxProperties: size,
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: tie('list') }),
    fc.record({ oneOf: tie('list') }),
    fc.record({ allOf: tie('list') }),
    fc.record({ not: tie('schema') }),
    fc.record({ if: tie('schema'), else: tie('schema') }),
    fc.record({ type: fc.constant('array'), contains: tie('schema') }),
    fc.record({ type: fc.constant('object'), propertyNames: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      patternProperties: fc.record({ '^a': tie('schema') }),
      additionalProperties: fc.boolean(),
    }),
  ) as fc.Arbitrary<Schema>,
})).schema;

/** Two schemas that differ in one place or in all. */
export const schemaPair: fc.Arbitrary<[Schema, Schema]> = fc.oneof(
  fc.tuple(schemaArbitrary, schemaArbitrary),
  fc.tuple(schemaArbitrary, schemaArbitrary, fc.nat(12), fc.boolean()).map(([schema, other, place, isSwapped]) => {
    const changed = changedAt(schema, other, { left: place });
    const pair: [Schema, Schema] = isSwapped ? [changed, schema] : [schema, changed];
    return pair;
  }),
);

/** The schema with another one, or without a keyword, at one of its places. */
function changedAt(schema: Schema, other: Schema, counter: { left: number }): Schema {
  if (counter.left-- === 0) return other;
  if (typeof schema === 'boolean') return schema;
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (counter.left-- === 0) return [];
    const change = (part: Json): Json => changedAt(part as Schema, other, counter);
    if (['items', 'additionalProperties', 'not'].includes(keyword)) return [[keyword, change(value)]];
    if (keyword === 'properties') {
      return [[keyword, Object.fromEntries(Object.entries(value as JsonSchema).map(([k, v]) => [k, change(v)]))]];
    }
    const isList = ['anyOf', 'allOf', 'oneOf', 'prefixItems'].includes(keyword) && Array.isArray(value);
    return [[keyword, isList ? value.map(change) : value]];
  });
  return Object.fromEntries(members);
}

/** Another spelling of the same set. `choice` picks among those that apply, and is used up as the schema is walked. */
export function rewritten(schema: Schema, choice: () => number): Schema {
  if (typeof schema === 'boolean') return choice() % 2 === 0 ? schema : schema ? {} : { not: {} };
  const inner = Object.fromEntries(
    Object.entries(schema)
      .map(([keyword, value]): [string, Json] => [
        keyword,
        schema.patternProperties === undefined ? rewrittenKeyword(keyword, value, choice) : value,
      ])
      .reverse(),
  );
  return respelled(inner, choice() % 8);
}

function respelled(schema: JsonSchema, choice: number): JsonSchema {
  const { type, ...others } = schema;
  if (choice === 0 && type === 'integer')
    return { ...others, type: 'number', allOf: [{ multipleOf: 1 }, ...asList(schema.allOf)] };
  if (choice === 1 && Array.isArray(type))
    return { ...others, allOf: [...asList(schema.allOf), { anyOf: type.map((one: Json) => ({ type: one })) }] };
  if (choice === 2 && schema.const !== undefined) {
    const { const: only, ...rest } = schema;
    return { ...rest, allOf: [...asList(schema.allOf), { enum: [only] }] };
  }
  if (choice === 3)
    return {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'T',
      description: 'D',
      default: 1,
      ...schema,
    };
  if (choice === 4 && schema.required === undefined) return { ...schema, required: [] };
  if (choice === 5) return { anyOf: [schema] };
  if (choice === 6) return { allOf: [{}, schema] };
  if (choice === 7 && !hasKey(schema, '$ref')) return { $defs: { 'a/b %': schema }, $ref: '#/$defs/a~1b%20%25' };
  return schema;
}

function rewrittenKeyword(keyword: string, value: Json, choice: () => number): Json {
  const inner = (schema: Json): Json => withoutReferences(schema as Schema, choice);
  if (['items', 'additionalProperties'].includes(keyword)) return inner(value);
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(value as JsonSchema).map(([key, v]) => [key, inner(v)]));
  if (['anyOf', 'allOf', 'prefixItems'].includes(keyword) && Array.isArray(value)) return value.map(inner);
  if (keyword === 'oneOf') return value;
  if (keyword === 'enum' && Array.isArray(value)) return [...value].reverse();
  return value;
}

/** Only the root has `$defs`, so only it is written as a reference. */
function withoutReferences(schema: Schema, choice: () => number): Json {
  return rewritten(schema, () => {
    const n = choice();
    return n % 8 === 7 ? n - 1 : n;
  });
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function hasKey(value: Json, key: string): boolean {
  return JSON.stringify(value).includes(JSON.stringify(key));
}
