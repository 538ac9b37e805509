import type { Json, JsonSchema } from '../schemas/declaration.js';
import { isJsonObject } from '../src/json-object.js';
import { page, table } from './reference-pages.js';

/** A field at any depth: `limits.timeoutMs`; `folders[].path` in each item of an array; `rules.*.severity` in each member of an object. */
export interface ConfigField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** docs/configuration.md: one row a field. `schema` is the JSON Schema of the config, with `description`, `default` and `examples`. */
export function renderConfiguration(schema: JsonSchema): string {
  const rows = configFields(schema).map(({ path, schema: field, isRequired }) => [
    `\`${path}\``,
    typeWords(field),
    defaultWords(field, isRequired),
    String(field.description).replaceAll('<', '\\<'),
    Array.isArray(field.examples) ? code(field.examples[0]) : '',
  ]);
  const body = [
    '`toolgraph.config.json` lies at the top of the instance. The file is optional, and it is watched like the nodes. What is wrong in it ' +
      'is an `invalid-config`, and a service that runs goes on with the last good one.',
    'A field with a dot is a member of an object; `[]` stands for each item of an array, `*` for each member of an object.',
    table(['field', 'type', 'default', 'what it does', 'example'], rows),
  ];
  return page('Configuration', 'schemas/config.ts', body.join('\n\n'));
}

/** Every field, each followed by those inside it, in the order of the schema. */
export function configFields(schema: JsonSchema, start = ''): ConfigField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(asSchema(schema.properties)).flatMap(([key, value]) => {
    const path = `${start}${key}`;
    const field = asSchema(value);
    return [{ path, schema: field, isRequired: required.includes(key) }, ...insideOf(field, path)];
  });
}

function insideOf(field: JsonSchema, path: string): ConfigField[] {
  const eachItem = alternatives(asSchema(field.items)).flatMap((item) => configFields(item, `${path}[].`));
  const eachMember = alternatives(asSchema(field.additionalProperties)).flatMap((member) =>
    configFields(member, `${path}.*.`),
  );
  return [...configFields(field, `${path}.`), ...eachItem, ...eachMember];
}

function alternatives(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.anyOf) ? schema.anyOf.map(asSchema) : [schema];
}

/** Nothing is stated where there is no schema. */
function asSchema(value: Json | undefined): JsonSchema {
  return isJsonObject(value) ? value : {};
}

function defaultWords(field: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  return field.default === undefined ? '' : code(field.default);
}

function typeWords(schema: JsonSchema): string {
  if (Array.isArray(schema.anyOf)) return alternatives(schema).map(typeWords).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((member: Json) => code(member)).join(', ');
  if (schema.type === 'array') return `array of ${typeWords(asSchema(schema.items))}`;
  if (schema.type === 'integer') return `integer, ${schema.minimum} to ${schema.maximum}`;
  const member = asSchema(schema.additionalProperties);
  if (schema.type === 'object' && Object.keys(member).length > 0) return `object, each member ${typeWords(member)}`;
  return [schema.type].flat().join(' or ');
}

function code(value: Json | undefined): string {
  return `\`${JSON.stringify(value)}\``;
}
