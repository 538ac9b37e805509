import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isBasicVariable } from '../schemas/config.js';
import { definitionKey } from '../schemas/declaration.js';
import { StoredCalls } from './call-recorder.js';
import type { SharedParts } from './instance-follower.js';
import type { InstanceTree } from './instance-tree.js';
import { callEntry } from './invocation/call.js';
import { type CallCounts, CallQueue } from './invocation/call-queue.js';
import {
  type CallRecord,
  callerOf,
  cutText,
  outcomeKindOf,
  type RecordedTool,
  recordedInputs,
  skillOf,
  UnwritableRecord,
} from './invocation/call-record.js';
import { KeptOutputs, sweepKeptOutputs } from './invocation/kept-outputs.js';
import type { LeftBehind } from './invocation/left-behind.js';
import type { AnswerQuery } from './invocation/module/messages.js';
import type { CallObserver, CallOutcome } from './invocation/outcome.js';
import { type AnsweredCall, recordedCall } from './invocation/recorded-call.js';
import { killAll } from './invocation/running.js';
import { SecretMask } from './invocation/secret-mask.js';
import { LeftContainers } from './left-containers.js';
import { moduleQueries } from './module-queries.js';
import { objectDigest } from './projection/digest.js';
import type { Entry, Generation } from './projection/generation.js';
import type { CallOptions, EndedCall, RefusedName, ServiceOptions } from './service.js';
import { skillIri, toolIdIn } from './store/node-iri.js';
import type { GraphQuery } from './store/query/graph-query.js';

/** Makes the calls of one service, each with its record in the records of the root instance. */
export class InstanceCalls {
  readonly #tree: InstanceTree;
  readonly #options: ServiceOptions & SharedParts;
  readonly #recorder: StoredCalls;
  readonly #queue: CallQueue;
  readonly #outputs: KeptOutputs;
  readonly #leftContainers: LeftContainers;
  readonly #inFlight = new Set<Promise<unknown>>();
  readonly #onRecorded: (call: EndedCall) => void;
  readonly #onQuery: AnswerQuery;
  #sweep: Promise<unknown> | undefined;

