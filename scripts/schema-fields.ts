import type { Json, JsonSchema } from '../schemas/declaration.js';
import { isJsonObject } from '../src/json-object.js';

/** A field at any depth: `limits.timeoutMs`; `folders[].path` in each item of an array; `rules.*.severity` in each member of an object. */
export interface SchemaField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** It is in one of several forms that the object above it can have, and is required only there. */
  readonly isOfOneForm: boolean;
}

/**
 * Every field of a JSON Schema that Zod made, each followed by those inside it, in the order of the schema. A field that several
 * alternatives have is given once.
 */
export function schemaFields(schema: JsonSchema): SchemaField[] {
  return fieldsOf(schema, '', false);
}

function fieldsOf(schema: JsonSchema, start: string, isOfOneForm: boolean): SchemaField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(asSchema(schema.properties)).flatMap(([key, value]) => {
    const path = `${start}${key}`;
    const field = asSchema(value);
    return [{ path, schema: field, isRequired: required.includes(key), isOfOneForm }, ...insideOf(field, path)];
  });
  return [...new Map(fields.map((field) => [field.path, field])).values()];
}

function insideOf(field: JsonSchema, path: string): SchemaField[] {
  const within = (schema: Json | undefined, start: string): SchemaField[] => {
    const forms = alternatives(asSchema(schema)).filter(({ properties }) => properties !== undefined);
    return forms.flatMap((form) => fieldsOf(form, start, forms.length > 1));
  };
  return [
    ...within(field, `${path}.`),
    ...within(field.items, `${path}[].`),
    ...within(field.additionalProperties, `${path}.*.`),
  ];
}

/** `required`, the default that is stated, or nothing. */
export function defaultWords({ schema, isRequired, isOfOneForm }: SchemaField): string {
  if (isRequired) return isOfOneForm ? 'required in this form' : 'required';
  return schema.default === undefined ? '' : codeSpan(schema.default);
}

/** What a value is, in words. */
export function typeWords(schema: JsonSchema): string {
  if (isUnion(schema)) return [...new Set(alternatives(schema).map(typeWords))].join(' or ');
  if (schema.const !== undefined) return codeSpan(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(codeSpan).join(', ');
  if (schema.type === 'array') return `array of ${typeWords(asSchema(schema.items))}`;
  if (schema.type === 'integer') return `integer, ${schema.minimum} to ${schema.maximum}`;
  const member = asSchema(schema.additionalProperties);
  if (schema.type === 'object' && Object.keys(member).length > 0) return `object, each member ${typeWords(member)}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

/** A value as it is written in JSON. */
export function codeSpan(value: Json): string {
  return `\`${JSON.stringify(value)}\``;
}

/** Of a schema that has `anyOf` beside its own shape, as a rule over its fields, that is no choice between values. */
function isUnion(schema: JsonSchema): boolean {
  return Array.isArray(schema.anyOf) && schema.type === undefined;
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return isUnion(schema) && Array.isArray(schema.anyOf) ? schema.anyOf.map(asSchema) : [schema];
}

/** Nothing is stated where there is no schema. */
function asSchema(value: Json | undefined): JsonSchema {
  return isJsonObject(value) ? value : {};
}
