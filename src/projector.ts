import { builtinTypeNodes, provedPatterns } from '../schemas/types.js';
import type { Diagnostic } from './diagnostic.js';
import { GenerationNumberer } from './generation-numberer.js';
import { locateFindings } from './ingest/locate.js';
import type { InstanceConfig } from './instance/config.js';
import { type Environment, newHostMemory, observeHost } from './instance/host.js';
import { analysePatterns } from './patterns/analyse.js';
import type { PatternVerdict, PatternVerdicts } from './patterns/verdict.js';
import { projectionKey } from './projection/digest.js';
import type { Generation, Projection, ProjectionOptions } from './projection/generation.js';
import { type HostFacts, type HostQuestions, haveSameAnswers, questionsOf, withAnswers } from './projection/host.js';
import { LiveProjection } from './projection/live-projection.js';
import type { DocumentChanges, DocumentNodes, ToolNode, TypeRegistry, ViewNode } from './projection/node.js';
import { patternsOf, patternsOfTypes } from './projection/patterns.js';
import { hostQuestions } from './projection/requirements.js';
import { readProjection, saveProjection } from './projection/saved-projection.js';
import { typeRegistry } from './projection/type-registry.js';
import { type QueryVerdict, queryKey } from './projection/view-state.js';
import type { GraphStore } from './store/graph-store.js';
import type { InstanceHistory } from './store/provenance/history.js';
import type { RecordStore } from './store/record-store.js';
import { visible } from './visible.js';

/** What is other than it was when the last generation was made. */
export interface ProjectorInput {
  readonly changes: DocumentChanges;
  readonly config: InstanceConfig;
  /** Found beside the documents. */
  readonly problems: readonly Diagnostic[];
  /** Where verdicts of patterns are kept. */
  readonly store: GraphStore;
  /** What the documents are, when the generation is numbered. */
  readonly history: () => InstanceHistory;
}

const provedSafe: PatternVerdict = { time: 'linear', argv: { kind: 'safe' } };

/** In every instance; they have no document of their own. */
const builtinTypes = builtinTypeNodes.map((type) => ({ ...type, document: 'toolgraph:types' }));

/**
 * Brings the pure projection what it asks for (types, host facts, verdicts of patterns), and numbers what comes out. It asks
 * only for the Tools that changed; whether the host still answers as it did is the question of `hostChanged`.
 */
export class Projector {
  readonly #root: string;
  readonly #env: Environment;
  readonly #hostMemory = newHostMemory();
  readonly #closing = new AbortController();
  /** A test proves the patterns of the built-in types, so a start need not. */
  readonly #verdicts = new Map<string, PatternVerdict>(provedPatterns.map((pattern) => [pattern, provedSafe]));
  /** Of the queries of the views that there are. */
  #queries: ReadonlyMap<string, QueryVerdict> = new Map();
  /** Under which the last generation is numbered; '' before there is one. */
  key = '';
  readonly #located = new WeakMap<Diagnostic, Diagnostic>();
  #projection = new LiveProjection();
  #documents = new Map<string, DocumentNodes>();
  #types: ReturnType<typeof typeRegistry> | undefined;
  #host: HostFacts | undefined;
  #config: InstanceConfig | undefined;
  /** The last result, as long as it is that of all changes. */
  #latest: Projection | undefined;
  /** The result of an earlier run that holds, while nothing of what it was made of has been looked at. */
  #resumed: Projection | undefined;
  readonly #numberer: GenerationNumberer;
  /** Tools for which nothing was asked yet. */
  #unasked = new Set<ToolNode>();

  constructor(root: string, env: Environment, records: RecordStore) {
    this.#root = root;
    this.#env = env;
    this.#numberer = new GenerationNumberer(records);
  }

  /** Forgets all documents; `previous` is what this process goes on to serve until they are known again. */
  restart(previous: Projection | undefined): void {
    this.#projection = new LiveProjection(previous);
    this.#documents = new Map();
    this.#types = undefined;
    this.#unasked = new Set();
    this.#latest = undefined;
    this.#resumed = undefined;
  }

