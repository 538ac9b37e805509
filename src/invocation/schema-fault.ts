import type { Entry } from '../projection/generation.js';
import { schemaFaultFinder } from './schema-validity.js';

/**
 * By MCP name, the first thing wrong in a schema of a declaration, by the meta-schema of JSON Schema 2020-12. Such a tool is listed, and
 * every call of it would fail when its arguments, or its output, are to be validated.
 */
export async function findSchemaFaults(
  entries: Iterable<Pick<Entry, 'name' | 'declaration'>>,
): Promise<Map<string, string>> {
  const faultsOf = await schemaFaultFinder();
  const faults = new Map<string, string>();
  for (const { name, declaration } of entries) {
    for (const key of ['inputSchema', 'outputSchema'] as const) {
      const [fault] = faultsOf(declaration[key] ?? {});
      if (fault !== undefined && !faults.has(name)) faults.set(name, `${key}, at ${fault}`);
    }
  }
  return faults;
}
