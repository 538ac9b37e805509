import type { Invocation } from '../../schemas/invocation.js';
import { InvocationSchema } from '../../schemas/invocation.js';
import { readCalls } from '../../src/store/record-reader.js';
import type { Instance } from './instance.js';

/** The records of an instance, newest first, each checked against its schema. */
export function recordsOf(instance: Pick<Instance, 'path'>): Invocation[] {
  const read = readCalls(instance.path('.toolgraph'), { limit: 100_000 });
  return (read?.records ?? []).map((record) => InvocationSchema.parse(record));
}

/** The record of one call. */
export function recordOf(instance: Pick<Instance, 'path'>, id: string | undefined): Invocation | undefined {
  return recordsOf(instance).find((record) => record.id === id);
}
