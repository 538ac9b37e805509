import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { provedPatterns } from '../schemas/types.js';
import type { Diagnostic } from './diagnostic.js';
import { locate } from './ingest/position.js';
import type { InstanceConfig } from './instance/config.js';
import { type Environment, observeHost } from './instance/host.js';
import { PythonModules } from './instance/python-modules.js';
import { analysePatterns } from './patterns/analyse.js';
import type { PatternVerdict } from './patterns/verdict.js';
import { projectionKey } from './projection/digest.js';
import type { Generation, Projection } from './projection/generation.js';
import type { HostFacts, HostQuestions } from './projection/host.js';
import type { ToolNode, TypeRegistry } from './projection/node.js';
import { patternsOf } from './projection/patterns.js';
import { project } from './projection/project.js';
import { hostQuestions } from './projection/requirements.js';
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
  /** A test proves the patterns of the built-in types, so a start need not. */
  readonly #verdicts = new Map<string, PatternVerdict>(provedPatterns.map((pattern) => [pattern, provedSafe]));
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
    const verdicts = await this.#verdictsOf(patternsOf(tools, types), store);
    const options = {
      ...(config.prefix === undefined ? {} : { prefix: config.prefix }),
      tiers: config.tiers,
      arms: config.arms,
    };
    const projection = project({
      ...{ tools, types, problems, host, options, verdicts, broken },
      ...(previous === undefined ? {} : { previous }),
    });
    const stated = { ...config.host, runtime: [...config.host.runtime].sort() };
    const key = projectionKey(options, { os: host.os, path: this.#env.PATH, stated });
    const number = this.#records.nextGeneration(key, projection.digest, new Date());
    return { ...projection, problems: this.#located(projection, config), number };
  }

  /** Whether the host answers differently from when the last generation was made. */
  async hostChanged(config: InstanceConfig): Promise<boolean> {
    if (this.#observed === undefined) return false;
    const { questions, facts } = this.#observed;
    await this.#observe(questions, config);
    return this.#observed.facts !== facts;
  }

  async #observe(questions: HostQuestions, config: InstanceConfig): Promise<HostFacts> {
    const host = await observeHost(questions, config, this.#root, this.#env, this.#python);
    this.#observed = { questions, facts: JSON.stringify(host, mapsAsEntries) };
    return host;
  }

  async #verdictsOf(patterns: ReadonlySet<string>, store: GraphStore): Promise<ReadonlyMap<string, PatternVerdict>> {
    const unknown = [...patterns].filter((pattern) => !this.#verdicts.has(pattern));
    if (unknown.length === 0) return this.#verdicts;
    const known = store.verdicts(unknown);
    const analysed = await analysePatterns(unknown.filter((pattern) => !known.has(pattern)));
    const final = [...analysed].filter(([, { provisional }]) => provisional !== true);
    if (final.length > 0) store.putVerdicts(new Map(final));
    for (const [pattern, verdict] of [...known, ...analysed]) this.#verdicts.set(pattern, verdict);
    return this.#verdicts;
  }

  /** The projection knows a node's pointer, not its line: lines exist in the file only. */
  #located({ problems }: Projection, { limits }: InstanceConfig): readonly Diagnostic[] {
    const texts = new Map<string, string | undefined>();
    return problems.map((problem) => {
      const { document, pointer, line } = problem;
      if (document === undefined || pointer === undefined || line !== undefined) return problem;
      if (!texts.has(document)) texts.set(document, readText(join(this.#root, document), limits.documentBytes));
      const text = texts.get(document);
      return text === undefined ? problem : { ...problem, ...locate(text, pointer) };
    });
  }
}

function mapsAsEntries(_key: string, value: unknown): unknown {
  return value instanceof Map ? [...value] : value;
}

function readText(file: string, maxBytes: number): string | undefined {
  try {
    const bytes = readFileSync(file);
    return bytes.length > maxBytes ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}
