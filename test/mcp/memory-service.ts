import { createHash } from 'node:crypto';
import { type Declaration, definitionKey } from '../../schemas/declaration.js';
import type { Diagnostic } from '../../src/diagnostic.js';
import type { CallOutcome } from '../../src/invocation/outcome.js';
import type { ServedInstance } from '../../src/mcp/server.js';
import type { Entry, Generation } from '../../src/projection/generation.js';
import type { SkillNode, ToolNode } from '../../src/projection/node.js';
import type { ServedView } from '../../src/projection/view-state.js';
import type {
  AnsweredCall,
  CallOptions,
  EndedCall,
  GenerationChange,
  RefusedName,
  Service,
} from '../../src/service.js';
import type { QueryOptions, QueryResult } from '../../src/store/query/graph-query.js';
import type { RecordedCalls } from '../../src/store/record-reader.js';

type Call = (name: string, args: unknown, signal: AbortSignal | undefined) => Promise<CallOutcome>;

/** What clients see of a service, in memory: generations are published by the test, calls are answered by `onCall`. */
export class MemoryService implements ServedInstance {
  readonly ready: Promise<Generation>;
  current: Generation | undefined;
  onCall: Call = async (name) => ({ kind: 'ran', text: `ran ${name}`, truncated: false });
  /** Answers every query. */
  onQuery: (sparql: string, options: QueryOptions) => Promise<QueryResult> = () =>
    Promise.reject(new Error('no query'));
  readonly outputs = { list: () => [], read: async () => undefined };
  skills: SkillNode[] = [];
  nodes: ToolNode[] = [];
  readonly instances: Service['instances'] = [];
  recorded: RecordedCalls['records'] = [];
  private readonly callListeners = new Set<(call: EndedCall) => void>();
  private readonly projectionListeners = new Set<(ms: number) => void>();
  readonly removed = new Map<string, string>();
  private readonly listeners = new Set<(change: GenerationChange) => void>();
  private settle: { resolve(generation: Generation): void; reject(error: Error): void };

  constructor(first?: readonly Declaration[]) {
    const { promise, ...settle } = withResolvers<Generation>();
    this.ready = promise;
    this.ready.catch(() => {});
    this.settle = settle;
    if (first !== undefined) this.publish(first);
  }

  get listenerCount(): number {
    return Math.max(this.listeners.size, this.callListeners.size, this.projectionListeners.size);
  }

  publish(
    declarations: readonly Declaration[],
    problems: readonly Diagnostic[] = [],
    views: readonly ServedView[] = [],
  ): Generation {
    const previous = this.current;
    const generation = makeGeneration((previous?.number ?? 0) + 1, declarations, problems, views);
    this.current = generation;
    this.settle.resolve(generation);
    for (const listener of this.listeners) listener({ generation, previous });
    return generation;
  }

  fail(error: Error): void {
    this.settle.reject(error);
  }

  subscribe(listener: (change: GenerationChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  subscribeCalls(listener: (call: EndedCall) => void): () => void {
    this.callListeners.add(listener);
    return () => this.callListeners.delete(listener);
  }

  subscribeProjections(listener: (ms: number) => void): () => void {
    this.projectionListeners.add(listener);
    return () => this.projectionListeners.delete(listener);
  }

  /** Tells that the documents were projected again: what they are now makes no other generation. */
  project(): void {
    for (const listener of this.projectionListeners) listener(1);
  }

  /** Tells that a call was recorded. */
  record(call: EndedCall = { name: 'a', outcome: 'ran', ms: 1 }): void {
    for (const listener of this.callListeners) listener(call);
  }

  async recordedCalls() {
    return { records: this.recorded };
  }

  query(sparql: string, options: QueryOptions = {}): Promise<QueryResult> {
    return this.onQuery(sparql, options);
  }

  absence(name: string): { code: 'tool_removed'; reason: string; iri: string } | undefined {
    const reason = this.removed.get(name);
    return reason === undefined
      ? undefined
      : { code: 'tool_removed', reason, iri: `urn:toolgraph:memory:tool/${name}` };
  }

  async call(_generation: Generation, name: string, args: unknown, options: CallOptions = {}): Promise<AnsweredCall> {
    return { id: 'recorded', outcome: await this.onCall(name, args, options.signal) };
  }

  async refuse(
    _generation: Generation,
    _name: string,
    _args: unknown,
    { code, message }: RefusedName,
  ): Promise<AnsweredCall> {
    return { id: 'recorded', outcome: { kind: 'refused', code, message, details: {} } };
  }

  status() {
    return {
      instance: 'memory',
      version: '0.0.0',
      state: this.current === undefined ? ('starting' as const) : ('ready' as const),
      tools: this.current?.entries.size ?? 0,
      views: this.current?.views.size ?? 0,
      omissions: 0,
      problems: this.current?.problems.length ?? 0,
      documents: 0,
    };
  }
}

/** A declaration with every feature that a codec could be tempted to rewrite. */
export function declaration(name: string, description = `Does ${name}`): Declaration {
  return {
    name,
    title: `Title of ${name}`,
    description,
    inputSchema: {
      type: 'object',
      properties: {
        ref: { type: 'string', pattern: '^[a-z]+$', description: 'é "quoted" \u2028' },
        list: { type: 'array', items: { type: 'integer', minimum: -1 }, minItems: 1 },
        nested: { type: 'object', properties: {}, 'x-kept': [null, true, 1e21] },
      },
      required: ['ref'],
      additionalProperties: false,
    },
    _meta: { [definitionKey]: sha256(name + description) },
  };
}

function makeGeneration(
  number: number,
  declarations: readonly Declaration[],
  problems: readonly Diagnostic[],
  views: readonly ServedView[],
): Generation {
  const entries = new Map(declarations.map((item) => [item.name, entryOf(item)]));
  const listDigest = sha256(JSON.stringify(declarations));
  return {
    number,
    key: 'k',
    entries,
    omissions: [],
    views: new Map(views.map((view) => [view.id, view])),
    viewOmissions: [],
    problems,
    digest: sha256(listDigest + JSON.stringify(problems)),
    listDigest,
  };
}

function entryOf(item: Declaration): Entry {
  const { name } = item;
  return {
    name,
    id: name,
    iri: `urn:toolgraph:memory:tool/${name}`,
    document: `graph/${name}.json`,
    tool: {
      id: name,
      title: name,
      description: item.description,
      tier: 'stable',
      invoke: { shell: 'true' },
      io: { inputs: [], outputs: [] },
      satisfies: ['testing'],
    },
    declaration: item,
    binding: { arm: 'shell', words: ['true'], slots: [] },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
