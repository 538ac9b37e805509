import { resolve } from 'node:path';
import type { Config } from '../schemas/config.js';
import { getStateToolName } from '../schemas/view.js';
import type { CheckedInstance } from './check/rule.js';
import type { Degradation } from './degradation.js';
import type { CallCode } from './diagnostic.js';
import { type Absence, type GenerationChange, GenerationHolder } from './generation-holder.js';
import type { GraphSnapshot } from './graph-snapshot.js';
import type { InstanceConfig } from './instance/config.js';
import { InstanceCalls } from './instance-calls.js';
import { InstanceTree } from './instance-tree.js';
import type { CallMeta } from './invocation/call-record.js';
import type { KeptOutputs } from './invocation/kept-outputs.js';
import { ModulePool } from './invocation/module/pool.js';
import type { Progress } from './invocation/progress.js';
import type { AnsweredCall } from './invocation/recorded-call.js';
import { findSchemaFaults } from './invocation/schema-fault.js';
import type { MemberInstance } from './member-instance.js';
import type { Generation } from './projection/generation.js';
import type { SkillNode, ToolNode } from './projection/node.js';
import { type EndedCall, Listeners, type ServiceLoad } from './service-activity.js';
import { ServiceExports } from './service-exports.js';
import { ServiceQueries } from './service-queries.js';
import type { ExportFormat } from './store/export-format.js';
import type { GraphQuery, QueryOptions, QueryResult } from './store/query/graph-query.js';
import { closed } from './store/query/query-turns.js';
import { untilAborted } from './store/query/until-aborted.js';
import type { RecordedCalls, RecordQuery } from './store/record-reader.js';
import { packageVersion } from './version.js';

export type { Absence, GenerationChange } from './generation-holder.js';
export type { AnsweredCall } from './invocation/recorded-call.js';
export type { EndedCall } from './service-activity.js';

/** Is told how many of the documents of a first reading are done. */
export type OnProgress = (done: number, total: number) => void;

export interface ServiceOptions {
  /** The instance: an existing folder. */
  readonly root: string;
  /** @default process.env as it is when the service is made */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the command line says, before what the config says. */
  readonly overrides?: {
    readonly tiers?: Config['tiers'];
    readonly keepGoing?: boolean;
    readonly getStateTool?: boolean;
  };
  /** False: read the instance once and follow nothing. @default true */
  readonly watch?: boolean;
  readonly onIngestProgress?: OnProgress;
  /** Is told, in words, of what went wrong beside the nodes: a store that was rebuilt, a folder that cannot be watched. */
  readonly onNotice?: (notice: string) => void;
}

export interface ServiceStatus {
  readonly instance: string;
  readonly version: string;
  readonly state: 'starting' | 'ready' | 'degraded';
  readonly generation?: { readonly number: number; readonly digest: string };
  readonly tools: number;
  readonly views: number;
  readonly omissions: number;
  readonly problems: number;
  readonly documents: number;
}

/** One of the instances that are served together: `label` is its path from the root instance, '' for that itself. */
export interface ServedInstancePlace {
  readonly label: string;
  readonly root: string;
  readonly config: InstanceConfig;
}

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly all: boolean;
}

/** What a call brings beside its name and arguments. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Is told how far the call is, as often as the tool says it. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** `params._meta` of the request. */
  readonly meta?: CallMeta;
}

/** Why a name is not served, before there is anything to call. */
export interface RefusedName {
  readonly code: Extract<CallCode, 'unknown_tool' | 'tool_removed' | 'tool_unavailable'>;
  readonly message: string;
  /** IRI of the Tool that the name stands for, where that may be known. */
  readonly iri?: string | undefined;
}

