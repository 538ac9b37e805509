import type { Diagnostic } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import { projectCluster, type Surroundings } from './cluster.js';
import { declarationDigest, GenerationDigester, objectDigest } from './digest.js';
import { DocumentIndex, Groups } from './document-index.js';
import { EntryMap } from './entry-map.js';
import type { NodeState } from './evaluate.js';
import type { Entry, Omission, Projection, ProjectionOptions } from './generation.js';
import { type HostFacts, haveSameAnswers } from './host.js';
import { LiveViews } from './live-views.js';
import { toolName } from './name.js';
import type { DocumentNodes, ToolNode, TypeRegistry } from './node.js';
import { compareOmissions } from './omission.js';
import { sortedProblems } from './problem-order.js';
import { type SchemaSource, schemaSource } from './schema-source.js';
import { mergeSorted } from './sorted.js';
import type { QueryVerdicts } from './view-state.js';

/** All that decides a projection, beside the documents. */
export interface Basis {
  /** The same object as long as no type changes. */
  readonly types: TypeRegistry;
  readonly host: HostFacts;
  readonly options: ProjectionOptions;
  /** Of all that `patternsOf` names; one that is missing counts as undecided. */
  readonly verdicts: PatternVerdicts;
  /** Of the query of each view. */
  readonly queries: QueryVerdicts;
  /** Found beside the documents: config, folders, types. One of severity `error` about a Tool makes it a problem. */
  readonly problems: readonly Diagnostic[];
}

/**
 * Documents, host facts and options become the content of one generation after another. Pure: a function of what is there now and of
 * what was served before (DESIGN decision 3), whatever the steps that led to it. But a step costs what it changes: the nodes that have an
 * IRI or a name in common with a changed one are projected again, and the other results are kept.
 */
export class LiveProjection {
  readonly #index = new DocumentIndex();
  readonly #served = new ServedEntries();
  readonly #omissions = new Map<string, readonly Omission[]>();
  readonly #problems = new Map<string, readonly Diagnostic[]>();
  readonly #digester = new GenerationDigester();
  readonly #views: LiveViews;
  #names = new Groups<ToolNode>();
  #states = new WeakMap<ToolNode, NodeState>();
  #schemaOf: SchemaSource = schemaSource(new Map());
  #basis: Basis | undefined;
  #sortedOmissions: readonly Omission[] = [];
  /** IRIs of which something may be other than it was, and names that a node had that is gone. */
  #changed = new Set<string>();
  #freed = new Set<string>();

  /** `previous` is what this process serves already, of other documents. */
  constructor(previous?: Pick<Projection, 'entries' | 'views'>) {
    this.#views = new LiveViews(previous?.views);
    this.#replaceEntries([], [...(previous?.entries.values() ?? [])]);
  }

