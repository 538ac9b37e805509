import { builtinTypeNodes, provedPatterns } from '../schemas/types.js';
import type { Diagnostic } from './diagnostic.js';
import { locateFindings } from './ingest/locate.js';
import type { InstanceConfig } from './instance/config.js';
import { type Environment, observeHost } from './instance/host.js';
import { PythonModules } from './instance/python-modules.js';
import { analysePatterns } from './patterns/analyse.js';
import type { PatternVerdict } from './patterns/verdict.js';
import { projectionKey } from './projection/digest.js';
import type { Generation, Projection } from './projection/generation.js';
import { type HostFacts, haveSameAnswers, withAnswers } from './projection/host.js';
import { LiveProjection } from './projection/live-projection.js';
import type { DocumentChanges, DocumentNodes, ToolNode, TypeRegistry } from './projection/node.js';
import { patternsOf } from './projection/patterns.js';
import { hostQuestions } from './projection/requirements.js';
import { typeRegistry } from './projection/type-registry.js';
import type { GraphStore } from './store/graph-store.js';
import type { RecordStore } from './store/record-store.js';

/** What is other than it was when the last generation was made. */
export interface ProjectorInput {
  readonly changes: DocumentChanges;
  readonly config: InstanceConfig;
  /** Found beside the documents. */
  readonly problems: readonly Diagnostic[];
  /** Where verdicts of patterns are kept. */
  readonly store: GraphStore;
}

const provedSafe: PatternVerdict = { time: 'safe', argv: { kind: 'safe' } };

/** In every instance; they have no document of their own. */
const builtinTypes = builtinTypeNodes.map((type) => ({ ...type, document: 'toolgraph:types' }));

/**
 * Brings the pure projection what it asks for (types, host facts, verdicts of patterns), and numbers what comes out. It asks
 * only for the Tools that changed; whether the host still answers as it did is the question of `hostChanged`.
 */
export class Projector {
  readonly #root: string;
  readonly #env: Environment;
  readonly #records: RecordStore;
  readonly #python = new PythonModules();
  readonly #closing = new AbortController();
  /** A test proves the patterns of the built-in types, so a start need not. */
  readonly #verdicts = new Map<string, PatternVerdict>(provedPatterns.map((pattern) => [pattern, provedSafe]));
  /** Under which the last generation is numbered; '' before there is one. */
  key = '';
  readonly #located = new WeakMap<Diagnostic, Diagnostic>();
  #projection = new LiveProjection();
  #documents = new Map<string, DocumentNodes>();
  #types: ReturnType<typeof typeRegistry> | undefined;
  #host: HostFacts | undefined;
  #config: InstanceConfig | undefined;
  /** Tools for which nothing was asked yet. */
  #unasked = new Set<ToolNode>();

  constructor(root: string, env: Environment, records: RecordStore) {
    this.#root = root;
    this.#env = env;
    this.#records = records;
  }

  /** Forgets all documents; `previous` is what this process goes on to serve until they are known again. */
  restart(previous: Projection | undefined): void {
    this.#projection = new LiveProjection(previous);
    this.#documents = new Map();
    this.#types = undefined;
    this.#unasked = new Set();
  }

  async next({ changes, config, problems, store }: ProjectorInput): Promise<Generation> {
    for (const [path, nodes] of changes) this.#change(path, nodes);
    if (this.#types === undefined || this.#config !== config) for (const tool of this.#tools()) this.#unasked.add(tool);
    this.#types ??= typeRegistry([
      ...builtinTypes,
      ...Array.from(this.#documents.values(), ({ types }) => types).flat(),
    ]);
    const types = this.#types;
    const host = await this.#ask(config);
    await this.#judgePatterns(types.types, store);
    this.#config = config;
    this.#unasked = new Set();
    const { prefix, tiers, arms } = config;
    const options = { ...(prefix === undefined ? {} : { prefix }), tiers, arms };
    const found = [...problems, ...types.problems];
    const basis = { types: types.types, host, options, verdicts: this.#verdicts, problems: found };
    const projection = this.#projection.next(basis);
    const set = config.env.filter((name) => Object.hasOwn(this.#env, name)).sort();
    const stated = { ...config.host, runtime: [...config.host.runtime].sort(), env: set };
    this.key = projectionKey(options, { os: host.os, path: this.#env.PATH, stated });
    const number = this.#records.nextGeneration(this.key, projection.digest, new Date());
    return { ...projection, problems: this.#locate(projection.problems), number };
  }

  /** Ends what takes long: a generation that is being made is not worth waiting for. */
  close(): void {
    this.#closing.abort();
  }

  /** Whether the host answers differently from when the last generation was made. */
  async hostChanged(config: InstanceConfig): Promise<boolean> {
    if (this.#host === undefined) return false;
    const last = this.#host;
    this.#host = await this.#observe([...this.#tools()], config);
    return !haveSameAnswers(last, this.#host);
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

  async #ask(config: InstanceConfig): Promise<HostFacts> {
    const facts = await this.#observe([...this.#unasked], config);
    this.#host = this.#host === undefined || this.#config !== config ? facts : withAnswers(this.#host, facts);
    return this.#host;
  }

  #observe(tools: readonly ToolNode[], config: InstanceConfig): Promise<HostFacts> {
    return observeHost(hostQuestions(tools), config, this.#root, this.#env, this.#python);
  }

  async #judgePatterns(types: TypeRegistry, store: GraphStore): Promise<void> {
    const unknown = [...patternsOf([...this.#unasked], types)].filter((pattern) => !this.#verdicts.has(pattern));
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

  /** Lines exist in the files only; each finding is looked up once. */
  #locate(problems: readonly Diagnostic[]): readonly Diagnostic[] {
    const unknown = problems.filter((found) => !this.#located.has(found));
    for (const [i, located] of locateFindings(unknown, this.#root).entries()) {
      const found = unknown[i];
      if (found !== undefined) this.#located.set(found, located);
    }
    return problems.map((found) => this.#located.get(found) ?? found);
  }
}
