import type { Json, JsonSchema } from '../../schemas/declaration.js';
import type { PatternAnswers } from '../check/contract/pattern-question.js';
import { isJsonObject } from '../json-object.js';

export interface SampleSource {
  /** Makes a word of a pattern. */
  readonly patterns: PatternAnswers;
  /** Whether a text is the path of something that exists: no example names it. */
  readonly isPath: (text: string) => boolean;
}

/**
 * Arguments with every input that a call has to give: an example of its type, a member, a shortest word of its pattern, or what is plain of
 * its kind; `<name>` where there is none. Pure as its source is.
 */
export function sampleArguments(
  { properties, required }: JsonSchema,
  source: SampleSource,
): Readonly<Record<string, Json>> {
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, sampleOf(name, memberOf(properties, name), source)]));
}

function sampleOf(name: string, schema: JsonSchema, source: SampleSource): Json {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum[0] !== undefined) return schema.enum[0];
  const examples = Array.isArray(schema.examples) ? schema.examples : [];
  const example = examples.find((value) => typeof value !== 'string' || !source.isPath(value));
  if (example !== undefined) return example;
  if (schema.type === 'array') return [sampleOf(name, memberOf(schema, 'items'), source)];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, Number(schema.minimum ?? 1));
  return schema.type === 'object' ? {} : (wordOf(schema, source) ?? `<${name}>`);
}

function wordOf({ pattern, minLength, maxLength }: JsonSchema, { patterns, isPath }: SampleSource): string | undefined {
  if (typeof pattern !== 'string') return undefined;
  const found = patterns.word({
    matching: [pattern],
    min: typeof minLength === 'number' ? minLength : 0,
    ...(typeof maxLength === 'number' ? { max: maxLength } : {}),
  });
  return typeof found !== 'object' || isPath(found.word) ? undefined : found.word;
}

function memberOf(value: Json | undefined, key: string): JsonSchema {
  const member = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}
