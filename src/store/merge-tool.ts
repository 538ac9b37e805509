import type { Term } from '@rdfjs/types';
import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';
import type { ToolNode } from '../projection/node.js';
import { completeTool, isFaults } from './complete-node.js';
import { distinctTerms, type GraphIndex, type Statements } from './graph-index.js';
import { classesOf } from './lift.js';
import { type Fault, faultProblem } from './node-fault.js';
import { toolForm } from './node-forms.js';
import { NodeReader } from './node-reader.js';
import { classes } from './vocabulary.js';

/** Documents that a message names; the others are counted. */
const mostNamed = 3;

/** The document that states the type of a Tool. `pointers` is the place of each node in the file, by its IRI. */
export interface HomeDocument {
  readonly path: string;
  readonly graph: GraphIndex;
  readonly pointers: ReadonlyMap<string, string>;
}

/** What one document states of nodes that are not its own. */
export interface Addition {
  readonly document: string;
  readonly graph: GraphIndex;
}

/** What a Tool is with the statements of other documents. */
export interface MergedTool {
  /** Undefined when it could not be determined; then `diagnostics` says why. */
  readonly node: ToolNode | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** All that it was read from, itself and its parts: a statement of another subject changes nothing. */
  readonly subjects: ReadonlySet<string>;
}

/**
 * The Tool `iri` over what its home states and what other documents add (DESIGN decision 1). `additionsOf` gives what is added to a
 * subject, in any order. Undefined when the home does not state that it is a Tool, or nobody adds anything. Whatever the order
 * of reading, the result is the same; a second, different value of a single-valued key is an `invalid-node` at the home that names both
 * documents.
 */
export function mergeTool(
  iri: string,
  home: HomeDocument,
  base: string,
  additionsOf: (subject: string) => readonly Addition[],
): MergedTool | undefined {
  if (!home.graph.instances(classes.Tool).includes(iri)) return undefined;
  const { path, graph, pointers } = home;
  const { result, subjects } = readTool(iri, new MergedStatements({ document: path, graph }, additionsOf), base);
  const added = new Set([...subjects].flatMap((subject) => additionsOf(subject).map(({ document }) => document)));
  if (added.size === 0) return undefined;
  if (!isFaults(result)) {
    const alsoIn = [...added].sort(byCodeUnits);
    const node = { iri, document: path, pointer: pointers.get(iri) ?? '', tool: result, alsoIn };
    return { node, diagnostics: [], subjects };
  }
  const alone = readTool(iri, graph, base).result;
  const known = new Set(isFaults(alone) ? alone.map(faultText) : []);
  const also = ` (this Tool is also described in ${documentNames([...added])})`;
  const diagnostics = result.map((fault) => {
    const isOwn = fault.namesDocuments === true || known.has(faultText(fault));
    const told = isOwn ? fault : { ...fault, message: fault.message + also };
    return faultProblem(told, iri, path, pointers);
  });
  return { node: undefined, diagnostics, subjects };
}

function readTool(iri: string, statements: Statements, base: string) {
  const { node, faults, subjects } = new NodeReader(statements, base).read(iri, toolForm);
  return { result: faults.length > 0 ? faults : completeTool(node, base, iri, classesOf(statements, iri)), subjects };
}

function faultText({ path, message }: Fault): string {
  return JSON.stringify([path, message]);
}

/** The statements of a home and of the documents that add to its nodes. */
class MergedStatements implements Statements {
  readonly #home: Addition;
  readonly #additionsOf: (subject: string) => readonly Addition[];

  constructor(home: Addition, additionsOf: (subject: string) => readonly Addition[]) {
    this.#home = home;
    this.#additionsOf = additionsOf;
  }

  objects(subject: string, predicate: string): readonly Term[] {
    const own = this.#home.graph.objects(subject, predicate);
    const additions = this.#additionsOf(subject);
    if (additions.length === 0) return own;
    return distinctTerms([...own, ...additions.flatMap(({ graph }) => graph.objects(subject, predicate))]);
  }

  documentsOf(subject: string, predicate: string, object: Term): string {
    const stating = [this.#home, ...this.#additionsOf(subject)].filter(({ graph }) =>
      graph.has(subject, predicate, object),
    );
    return documentNames(stating.map(({ document }) => document));
  }
}

function documentNames(documents: readonly string[]): string {
  const sorted = [...documents].sort();
  const named = sorted.slice(0, mostNamed).join(', ');
  return sorted.length > mostNamed ? `${named} and ${sorted.length - mostNamed} more` : named;
}
