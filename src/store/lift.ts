import type { Quad } from '@rdfjs/types';
import type { Diagnostic } from '../diagnostic.js';
import type { SkillNode, ToolNode, TypeNode, ViewNode } from '../projection/node.js';
import { completeSkill, completeTool, completeType, completeView, isFaults, type SourceNode } from './complete-node.js';
import { GraphIndex, type Statements } from './graph-index.js';
import { type Fault, faultProblem } from './node-fault.js';
import { type NodeForm, skillForm, toolForm, toolPredicates, typeForm, viewForm } from './node-forms.js';
import { NodeReader } from './node-reader.js';
import { classes, rdf } from './vocabulary.js';

/** The nodes of one document, lifted out of its quads. Each array is sorted by IRI. */
export interface Lifted {
  readonly tools: readonly ToolNode[];
  readonly skills: readonly SkillNode[];
  readonly types: readonly TypeNode[];
  readonly views: readonly ViewNode[];
  readonly diagnostics: readonly Diagnostic[];
  /** IRIs of nodes that are in the graph and could not be determined. */
  readonly broken: readonly string[];
  /** By Tool its ports and other parts whose IRIs do not lie under that of the Tool; Tools that have none are left out. */
  readonly parts: readonly (readonly [tool: string, parts: readonly string[]])[];
  /** Subjects that are no node of this document and no part of one: what is stated of them may concern a Tool of another document. */
  readonly extends: readonly string[];
}

/**
 * Lifts the Tools, skills, types and views out of the quads of one document graph (DESIGN decision 1). The quads are skolemised; `pointers` is the
 * place of each node in the file, by its IRI. `isChecked`: see `IngestedDocument`. The same quads in any order give the same result. Never throws: a node that cannot be
 * determined is in `broken`, with an `invalid-node` for each reason.
 */
export function lift(
  quads: readonly Quad[],
  base: string,
  documentPath: string,
  pointers: ReadonlyMap<string, string>,
  isChecked = false,
): Lifted {
  const graph = new GraphIndex(quads);
  const reader = new NodeReader(graph, base);
  const diagnostics: Diagnostic[] = [];
  const broken = new Set<string>();
  const own = new Set<string>();
  const parts: [string, string[]][] = [];

  const liftEach = <T>(
    type: string,
    form: NodeForm,
    complete: (iri: string, node: SourceNode) => T | readonly Fault[],
  ) =>
    graph.instances(type).flatMap((iri): T[] => {
      const { node, faults, subjects } = reader.read(iri, form);
      for (const subject of subjects) own.add(subject);
      const elsewhere = form === toolForm ? [...subjects].filter((subject) => !isUnder(iri, subject)) : [];
      if (elsewhere.length > 0) parts.push([iri, elsewhere.sort()]);
      const result = faults.length > 0 ? faults : complete(iri, node);
      if (!isFaults(result)) return [result];
      broken.add(iri);
      diagnostics.push(...result.map((fault) => faultProblem(fault, iri, documentPath, pointers)));
      return [];
    });

  const tools = liftEach(classes.Tool, toolForm, (iri, node) => {
    const tool = completeTool(node, base, iri, classesOf(graph, iri), isChecked);
    return isFaults(tool) ? tool : { iri, document: documentPath, pointer: pointers.get(iri) ?? '', tool };
  });
  const skills = liftEach(classes.Skill, skillForm, (iri, node) => completeSkill(node, base, iri, documentPath));
  const types = liftEach(classes.Type, typeForm, (iri, node) => completeType(node, iri, documentPath));
  const views = liftEach(classes.View, viewForm, (iri, node) => {
    const view = completeView(node, base, iri);
    return isFaults(view) ? view : { iri, document: documentPath, pointer: pointers.get(iri) ?? '', view };
  });
  const others = [...graph.subjects()]
    .filter((subject) => !own.has(subject) && couldConcernTool(graph, subject))
    .sort();
  return { tools, skills, types, views, diagnostics, broken: [...broken].sort(), parts, extends: others };
}

/** The IRIs of the classes that a node has. */
export function classesOf(graph: Statements, iri: string): string[] {
  return graph.objects(iri, rdf.type).map(({ value }) => value);
}

/** Whether the subject is the node, or has the IRI of a part of it as it is skolemised. */
function isUnder(node: string, subject: string): boolean {
  return subject.startsWith(node) && (subject.length === node.length || subject[node.length] === '/');
}

function couldConcernTool(graph: GraphIndex, subject: string): boolean {
  for (const predicate of graph.predicates(subject)) if (toolPredicates.has(predicate)) return true;
  return false;
}