  /** Takes what a document gives now; undefined when it is gone. Nothing is projected before `next`. */
  change(path: string, nodes: DocumentNodes | undefined): void {
    for (const tool of this.#index.get(path)?.tools ?? []) {
      this.#names.delete(this.#nameOf(tool), tool);
      this.#freed.add(this.#nameOf(tool));
    }
    this.#views.change(path, nodes?.views ?? []);
    for (const iri of this.#index.set(path, nodes)) this.#changed.add(iri);
    for (const tool of nodes?.tools ?? []) this.#names.add(this.#nameOf(tool), tool);
    for (const { iri } of this.#served.ofDocument(path)) this.#changed.add(iri);
  }

  next(basis: Basis): Projection {
    this.#rebase(basis);
    const iris = this.#cluster();
    const nodes = [...iris].flatMap((iri) => [...this.#index.tools(iri)]);
    const before = [...iris].flatMap((iri) => this.#served.ofIri(iri) ?? []);
    const { entries, omissions, problems } = projectCluster({ nodes, before }, this.#surroundings(basis));
    this.#changed = new Set();
    this.#freed = new Set();
    this.#replaceEntries(before, entries);
    this.#replaceOmissions(iris, omissions);
    replace(this.#problems, iris, problems, ({ subject = '' }) => subject);
    const views = this.#views.next({ ...this.#surroundings(basis), queries: basis.queries });
    const ofTools = [...this.#problems.values()].flat();
    const all = sortedProblems([...basis.problems, ...this.#index.findings(), ...ofTools, ...views.problems]);
    const { served, omissions: viewOmissions } = views;
    const ofViews = {
      ...{ views: served, viewOmissions },
      ...(basis.options.getStateTool === true ? { getStateTool: true as const } : {}),
    };
    return {
      entries: this.#served.byName(),
      omissions: this.#sortedOmissions,
      ...ofViews,
      problems: all,
      ...this.#digester.digests(all, ofViews),
    };
  }

  /** Marks what another basis than the last one concerns. */
  #rebase(basis: Basis): void {
    const last = this.#basis;
    this.#basis = basis;
    if (last === undefined || !isSameBasis(last, basis)) {
      this.#states = new WeakMap();
      this.#schemaOf = schemaSource(basis.types);
      this.#names = new Groups();
      for (const iri of this.#index.iris()) {
        this.#changed.add(iri);
        for (const tool of this.#index.tools(iri)) this.#names.add(this.#nameOf(tool), tool);
      }
      for (const { iri } of this.#served.byName().values()) this.#changed.add(iri);
    }
    if (last?.problems === basis.problems) return;
    for (const { subject, document } of [...(last?.problems ?? []), ...basis.problems]) {
      if (subject !== undefined) this.#changed.add(subject);
      if (document !== undefined) for (const { iri } of this.#served.ofDocument(document)) this.#changed.add(iri);
    }
  }

  /** The changed IRIs, and all that have a name in common with them, by any number of steps. */
  #cluster(): ReadonlySet<string> {
    const iris = new Set(this.#changed);
    const names = new Set<string>();
    const take = (name: string): void => {
      if (names.has(name)) return;
      names.add(name);
      for (const tool of this.#names.get(name)) iris.add(tool.iri);
      const holder = this.#served.byName().get(name)?.iri;
      if (holder !== undefined) iris.add(holder);
    };
    for (const name of this.#freed) take(name);
    // A Set gives what is added to it while it is walked.
    for (const iri of iris) {
      const served = this.#served.ofIri(iri);
      if (served !== undefined) take(served.name);
      for (const tool of this.#index.tools(iri)) take(this.#nameOf(tool));
    }
    return iris;
  }

  #surroundings({ verdicts, host, options, problems }: Basis): Surroundings {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const isTold = (iri: string) => this.#index.hasError(iri) || errors.some(({ subject }) => subject === iri);
    const isUnclear = (document: string) =>
      [...errors, ...(this.#index.get(document)?.diagnostics ?? [])].some(
        (found) => found.severity === 'error' && found.document === document && found.subject === undefined,
      );
    return {
      schemaOf: this.#schemaOf,
      ...{ verdicts, host, options },
      states: this.#states,
      isFaulty: isTold,
      isAtFault: (iri) => isTold(iri) || this.#index.isBroken(iri),
      isUnreadable: (document) => {
        const { broken = [], tools = [] } = this.#index.get(document) ?? {};
        return broken.length === 0 ? tools.length === 0 && isUnclear(document) : broken === 'all';
      },
    };
  }

  #replaceEntries(before: readonly Entry[], now: readonly Entry[]): void {
    for (const { declaration } of before) this.#digester.declarations.delete(declarationDigest(declaration));
    for (const { declaration } of now) this.#digester.declarations.add(declarationDigest(declaration));
    this.#served.replace(before, now);
  }

  #replaceOmissions(iris: ReadonlySet<string>, now: readonly Omission[]): void {
    const gone = new Set([...iris].flatMap((iri) => this.#omissions.get(iri) ?? []));
    if (gone.size === 0 && now.length === 0) return;
    for (const omission of gone) this.#digester.omissions.delete(objectDigest(omission));
    for (const omission of now) this.#digester.omissions.add(objectDigest(omission));
    replace(this.#omissions, iris, now, ({ iri }) => iri);
    this.#sortedOmissions = mergeSorted(this.#sortedOmissions, gone, now, compareOmissions);
  }

  /** Names are known with the options; before the first projection none is needed. */
  #nameOf({ tool }: ToolNode): string {
    return this.#basis === undefined ? '' : toolName(tool.id, this.#basis.options.prefix);
  }
}

/** The entries that are served now. */
class ServedEntries {
  readonly #byIri = new Map<string, Entry>();
  readonly #byDocument = new Groups<Entry>();
  #byName = EntryMap.empty;

  replace(before: readonly Entry[], now: readonly Entry[]): void {
    const gone = new Set(before);
    const added = now.filter((entry) => !gone.delete(entry));
    if (gone.size === 0 && added.length === 0) return;
    for (const entry of gone) {
      this.#byIri.delete(entry.iri);
      this.#byDocument.delete(entry.document, entry);
    }
    for (const entry of added) {
      this.#byIri.set(entry.iri, entry);
      this.#byDocument.add(entry.document, entry);
    }
    this.#byName = this.#byName.with(gone, added);
  }

  byName(): EntryMap {
    return this.#byName;
  }

  ofIri(iri: string): Entry | undefined {
    return this.#byIri.get(iri);
  }

  ofDocument(path: string): Iterable<Entry> {
    return this.#byDocument.get(path);
  }
}

/** Puts `now`, grouped by their keys, in place of all that the keys had. */
function replace<T>(
  groups: Map<string, readonly T[]>,
  keys: ReadonlySet<string>,
  now: readonly T[],
  keyOf: (item: T) => string,
): void {
  for (const key of keys) groups.delete(key);
  for (const item of now) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
}

function isSameBasis(last: Basis, next: Basis): boolean {
  return (
    last.types === next.types &&
    last.verdicts === next.verdicts &&
    JSON.stringify(last.options) === JSON.stringify(next.options) &&
    haveSameAnswers(last.host, next.host)
  );
}