  /** `onRecorded` is told when the end of a call is recorded; `graph` is what functions may ask. */
  constructor(
    tree: InstanceTree,
    options: ServiceOptions & SharedParts,
    { graph, onRecorded }: { readonly graph: GraphQuery; readonly onRecorded: (call: EndedCall) => void },
  ) {
    this.#onRecorded = onRecorded;
    this.#onQuery = moduleQueries(graph);
    this.#tree = tree;
    this.#options = options;
    this.#queue = new CallQueue(() => tree.root.config.limits);
    this.#outputs = new KeptOutputs(
      () => tree.root.config.limits,
      (words) => options.onNotice?.(words),
    );
    this.#leftContainers = new LeftContainers(options);
    this.#recorder = new StoredCalls(tree.root.records, {
      retention: () => {
        const { records, recordDays } = tree.root.config.limits;
        return { records, days: recordDays };
      },
      onNotice: (words) => options.onNotice?.(words),
    });
  }

  /** Settles what servers that have gone left of their calls; once. */
  settleEarlier(): void {
    this.#sweep ??= Promise.all([this.#recorder.sweep(), sweepKeptOutputs(), ...this.#sweepContainers()]);
  }

  /** Calls that run and that wait. */
  get load(): CallCounts {
    return this.#queue.counts;
  }

  get outputs(): Pick<KeptOutputs, 'list' | 'read'> {
    return this.#outputs;
  }

  /** Runs one call of an entry of the generation. */
  run(generation: Generation, entry: Entry, args: unknown, options: CallOptions): Promise<AnsweredCall> {
    const { tool, binding } = entry;
    const owner = this.#tree.ownerOf(entry);
    const { base } = owner.config;
    // The engine may have begun to answer after the start.
    if (binding.arm === 'container') void this.#inTime(this.#leftContainers.sweep(owner, binding.engine));
    const about = {
      tool: recordedTool(entry),
      arm: binding.arm,
      ...skillOf(options.meta, tool.satisfies, skillIri(base, '')),
    };
    return this.#recorded(generation, entry.name, args, options, about, (observer, id) =>
      callEntry(entry, args, {
        ...this.#settings(entry, observer, options),
        callId: id,
        overflow: this.#outputs.spool(id, entry.name),
      }),
    );
  }

  /** Records a call of a name that is not served. */
  refuse(
    generation: Generation,
    name: string,
    args: unknown,
    { code, message, iri }: RefusedName,
    options: CallOptions,
  ): Promise<AnsweredCall> {
    const outcome: CallOutcome = { kind: 'refused', code, message, details: {} };
    const omission = code === 'unknown_tool' ? undefined : generation.omissions.find((one) => one.name === name);
    const id = iri === undefined ? undefined : toolIdIn(iri);
    const found = omission === undefined ? iri && { iri, ...(id === undefined ? {} : { id }) } : placeOf(omission);
    const about = found ? { tool: found } : {};
    return this.#recorded(generation, name, args, options, about, async () => outcome);
  }

  /** Ends every call with its processes; resolves when all are recorded. */
  async close(): Promise<void> {
    this.#recorder.end();
    this.#queue.close();
    await Promise.all([killAll(this), this.#options.modules?.close()]);
    await Promise.all(this.#inFlight);
    await this.#sweep;
    await this.#recorder.close();
    this.#outputs.close();
  }

  async #recorded(
    generation: Generation,
    name: string,
    args: unknown,
    { meta }: CallOptions,
    about: Partial<CallRecord>,
    perform: (observer: CallObserver, id: string) => Promise<CallOutcome>,
  ): Promise<AnsweredCall> {
    this.settleEarlier();
    // A service that follows nothing asks nobody later.
    if (this.#options.watch === false) void this.#inTime(this.#tree.root.history.askGit());
    const began = performance.now();
    const mask = this.#mask();
    const { key, number, digest } = generation;
    const draft = {
      id: randomUUID(),
      name: cutText(mask.text(name)),
      generation: { key, number, digest },
      by: callerOf(meta, this.#tree.root.config.actor),
      ...recordedInputs(args, mask),
      started: new Date(),
      ...about,
    };
    const call = recordedCall(draft, mask, this.#recorder, (observer) => perform(observer, draft.id));
    return this.#inTime(
      call.then((answered) => {
        this.#tellLeftBehind(draft.name, answered);
        const whole = this.#withOutput(draft.id, answered);
        this.#onRecorded({ name, outcome: outcomeKindOf(answered.outcome), ms: performance.now() - began });
        return whole;
      }),
    );
  }

  /** `close` waits for it. */
  async #inTime<T>(act: Promise<T>): Promise<T> {
    this.#inFlight.add(act);
    try {
      return await act;
    } finally {
      this.#inFlight.delete(act);
    }
  }

  #tellLeftBehind(name: string, { leftBehind }: AnsweredCall): void {
    if (leftBehind !== undefined) this.#options.onNotice?.(leftBehindWords(name, leftBehind));
  }

  /** An output is kept under the id of its record only. */
  #withOutput(id: string, answered: AnsweredCall): AnsweredCall {
    const kept = this.#outputs.finish(id);
    if (kept === undefined) return answered;
    if (answered.id !== undefined) return { ...answered, kept };
    this.#outputs.drop(id);
    return answered;
  }

  /** Where nothing is to run in a container, no engine was asked, and none is. */
  #sweepContainers(): Promise<void>[] {
    return this.#tree.members.flatMap((member) =>
      member.engine === undefined ? [] : [this.#leftContainers.sweep(member, member.engine)],
    );
  }

  #settings(entry: Entry, observer: CallObserver, { signal, onProgress }: CallOptions) {
    const { env = process.env, modules, onNotice } = this.#options;
    const { place, config } = this.#tree.ownerOf(entry);
    const { cwd, env: permittedEnv, limits, engine } = config;
    const { root } = place;
    return {
      cwd: cwd === undefined ? root : join(root, cwd),
      root,
      env,
      permittedEnv,
      timeoutMs: limits.timeoutMs,
      outputBytes: limits.outputBytes,
      queue: this.#queue,
      daemons: this.#tree.root.config.daemons,
      owner: this,
      observer,
      engineFlags: engine?.flags ?? [],
      ...(modules === undefined ? {} : { modules }),
      onQuery: this.#onQuery,
      onInternalError: (error: unknown) => {
        if (error instanceof UnwritableRecord) return;
        onNotice?.(`a call of ${entry.name} failed inside toolgraph: ${String(error)}`);
      },
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    };
  }

  /** Of every variable that a tool may be given because a config permits it. */
  #mask(): SecretMask {
    const permitted = this.#tree.members.flatMap(({ config }) => config.env);
    return new SecretMask(
      this.#options.env ?? process.env,
      permitted.filter((name) => !isBasicVariable(name)),
    );
  }
}

/** By entry, which never changes: the digest of a node takes as long as all else that is recorded of a call. */
const recordedTools = new WeakMap<Entry, RecordedTool>();

function leftBehindWords(name: string, { alive, ended }: LeftBehind): string {
  const told = [
    ...(ended.length === 0 ? [] : [`${ended.join(', ')}, ended now`]),
    ...(alive.length === 0 ? [] : [`${alive.join(', ')}, still alive: end them yourself`]),
  ];
  return `a call of ${name}, or one beside it, left processes behind that had left its group: ${told.join('; ')}`;
}

function recordedTool(entry: Entry): RecordedTool {
  const known = recordedTools.get(entry);
  if (known !== undefined) return known;
  const { tool, declaration } = entry;
  const recorded = {
    ...placeOf(entry),
    definition: declaration._meta[definitionKey],
    revision: { digest: objectDigest(tool), node: tool },
  };
  recordedTools.set(entry, recorded);
  return recorded;
}

function placeOf({ iri, id, document, instance }: Pick<Entry, 'iri' | 'id' | 'document' | 'instance'>): RecordedTool {
  return { iri, id, document, ...(instance === undefined ? {} : { instance }) };
}
