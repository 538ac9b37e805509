import type { Json, JsonSchema } from '../../schemas/declaration.js';
import { reservedKeys } from '../../schemas/tool.js';
import { isJsonObject } from '../json-object.js';
import { toPointer } from '../json-pointer.js';
import type { TypeNode, TypeRegistry } from './node.js';
import {
  annotations,
  commonType,
  droppedKeywords,
  expectedValue,
  independentKeywords,
  isPattern,
  rootCompositions,
  subschemaKeywords,
} from './schema-keywords.js';
import { nearestType, resolveReference, typeName } from './type-reference.js';

/** The schema of a type as a model sees it, or why there is none. */
export type PortableSchema =
  | { readonly schema: JsonSchema & { readonly type: string } }
  | { readonly code: 'unresolved-schema' | 'unportable-schema'; readonly message: string };

/** Schemas in one type, references followed: a bound against definitions that double at each step. */
const maxSchemas = 2000;
const maxDepth = 32;
const legalName = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * The schema of a type with every reference inlined, in the form that every MCP host accepts (P4, P18). The message names the
 * type, the rule and the place.
 */
export function portableSchema(iri: string, types: TypeRegistry): PortableSchema {
  const type = types.get(iri);
  if (type === undefined) return { code: 'unresolved-schema', message: unknownType(iri, types) };
  try {
    return { schema: new Inliner(types).port(type) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const place = error.where === '' ? '' : ` at ${error.where}`;
    return { code: error.code, message: `the type ${typeName(iri)} (${type.document})${place}: ${error.message}` };
  }
}

function unknownType(iri: string, types: TypeRegistry): string {
  const nearest = nearestType(iri, types);
  const hint = nearest === undefined ? 'add it to a type document, or correct the IRI' : `did you mean ${nearest}?`;
  return `no type document defines ${iri}; ${hint}`;
}

class SchemaError extends Error {
  readonly where: string;
  readonly code: 'unresolved-schema' | 'unportable-schema';

  constructor(where: string, message: string, code: SchemaError['code'] = 'unportable-schema') {
    super(message);
    this.where = where;
    this.code = code;
  }
}

/** `port`: the root of a type. `typed`: under `properties` and `items`. `free`: anywhere else, where P18 asks for less. */
type Role = 'port' | 'typed' | 'free';

interface Place {
  readonly type: TypeNode;
  readonly where: string;
  /** Keys of the references that led here. */
  readonly path: readonly string[];
  readonly depth: number;
}

class Inliner {
  readonly #types: TypeRegistry;
  #schemas = 0;

  constructor(types: TypeRegistry) {
    this.#types = types;
  }

  port(type: TypeNode): JsonSchema & { readonly type: string } {
    const schema = this.#inline(type.schema, 'port', { type, where: '', path: [type.iri], depth: 0 });
    const { type: only } = Object(schema) as JsonSchema;
    if (typeof only !== 'string') throw new SchemaError('', 'expected one "type"');
    return { ...(schema as JsonSchema), type: only };
  }

  #inline(written: Json, role: Role, place: Place): Json {
    this.#schemas += 1;
    if (this.#schemas > maxSchemas) throw new SchemaError(place.where, `it holds more than ${maxSchemas} schemas`);
    if (place.depth > maxDepth) throw new SchemaError(place.where, `it is deeper than ${maxDepth} schemas`);
    if (typeof written === 'boolean') {
      if (role === 'free') return written;
      throw new SchemaError(place.where, `a boolean schema (${written}); expected an object with one "type"`);
    }
    if (!isJsonObject(written)) throw new SchemaError(place.where, 'expected a schema');
    if (written.$ref !== undefined) {
      const { schema, place: target } = this.#follow(written, place);
      return this.#inline(schema, role, target);
    }
    const entries = Object.entries(written).flatMap(([keyword, value]) => this.#keyword(keyword, value, role, place));
    return withType(Object.fromEntries(entries), role, place.where);
  }

  /** The schema behind a `$ref`, with the keywords beside the `$ref` written into it. */
  #follow(written: JsonSchema, place: Place): { readonly schema: Json; readonly place: Place } {
    const { $ref, ...beside } = written;
    if (typeof $ref !== 'string') throw new SchemaError(place.where, '"$ref": expected a string');
    const target = resolveReference($ref, place.type, this.#types);
    if (target === undefined) {
      throw new SchemaError(place.where, `"$ref" names ${$ref}, which no type document defines`, 'unresolved-schema');
    }
    if (place.path.includes(target.key)) {
      throw new SchemaError(place.where, `it refers to itself by ${$ref}; a recursive type cannot be inlined`);
    }
    const siblings = Object.entries(beside).filter(([keyword]) => !droppedKeywords.has(keyword));
    return {
      schema: siblings.length === 0 ? target.schema : merged(target.schema, siblings, place.where),
      place: { ...place, type: target.type, path: [...place.path, target.key], depth: place.depth + 1 },
    };
  }

  #keyword(keyword: string, value: Json, role: Role, place: Place): [string, Json][] {
    const where = `${place.where}/${keyword}`;
    if (keyword === '$id' && place.depth > 0) throw new SchemaError(where, 'an "$id" inside of a type');
    if (droppedKeywords.has(keyword)) return [];
    if (keyword === '$dynamicRef' || keyword === '$recursiveRef')
      throw new SchemaError(where, 'expected a plain "$ref"');
    if (role === 'port' && rootCompositions.has(keyword)) {
      throw new SchemaError(where, `"${keyword}" at the root of a type; hosts drop tools that have it`);
    }
    const holds = subschemaKeywords.get(keyword);
    if (holds === undefined) {
      const expected = expectedValue(keyword, value);
      if (expected !== undefined) throw new SchemaError(where, `expected ${expected}`);
      return [[keyword, value]];
    }
    const inner = ['properties', 'items', 'prefixItems'].includes(keyword) ? 'typed' : 'free';
    return [[keyword, this.#subschemas(holds, keyword, value, inner, { ...place, where, depth: place.depth + 1 })]];
  }

  #subschemas(holds: 'schema' | 'map' | 'list', keyword: string, value: Json, role: Role, place: Place): Json {
    const child = (schema: Json, key: string | number): Json =>
      this.#inline(schema, role, {
        ...place,
        where: place.where + toPointer([key]),
      });
    if (holds === 'schema') return this.#inline(value, role, place);
    if (holds === 'list') {
      if (!Array.isArray(value) || value.length === 0)
        throw new SchemaError(place.where, 'expected an array of schemas');
      return value.map(child);
    }
    if (!isJsonObject(value)) throw new SchemaError(place.where, 'expected an object of schemas');
    return Object.fromEntries(
      Object.entries(value).map(([key, schema]) => {
        checkKey(keyword, key, place.where);
        return [key, child(schema, key)];
      }),
    );
  }
}

