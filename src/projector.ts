import { provedPatterns } from '../schemas/types.js';
import type { Diagnostic } from './diagnostic.js';
import { locateFindings } from './ingest/locate.js';
import type { InstanceConfig } from './instance/config.js';
import { type Environment, observeHost } from './instance/host.js';
import { PythonModules } from './instance/python-modules.js';
import { analysePatterns } from './patterns/analyse.js';
import type { PatternVerdict } from './patterns/verdict.js';
import { projectionKey } from './projection/digest.js';
import type { Generation } from './projection/generation.js';
import type { HostFacts, HostQuestions } from './projection/host.js';
import type { ToolNode, TypeRegistry } from './projection/node.js';
import { patternsOf } from './projection/patterns.js';
import { project } from './projection/project.js';
import { hostQuestions } from './projection/requirements.js';
import { StateMemo } from './projection/state-memo.js';
import type { GraphStore } from './store/graph-store.js';
import type { RecordStore } from './store/record-store.js';

/** What the graph and the config hold at one moment. */
export interface ProjectorInput {
  readonly tools: readonly ToolNode[];
  readonly types: TypeRegistry;
  readonly problems: readonly Diagnostic[];
  readonly broken: ReadonlyMap<string, readonly string[] | 'all'>;
  readonly config: InstanceConfig;
  readonly store: GraphStore;
  readonly previous: Generation | undefined;
}

const provedSafe: PatternVerdict = { time: 'safe', argv: { kind: 'safe' } };

/** Brings the pure projection what it asks for (host facts, verdicts of patterns), and numbers what comes out. */
export class Projector {
  readonly #root: string;
  readonly #env: Environment;
  readonly #records: RecordStore;
  readonly #python = new PythonModules();
  readonly #memo = new StateMemo();
  readonly #closing = new AbortController();
  /** A test proves the patterns of the built-in types, so a start need not. */
  readonly #verdicts = new Map<string, PatternVerdict>(provedPatterns.map((pattern) => [pattern, provedSafe]));
  /** Under which the last generation is numbered; '' before there is one. */
  key = '';
  #observed: { readonly questions: HostQuestions; readonly facts: string } | undefined;

  constructor(root: string, env: Environment, records: RecordStore) {
    this.#root = root;
    this.#env = env;
    this.#records = records;
  }

  async next(input: ProjectorInput): Promise<Generation> {
    const { tools, types, problems, broken, config, store, previous } = input;
    const questions = hostQuestions(tools);
    const host = await this.#observe(questions, config);
    this.#observed = { questions, facts: factsText(host) };
    const verdicts = await this.#verdictsOf(patternsOf(tools, types), store);
    const options = {
      ...(config.prefix === undefined ? {} : { prefix: config.prefix }),
      tiers: config.tiers,
      arms: config.arms,
    };
    const projection = project({
      ...{ tools, types, problems, host, options, verdicts, broken, memo: this.#memo },
      ...(previous === undefined ? {} : { previous }),
    });
    const set = config.env.filter((name) => Object.hasOwn(this.#env, name)).sort();
    const stated = { ...config.host, runtime: [...config.host.runtime].sort(), env: set };
    const key = projectionKey(options, { os: host.os, path: this.#env.PATH, stated });
    const number = this.#records.nextGeneration(key, projection.digest, new Date());
    this.key = key;
    return { ...projection, problems: locateFindings(projection.problems, this.#root), number };
  }

  /** Ends what takes long: a generation that is being made is not worth waiting for. */
  close(): void {
    this.#closing.abort();
  }

  /** Whether the host answers differently from when the last generation was made. */
  async hostChanged(config: InstanceConfig): Promise<boolean> {
    if (this.#observed === undefined) return false;
    const { questions, facts } = this.#observed;
    return factsText(await this.#observe(questions, config)) !== facts;
  }

  #observe(questions: HostQuestions, config: InstanceConfig): Promise<HostFacts> {
    return observeHost(questions, config, this.#root, this.#env, this.#python);
  }

  async #verdictsOf(patterns: ReadonlySet<string>, store: GraphStore): Promise<ReadonlyMap<string, PatternVerdict>> {
    const unknown = [...patterns].filter((pattern) => !this.#verdicts.has(pattern));
    if (unknown.length === 0) return this.#verdicts;
    for (const [pattern, verdict] of store.verdicts(unknown)) this.#verdicts.set(pattern, verdict);
    await analysePatterns(
      unknown.filter((pattern) => !this.#verdicts.has(pattern)),
      {
        signal: this.#closing.signal,
        onVerdict: (pattern, verdict) => {
          this.#verdicts.set(pattern, verdict);
          if (verdict.provisional !== true) store.putVerdicts(new Map([[pattern, verdict]]));
        },
      },
    );
    return this.#verdicts;
  }
}

function factsText(host: HostFacts): string {
  return JSON.stringify(host, (_key, value: unknown) => (value instanceof Map ? [...value] : value));
}