  /**
   * The generation of an earlier run, if it is what the documents, the host and the config would give now. `documents` is the
   * digest of the documents that are held. Costs no look at any of them (DESIGN decision 17).
   */
  async resume(
    config: InstanceConfig,
    store: GraphStore,
    documents: string,
    history: InstanceHistory,
  ): Promise<Generation | undefined> {
    const { os } = await this.#observe(hostQuestions([]), config);
    const key = this.#keyOf(config, os);
    const saved = store.snapshot(key);
    if (saved === undefined) return undefined;
    const { projection, basis } = readProjection(saved);
    if (basis.documents !== documents) return undefined;
    const host = await this.#observe(questionsOf(basis.host), config);
    if (!haveSameAnswers(basis.host, host)) return undefined;
    this.#host = host;
    this.#resumed = projection;
    return this.#numbered(key, projection, config, history);
  }

  /** Keeps the last result for the next start, where it is one that another process may take over. `documents` as for `resume`. */
  save(store: GraphStore, documents: () => string): void {
    const isCertain = [...this.#verdicts.values()].every(({ provisional }) => provisional !== true);
    if (this.#latest === undefined || this.#host === undefined || !isCertain) return;
    const snapshot = saveProjection(this.#latest, { documents: documents(), host: this.#host });
    if (snapshot !== undefined && snapshot.head !== store.snapshot(this.key)?.head)
      store.putSnapshot(this.key, snapshot);
  }

  async next({ changes, config, problems, store, history }: ProjectorInput): Promise<Generation> {
    this.#latest = undefined;
    if (this.#resumed !== undefined) this.#restartFrom(this.#resumed);
    for (const [path, nodes] of changes) this.#change(path, nodes);
    if (this.#types === undefined || this.#config !== config) for (const tool of this.#tools()) this.#unasked.add(tool);
    this.#types ??= typeRegistry([
      ...builtinTypes,
      ...Array.from(this.#documents.values(), ({ types }) => types).flat(),
    ]);
    const types = this.#types;
    const host = await this.#ask(config);
    await this.#judgePatterns(types.types, store);
    await this.#judgeQueries();
    this.#config = config;
    this.#unasked = new Set();
    const found = [...problems, ...types.problems];
    const basis = {
      ...{ types: types.types, host, options: optionsOf(config), problems: found },
      ...{ verdicts: this.#verdicts, queries: this.#queries },
    };
    this.#latest = this.#projection.next(basis);
    return this.#numbered(this.#keyOf(config, host.os), this.#latest, config, history());
  }

  /** What turns out to be damaged when it is decoded has never been served. */
  #restartFrom(resumed: Projection): void {
    try {
      this.restart(resumed);
    } catch {
      this.restart(undefined);
    }
  }

  /** What the last generation was made of, beside the nodes; undefined while it is that of an earlier run. */
  get judgedBy(): { readonly types: TypeRegistry; readonly verdicts: PatternVerdicts } | undefined {
    if (this.#resumed !== undefined || this.#types === undefined) return undefined;
    return { types: this.#types.types, verdicts: this.#verdicts };
  }

  /** Ends what takes long: a generation that is being made is not worth waiting for. */
  close(): void {
    this.#closing.abort();
  }

  /** Whether the host answers differently from when the last generation was made. */
  async hostChanged(config: InstanceConfig): Promise<boolean> {
    if (this.#host === undefined) return false;
    const last = this.#host;
    const questions = this.#resumed === undefined ? hostQuestions([...this.#tools()]) : questionsOf(last);
    this.#host = await this.#observe(questions, config);
    return !haveSameAnswers(last, this.#host);
  }

  /** As `HostFacts.failedModules`, from the next look at the host on. */
  failedModules: ReadonlyMap<string, string> = new Map();

  /** The last answers of the host; undefined before there are any. */
  get host(): HostFacts | undefined {
    return this.#host;
  }

  /** The next look asks for Python modules and container engines too, however soon it is. */
  forgetHost(): void {
    this.#hostMemory.python.forget();
    this.#hostMemory.engines.forget();
  }

  #change(path: string, nodes: DocumentNodes | undefined): void {
    const before = this.#documents.get(path);
    if (nodes === undefined) this.#documents.delete(path);
    else this.#documents.set(path, nodes);
    if ((before?.types.length ?? 0) + (nodes?.types.length ?? 0) > 0) this.#types = undefined;
    for (const tool of before?.tools ?? []) this.#unasked.delete(tool);
    for (const tool of nodes?.tools ?? []) this.#unasked.add(tool);
    this.#projection.change(path, nodes);
  }

  *#tools(): Iterable<ToolNode> {
    for (const { tools } of this.#documents.values()) yield* tools;
  }

  *#views(): Iterable<ViewNode> {
    for (const { views } of this.#documents.values()) yield* views;
  }

  async #ask(config: InstanceConfig): Promise<HostFacts> {
    const questions = hostQuestions([...this.#unasked]);
    if (this.#host === undefined || this.#config !== config) {
      this.#host = await this.#observe(questions, config);
    } else {
      // To look for a network costs more than all other questions of a node; `hostChanged` does.
      const host = { ...config.host, network: this.#host.network };
      this.#host = withAnswers(this.#host, await this.#observe(questions, { ...config, host }));
    }
    return this.#host;
  }

  async #observe(questions: HostQuestions, config: InstanceConfig): Promise<HostFacts> {
    const facts = await observeHost(questions, config, this.#root, this.#env, this.#hostMemory);
    return { ...facts, failedModules: this.failedModules };
  }

  #keyOf(config: InstanceConfig, os: string): string {
    const set = config.env.filter((name) => Object.hasOwn(this.#env, name)).sort();
    const { host, engine } = config;
    const stated = {
      ...host,
      runtime: [...host.runtime].sort(),
      env: set,
      ...(engine === undefined ? {} : { engine }),
    };
    return projectionKey(optionsOf(config), { os, path: this.#env.PATH, stated });
  }

  /** The number that a generation has now: another process may have numbered another one after it. */
  renumber(generation: Generation, config: InstanceConfig, history: InstanceHistory): Promise<Generation> {
    return this.#numbered(this.key, generation, config, history);
  }

  async #numbered(
    key: string,
    projection: Projection,
    config: InstanceConfig,
    history: InstanceHistory,
  ): Promise<Generation> {
    this.key = key;
    await this.#numberer.prepare(history);
    const onlyInstances = config.include.length === 0 ? [history.instance] : undefined;
    const documents = { instances: [history], ...(onlyInstances === undefined ? {} : { onlyInstances }) };
    const number = this.#numberer.number(key, projection, documents);
    return { ...projection, problems: this.#locate(projection.problems), number, key };
  }

  async #judgePatterns(types: TypeRegistry, store: GraphStore): Promise<void> {
    const ofViews = [...this.#views()].flatMap(({ view }) => view.parameters.map(({ schema }) => schema));
    const patterns = new Set([...patternsOf([...this.#unasked], types), ...patternsOfTypes(ofViews, types)]);
    const unknown = [...patterns].filter((pattern) => !this.#verdicts.has(pattern));
    if (unknown.length === 0) return;
    for (const [pattern, verdict] of store.verdicts(unknown)) this.#verdicts.set(pattern, verdict);
    const undecided = unknown.filter((pattern) => !this.#verdicts.has(pattern));
    await analysePatterns(undecided, {
      signal: this.#closing.signal,
      onVerdict: (pattern, verdict) => {
        this.#verdicts.set(pattern, verdict);
        if (verdict.provisional !== true) store.putVerdicts(new Map([[pattern, verdict]]));
      },
    });
  }

  /** The parser is loaded when there is a view to judge (DESIGN decision 17). */
  async #judgeQueries(): Promise<void> {
    const views = new Map(Array.from(this.#views(), (node) => [queryKey(node), node]));
    if ([...views.keys()].every((key) => this.#queries.has(key)) && views.size === this.#queries.size) return;
    const { judgeQuery } = await import('./store/view-query.js');
    this.#queries = new Map(
      Array.from(views, ([key, { view }]) => {
        const names = view.parameters.map(({ name }) => name);
        return [key, this.#queries.get(key) ?? judgeQuery(view.query, names)];
      }),
    );
  }

  /** Lines exist in the files only; each finding is looked up once. */
  #locate(problems: readonly Diagnostic[]): readonly Diagnostic[] {
    const unknown = problems.filter((found) => !this.#located.has(found));
    for (const [i, located] of locateFindings(unknown, this.#root).entries()) {
      const found = unknown[i];
      // A message quotes what a document says, and agents read it.
      if (found !== undefined) this.#located.set(found, { ...located, message: visible(located.message) });
    }
    return problems.map((found) => this.#located.get(found) ?? found);
  }
}

function optionsOf({ prefix, tiers, arms, getStateTool }: InstanceConfig): ProjectionOptions {
  const offered = getStateTool ? { getStateTool } : {};
  return { ...(prefix === undefined ? {} : { prefix }), tiers, arms, ...offered };
}