/** Every schema under `properties` and `items` has one `type`; every array has `items` (P18). */
function withType(schema: JsonSchema, role: Role, where: string): JsonSchema {
  const type = schema.type ?? inferredType(schema);
  if (role !== 'free' && typeof type !== 'string') {
    const given = Array.isArray(type) ? `has the types ${type.join(' and ')}` : 'has no "type"';
    throw new SchemaError(where, `it ${given}; expected one "type"`);
  }
  if (type === 'array' && schema.items === undefined) throw new SchemaError(where, 'an array without "items"');
  return type === undefined || schema.type !== undefined ? schema : { type, ...schema };
}

function inferredType({ enum: members, const: only }: JsonSchema): string | undefined {
  if (Array.isArray(members)) return commonType(members);
  return only === undefined ? undefined : commonType([only]);
}

function merged(target: Json, siblings: readonly (readonly [string, Json])[], where: string): Json {
  if (!isJsonObject(target))
    throw new SchemaError(where, '"$ref" with other keywords beside it names a boolean schema');
  for (const [keyword] of siblings) {
    const conflict = Object.hasOwn(target, keyword) && !annotations.has(keyword);
    if (!independentKeywords.has(keyword) || conflict) {
      throw new SchemaError(
        where,
        `"${keyword}" beside "$ref"; write it into the type that "$ref" names, or copy that type`,
      );
    }
  }
  return { ...target, ...Object.fromEntries(siblings) };
}

function checkKey(keyword: string, key: string, where: string): void {
  if (keyword === 'patternProperties' && !isPattern(key)) {
    throw new SchemaError(where, `${JSON.stringify(key)} is not a regular expression that is valid with flag u`);
  }
  if (keyword === 'properties' && (!legalName.test(key) || reservedKeys.has(key))) {
    throw new SchemaError(where, `the property name ${JSON.stringify(key)}; expected 1 to 64 of A-Z a-z 0-9 _ . -`);
  }
}
