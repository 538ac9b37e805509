import type { Declaration } from '../../schemas/declaration.js';
import { jsonFile } from '../json-text.js';
import type { Generation } from '../projection/generation.js';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The files that are made of a generation, by path: the list as `tools/list` gives it, a schema for the input of each tool and one for its
 * output where it states one, and the graph. The same generation gives the same bytes. `base` is the prefix of the IRIs of the instance,
 * `graph` its JSON-LD. Pure.
 */
export function builtFiles({ entries }: Generation, base: string, graph: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  // Without the `_meta` of the result, whose generation number is that of one process and one host; each tool keeps its definition.
  files.set('mcp-tools.json', jsonFile({ tools: Array.from(entries.values(), ({ declaration }) => declaration) }));
  files.set('tools.jsonld', graph);
  for (const { name, declaration } of entries.values()) {
    for (const { kind, schema } of schemasOf(declaration)) {
      const file = `${name}.${kind}.json`;
      const head = { $schema: dialect, $id: `${schemaFolder(base)}${file}`, title: `${name} ${kind}` };
      files.set(`schemas/${file}`, jsonFile({ ...head, description: declaration.description, ...schema }));
    }
  }
  return files;
}

/** `$id` is an IRI without fragment (JSON Schema 2020-12, 8.2.1), and a base may end in `#`. */
function schemaFolder(base: string): string {
  return `${base.replaceAll('#', '/')}schema/`;
}

/** The schemas of a tool: that of its input, and that of its output where it states one. */
function schemasOf({ inputSchema, outputSchema }: Declaration) {
  return [
    { kind: 'input', schema: inputSchema },
    ...(outputSchema === undefined ? [] : [{ kind: 'output', schema: outputSchema } as const]),
  ] as const;
}