/** One instance, and those that its config includes, followed while they change. The only owner of the current generation. */
export interface Service extends GraphQuery {
  /** The first generation. Rejects when the instance cannot be read at all. */
  readonly ready: Promise<Generation>;
  readonly current: Generation | undefined;
  readonly skills: readonly SkillNode[];
  /** Every Tool of the graph, projected or not: `toolgraph why` tells of the omitted ones from here. */
  readonly nodes: readonly ToolNode[];
  /** The instance and those that it includes, each with what its config says. */
  readonly instances: readonly ServedInstancePlace[];
  /** Whether problems at start are to be tolerated: the override, or the config's `keepGoing` (DESIGN decision 3). */
  readonly keepGoing: boolean;
  /** Tells of every generation that becomes current after the call. Returns the function that ends it. */
  subscribe(listener: (change: GenerationChange) => void): () => void;
  /** Tells of each call when it has ended and is recorded. Returns the function that ends it. */
  subscribeCalls(listener: (call: EndedCall) => void): () => void;
  /** Tells how long each generation of changes took to be made, in ms; of included instances, too. Returns the function that ends it. */
  subscribeProjections(listener: (ms: number) => void): () => void;
  /** Why a name that is not in the current generation is not: it was removed, or is omitted now (tool-node.md §4). */
  absence(name: string): Absence | undefined;
  /** Outputs that were more than their calls gave back, as long as they are kept (docs/calls.md). */
  readonly outputs: Pick<KeptOutputs, 'list' | 'read'>;
  /** Runs one call of the entry that has this name in `generation`, and records it before it resolves (docs/records.md). */
  call(generation: Generation, name: string, args: unknown, options?: CallOptions): Promise<AnsweredCall>;
  /** Records a call of a name that `generation` does not serve, and gives what is to be answered. */
  refuse(
    generation: Generation,
    name: string,
    args: unknown,
    refusal: RefusedName,
    options?: CallOptions,
  ): Promise<AnsweredCall>;
  /** The records of calls, newest first, of every process on this instance; undefined when there are none yet. Throws a StoreError. */
  recordedCalls(query: RecordQuery): Promise<Pick<RecordedCalls, 'records' | 'dropped'> | undefined>;
  /** Looks at the host again: a command may have been installed, a variable set (tool-node.md P12). */
  lookAtHost(): Promise<void>;
  /**
   * Loads the modules of the inProcess arms, and gives the generation in which those that do not load are omitted. A service that follows its
   * instance does so by itself, a moment after each generation.
   */
  loadModules(): Promise<Generation>;
  /** Looks at everything again, whatever was noticed: the configs, every document, the host. */
  lookAgain(): Promise<void>;
  /** As GraphQuery says; waits for the first generation. Rejects as `ready` does, too. */
  query(sparql: string, options?: QueryOptions): Promise<QueryResult>;
  status(): ServiceStatus;
  /** Why it is degraded; empty while it is not. */
  readonly degradations: readonly Degradation[];
  /** What goes on and waits at this moment. */
  readonly load: ServiceLoad;
  /** All that `check` judges, as it is now. Rejects as `ready` does. */
  examine(): Promise<CheckedInstance>;
  /**
   * What the documents of all instances state now, as text in pieces; `close` ends it, so it is to be read before. Each graph is read when
   * it is come to. `all` adds the graphs that the service derives from documents of another vocabulary.
   */
  export(options: ExportOptions): Iterable<string> | AsyncIterable<string>;
  /**
   * The dataset of the current generation, which can be written while the instance changes. Waits for the first generation, and while
   * documents are stored of which there is none yet. Rejects with a QueryError, and as `ready` does.
   */
  snapshot(signal?: AbortSignal): Promise<GraphSnapshot>;
  /** Ends every call with its processes and records it, then everything else. */
  close(): Promise<void>;
}

/** Opens an instance and begins to read it; `ready` tells when it is read. */
export function createService(options: ServiceOptions): Service {
  // A copy: each look at a variable of process.env asks the system, and each call looks at all of them.
  return new InstanceService({ ...options, env: options.env ?? { ...process.env }, root: resolve(options.root) });
}

