import type { JsonSchema } from '../../schemas/declaration.js';

/** Gives what the meta-schema of JSON Schema 2020-12 finds wrong in a schema, as `pointer: sentence`; none where it is valid. */
export async function schemaFaultFinder(): Promise<(schema: JsonSchema) => string[]> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  return (schema) => {
    if (ajv.validateSchema(schema) === true) return [];
    const faults = new Map<string, string>();
    // Of the alternatives that the meta-schema has for one place, the first says enough.
    for (const { instancePath, message } of ajv.errors ?? []) {
      if (!faults.has(instancePath)) faults.set(instancePath, `${instancePath || '/'}: ${message}`);
    }
    return [...faults.values()];
  };
}
