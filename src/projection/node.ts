import type { JsonSchema } from '../../schemas/declaration.js';
import type { Tool } from '../../schemas/tool.js';
import type { View } from '../../schemas/view.js';
import type { Diagnostic } from '../diagnostic.js';

/** A Tool lifted out of the graph, with its home. */
export interface ToolNode {
  readonly iri: string;
  /** Path of the document that states its type. */
  readonly document: string;
  /** Path to the included instance that it belongs to; absent for the instance itself. */
  readonly instance?: string;
  /** JSON pointer of the node in the document; `''` where the document is the node. */
  readonly pointer: string;
  readonly tool: Tool;
  /** Paths of other documents that state something of it, sorted; absent where there are none. */
  readonly alsoIn?: readonly string[];
}

export interface SkillNode {
  readonly iri: string;
  readonly document: string;
  /** As in `ToolNode`. */
  readonly instance?: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}

/** A View lifted out of the graph: it is wholly described by one document. */
export interface ViewNode {
  readonly iri: string;
  readonly document: string;
  /** As in `ToolNode`. */
  readonly instance?: string;
  /** As in `ToolNode`. */
  readonly pointer: string;
  readonly view: View;
}

/** One entry of the `$defs` of a type document; its IRI is `<$id>#/$defs/<name>`. */
export interface TypeNode {
  readonly iri: string;
  readonly document: string;
  /** As in `ToolNode`. */
  readonly instance?: string;
  readonly schema: JsonSchema;
}

/** Types by IRI. */
export type TypeRegistry = ReadonlyMap<string, TypeNode>;

/** What one document gives to the projection. */
export interface DocumentNodes {
  readonly tools: readonly ToolNode[];
  readonly skills: readonly SkillNode[];
  readonly types: readonly TypeNode[];
  readonly views: readonly ViewNode[];
  readonly diagnostics: readonly Diagnostic[];
  /** Nodes that are in the document and could not be determined: their IRIs, or `all` when that itself is unknown. */
  readonly broken: readonly string[] | 'all';
}

/** What the documents give that are other than they were, by path; undefined for one that is gone. */
export type DocumentChanges = ReadonlyMap<string, DocumentNodes | undefined>;
