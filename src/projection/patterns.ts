import type { Json, JsonSchema } from '../../schemas/declaration.js';
import type { ToolNode, TypeRegistry } from './node.js';
import { subschemaKeywords } from './schema-keywords.js';
import { schemaSource } from './schema-source.js';

/**
 * Every pattern in the schemas of the inputs of these Tools, and of the outputs that say where they come from: what has to be analysed
 * before `project`. A type that has no portable schema has none; `project` reports it.
 */
export function patternsOf(nodes: readonly ToolNode[], types: TypeRegistry): Set<string> {
  return patternsOfTypes(
    nodes.flatMap(({ tool: { io } }) =>
      [...io.inputs, ...io.outputs.filter(({ from }) => from !== undefined)].map(({ schema }) => schema),
    ),
    types,
  );
}

/** As `patternsOf`, of the types with these IRIs. */
export function patternsOfTypes(iris: Iterable<string>, types: TypeRegistry): Set<string> {
  const schemaOf = schemaSource(types);
  const patterns = new Set<string>();
  for (const iri of new Set(iris)) {
    const found = schemaOf(iri);
    if ('schema' in found) for (const pattern of patternsIn(found.schema)) patterns.add(pattern);
  }
  return patterns;
}

/** Each `pattern`, and each key of `patternProperties`, of a schema without references, at every depth. */
export function patternsIn(schema: Json | undefined): Set<string> {
  const patterns = new Set<string>();
  collect(schema, patterns);
  return patterns;
}

function collect(schema: Json | undefined, patterns: Set<string>): void {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
  for (const [keyword, value] of Object.entries(schema as JsonSchema)) {
    if (keyword === 'pattern' && typeof value === 'string') patterns.add(value);
    if (keyword === 'patternProperties') for (const key of Object.keys(Object(value))) patterns.add(key);
    const holds = subschemaKeywords.get(keyword);
    if (holds === 'schema') collect(value, patterns);
    else if (holds !== undefined) for (const inner of Object.values(Object(value))) collect(inner as Json, patterns);
  }
}
