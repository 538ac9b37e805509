import type { Diagnostic } from '../diagnostic.js';
import type { DocumentNodes, ToolNode } from './node.js';

const nothing: DocumentNodes = { tools: [], skills: [], types: [], views: [], diagnostics: [], broken: [] };

/** Finds what a change of one document concerns, without looking at the others. */
export class DocumentIndex {
  readonly #documents = new Map<string, DocumentNodes>();
  readonly #tools = new Groups<ToolNode>();
  readonly #findings = new Map<string, readonly Diagnostic[]>();
  /** The documents with an error about the IRI, and those that say it could not be determined. */
  readonly #errors = new Groups<string>();
  readonly #broken = new Groups<string>();

  /** Takes what the document gives now, undefined when it is gone. Returns the IRIs of which something may be other than it was. */
  set(path: string, nodes: DocumentNodes | undefined): Set<string> {
    const before = this.#documents.get(path) ?? nothing;
    const now = nodes ?? nothing;
    if (nodes === undefined) this.#documents.delete(path);
    else this.#documents.set(path, nodes);
    for (const tool of before.tools) this.#tools.delete(tool.iri, tool);
    for (const tool of now.tools) this.#tools.add(tool.iri, tool);
    if (now.diagnostics.length > 0) this.#findings.set(path, now.diagnostics);
    else this.#findings.delete(path);
    for (const iri of subjects(before)) this.#errors.delete(iri, path);
    for (const iri of subjects(now)) this.#errors.add(iri, path);
    for (const iri of broken(before)) this.#broken.delete(iri, path);
    for (const iri of broken(now)) this.#broken.add(iri, path);
    return new Set(
      [before, now].flatMap((some) => [...some.tools.map(({ iri }) => iri), ...subjects(some), ...broken(some)]),
    );
  }

  get(path: string): DocumentNodes | undefined {
    return this.#documents.get(path);
  }

  /** The IRIs of all Tools. */
  iris(): Iterable<string> {
    return this.#tools.keys();
  }

  /** Those that have the IRI, in no particular order. */
  tools(iri: string): Iterable<ToolNode> {
    return this.#tools.get(iri);
  }

  hasError(iri: string): boolean {
    return this.#errors.has(iri);
  }

  isBroken(iri: string): boolean {
    return this.#broken.has(iri);
  }

  *findings(): Iterable<Diagnostic> {
    for (const diagnostics of this.#findings.values()) yield* diagnostics;
  }
}

/** The IRIs that the document tells an error of. */
function subjects({ diagnostics }: DocumentNodes): string[] {
  return diagnostics.flatMap(({ severity, subject }) => (severity === 'error' ? (subject ?? []) : []));
}

function broken(nodes: DocumentNodes): readonly string[] {
  return nodes.broken === 'all' ? [] : nodes.broken;
}

/** Values by a key that several can have. */
export class Groups<V> {
  readonly #groups = new Map<string, Set<V>>();

  add(key: string, value: V): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, new Set([value]));
    else group.add(value);
  }

  delete(key: string, value: V): void {
    const group = this.#groups.get(key);
    if (group?.delete(value) === true && group.size === 0) this.#groups.delete(key);
  }

  get(key: string): Iterable<V> {
    return this.#groups.get(key) ?? [];
  }

  has(key: string): boolean {
    return this.#groups.has(key);
  }

  keys(): Iterable<string> {
    return this.#groups.keys();
  }
}
