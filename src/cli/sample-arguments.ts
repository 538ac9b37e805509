import type { Json, JsonSchema } from '../../schemas/declaration.js';
import { isJsonObject } from '../json-object.js';

/** Arguments with every input that a call has to give: an example of its type, a member, or what is plain of its kind. Pure. */
export function sampleArguments({ properties, required }: JsonSchema): Readonly<Record<string, Json>> {
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, sampleOf(memberOf(properties, name))]));
}

function sampleOf(schema: JsonSchema): Json {
  if (schema.const !== undefined) return schema.const;
  const members = [schema.examples, schema.enum].flatMap((list) => (Array.isArray(list) ? list : []));
  if (members[0] !== undefined) return members[0];
  if (schema.type === 'array') return [sampleOf(memberOf(schema, 'items'))];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  return schema.type === 'object' ? {} : '…';
}

function memberOf(value: Json | undefined, key: string): JsonSchema {
  const member = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}