class InstanceService implements Service {
  readonly ready: Promise<Generation>;
  readonly #options: ServiceOptions;
  readonly #holder = new GenerationHolder();
  readonly #endedCalls = new Listeners<EndedCall>();
  readonly #projections = new Listeners<number>();
  #tree: InstanceTree | undefined;
  #calls: InstanceCalls | undefined;
  #queries: ServiceQueries | undefined;
  #exports: ServiceExports | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const modules = new ModulePool({ onLine: (line) => options.onNotice?.(`module ${line}`) });
    const shared = { ...options, modules, onProjected: (ms: number) => this.#projections.tell(ms) };
    this.ready = new Promise((resolveReady, reject) => {
      const end = this.#holder.subscribe(({ generation }) => {
        end();
        resolveReady(generation);
      });
      this.#tree = new InstanceTree(shared, this.#holder, reject);
      this.#calls = new InstanceCalls(this.#tree, shared, {
        graph: this,
        onRecorded: (call) => this.#endedCalls.tell(call),
      });
      this.#queries = new ServiceQueries(this.#tree, this.#holder, options.watch !== false);
      this.#exports = new ServiceExports(this.#tree, this.#holder, options.watch !== false);
    });
    this.#holder.subscribe(({ generation, previous }) => {
      const words = missingViews(generation);
      if (words !== undefined && words !== (previous && missingViews(previous))) options.onNotice?.(words);
    });
    // Whoever waits for `ready` learns of a failure; nobody has to.
    this.ready.then(() => options.watch !== false && this.#calls?.settleEarlier()).catch(() => {});
  }

  get current(): Generation | undefined {
    return this.#holder.current;
  }

  get skills(): readonly SkillNode[] {
    return this.#members.flatMap(({ skills }) => skills);
  }

  get nodes(): readonly ToolNode[] {
    return this.#members.flatMap(({ tools }) => tools);
  }

  get instances(): readonly ServedInstancePlace[] {
    return this.#members.map(({ place, config }) => ({ ...place, config }));
  }

  get keepGoing(): boolean {
    return this.#options.overrides?.keepGoing ?? this.#tree?.root.config.keepGoing ?? false;
  }

  subscribe(listener: (change: GenerationChange) => void): () => void {
    return this.#holder.subscribe(listener);
  }

  subscribeCalls(listener: (call: EndedCall) => void): () => void {
    return this.#endedCalls.add(listener);
  }

  subscribeProjections(listener: (ms: number) => void): () => void {
    return this.#projections.add(listener);
  }

  absence(name: string): Absence | undefined {
    return this.#holder.absence(name);
  }

  get outputs(): Pick<KeptOutputs, 'list' | 'read'> {
    return this.#calls?.outputs ?? noOutputs;
  }

  async call(generation: Generation, name: string, args: unknown, options: CallOptions = {}): Promise<AnsweredCall> {
    const entry = generation.entries.get(name);
    if (entry !== undefined && this.#calls !== undefined) return this.#calls.run(generation, entry, args, options);
    return this.refuse(generation, name, args, { code: 'unknown_tool', message: `Unknown tool: ${name}` }, options);
  }

  async refuse(
    generation: Generation,
    name: string,
    args: unknown,
    refusal: RefusedName,
    options: CallOptions = {},
  ): Promise<AnsweredCall> {
    const { code, message } = refusal;
    return (
      (await this.#calls?.refuse(generation, name, args, refusal, options)) ?? {
        outcome: { kind: 'refused', code, message, details: {} },
      }
    );
  }

  async recordedCalls(query: RecordQuery): Promise<Pick<RecordedCalls, 'records' | 'dropped'> | undefined> {
    const { recordedCalls } = await import('./recorded-calls.js');
    return recordedCalls(this.#options.root, this.#options.env ?? process.env, query);
  }

  async lookAtHost(): Promise<void> {
    await this.#tree?.lookAtHost();
  }

  async loadModules(): Promise<Generation> {
    const generation = await this.ready;
    await this.#tree?.loadModules();
    return this.current ?? generation;
  }

  async lookAgain(): Promise<void> {
    await this.#tree?.lookAgain();
  }

  async query(sparql: string, options?: QueryOptions): Promise<QueryResult> {
    await untilAborted(this.ready, options?.signal);
    if (this.#queries === undefined) throw closed();
    return this.#queries.query(sparql, options);
  }

  status(): ServiceStatus {
    const generation = this.current;
    const ready = this.degradations.length > 0 ? 'degraded' : 'ready';
    return {
      instance: this.#tree?.root.config.name ?? '',
      version: packageVersion(),
      state: generation === undefined ? 'starting' : ready,
      ...(generation === undefined ? {} : { generation: { number: generation.number, digest: generation.digest } }),
      tools: generation?.entries.size ?? 0,
      views: generation?.views.size ?? 0,
      omissions: generation?.omissions.length ?? 0,
      problems: generation?.problems.length ?? 0,
      documents: this.#members.reduce((sum, { documents }) => sum + documents, 0),
    };
  }

  get degradations(): readonly Degradation[] {
    return this.#tree?.degradations ?? [];
  }

  get load(): ServiceLoad {
    return {
      calls: this.#calls?.load ?? { running: 0, waiting: 0 },
      queries: this.#queries?.load ?? { running: 0, waiting: 0, isThreadRunning: false },
    };
  }

  async examine(): Promise<CheckedInstance> {
    await this.ready;
    const members = new Map(
      await Promise.all(this.#members.map(async (member) => [member.place.label, await member.examine()] as const)),
    );
    const generation = this.current ?? (await this.ready);
    const schemaFaults = await findSchemaFaults(generation.entries.values());
    return { generation, nodes: this.nodes, skills: this.skills, members, schemaFaults };
  }

  export(options: ExportOptions): Iterable<string> | AsyncIterable<string> {
    return this.#exports?.export(options) ?? [];
  }

  async snapshot(signal?: AbortSignal): Promise<GraphSnapshot> {
    await untilAborted(this.ready, signal);
    if (this.#exports === undefined) throw closed();
    return this.#exports.snapshot(signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.#calls?.close(), this.#queries?.close(), this.#exports?.close()]);
    await this.#tree?.close();
  }

  get #members(): readonly MemberInstance[] {
    return this.#tree?.members ?? [];
  }
}

/** Words for a tool that is asked for and not offered; undefined where there is no need of them. */
function missingViews({ getStateTool, views }: Generation): string | undefined {
  if (getStateTool !== true || views.size > 0) return undefined;
  return `no view is served, so ${getStateToolName} is not offered; write a View node (docs/views.md), or serve the tier of one`;
}

const noOutputs: Service['outputs'] = { list: () => [], read: async () => undefined };
