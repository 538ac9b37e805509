import type { JsonSchema } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';

/** A Tool lifted out of the graph, with its home. */
export interface ToolNode {
  readonly iri: string;
  /** Path of the document that states its type. */
  readonly document: string;
  /** JSON pointer of the node in the document; `''` where the document is the node. */
  readonly pointer: string;
  readonly tool: Tool;
}

export interface SkillNode {
  readonly iri: string;
  readonly document: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** One entry of the `$defs` of a type document; its IRI is `<$id>#/$defs/<name>`. */
export interface TypeNode {
  readonly iri: string;
  readonly document: string;
  readonly schema: JsonSchema;
}

/** Types by IRI. */
export type TypeRegistry = ReadonlyMap<string, TypeNode>;
