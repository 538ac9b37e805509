import { z } from 'zod';

/** The keys that an object at the path may have; none where the schema has no object. Zod's classes are the one description of the shape. */
export function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodOptional) return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => knownKeys(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  if (schema instanceof z.ZodArray) return knownKeys(schema.element, rest);
  if (schema instanceof z.ZodRecord) return knownKeys(schema.valueType, rest);
  const inner = schema instanceof z.ZodObject ? schema.shape[String(step)] : undefined;
  return inner === undefined ? [] : knownKeys(inner, rest);
}
