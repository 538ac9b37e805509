import { type Diagnostic, problem } from './diagnostic.js';
import { DocumentMirror } from './document-mirror.js';
import type { GenerationHolder } from './generation-holder.js';
import { type BatchInfo, type FollowedChanges, followChanges } from './ingest/changes.js';
import { configPlaces } from './ingest/config-places.js';
import type { ScanOptions, ScanResult } from './ingest/scan.js';
import { type ConfigOverrides, type InstanceConfig, readConfig } from './instance/config.js';
import type { SkillNode, ToolNode } from './projection/node.js';
import { Projector } from './projector.js';
import type { ServiceOptions } from './service.js';
import { type GraphStore, openGraphStore } from './store/graph-store.js';
import { openRecordStore, type RecordStore } from './store/record-store.js';
import { openStateFolder } from './store/state-folder.js';
import { StoreError } from './store/store-error.js';
import { ingestKey } from './version.js';

/** How often the host is looked at again: PATH folders and the environment tell nobody of a change. */
const hostIntervalMs = 10_000;
/** A server that lives this long is more than the probe of a host. */
const warmUpMs = 1_000;
/** After this long without a change the write-ahead log is moved into the file. */
const idleMs = 5_000;

export interface FollowerOptions extends Omit<ServiceOptions, 'overrides'> {
  readonly overrides?: ConfigOverrides | undefined;
}

/**
 * Runs the stages in order for one instance: watch → read → expand → store → lift → project → publish. One batch at a time, so
 * that an older state can never overtake a newer one. The constructor throws when the state of the instance cannot be opened.
 */
export class InstanceFollower {
  readonly #options: FollowerOptions;
  readonly #holder: GenerationHolder;
  readonly #stateFolder: string;
  readonly #records: RecordStore;
  readonly #projector: Projector;
  readonly #follow: FollowedChanges;
  readonly #hostTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout | undefined;
  /** The last good config as it is written; `#config` is it with the overrides. */
  #stated: InstanceConfig;
  #overrides: ConfigOverrides;
  #config: InstanceConfig;
  #configProblems: readonly Diagnostic[];
  #store: GraphStore;
  #mirror: DocumentMirror;
  #scan: ScanResult | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #closed = false;

  /** `onFailure` is told of a failure before the first generation: there will be none. */
  constructor(options: FollowerOptions, holder: GenerationHolder, onFailure: (error: unknown) => void) {
    const { root, env = process.env } = options;
    this.#options = options;
    this.#holder = holder;
    this.#stateFolder = openStateFolder(root, env).path;
    const reading = readConfig(root, configPlaces);
    this.#stated = reading.config;
    this.#overrides = options.overrides ?? {};
    this.#config = overridden(this.#stated, this.#overrides);
    this.#configProblems = reading.diagnostics;
    this.#records = openRecordStore(this.#stateFolder);
    this.#notice(this.#records.notice);
    this.#projector = new Projector(root, env, this.#records);
    try {
      this.#store = this.#openStore(this.#config);
    } catch (error) {
      this.#records.close();
      throw error;
    }
    this.#mirror = this.#openMirror();
    this.#follow = followChanges({
      root,
      scan: scanOptions(this.#config),
      seeds: this.#mirror.restore(),
      configSignature: reading.signature,
      onBatch: (scan, info) => this.#inTurn(() => this.#take(scan, info), onFailure),
      onError: (error) => this.#notice(inWords(error)),
    });
    this.#hostTimer = setInterval(() => void this.lookAtHost(), hostIntervalMs).unref();
  }

  get config(): InstanceConfig {
    return this.#config;
  }

  get tools(): readonly ToolNode[] {
    return [...this.#mirror.nodes.values()].flatMap(({ tools }) => tools);
  }

  get skills(): readonly SkillNode[] {
    return [...this.#mirror.nodes.values()].flatMap(({ skills }) => skills);
  }

  get documents(): number {
    return this.#mirror.size;
  }

  /** A node folder is missing: what was known of it is kept (DESIGN decision 3). */
  get isDegraded(): boolean {
    return (this.#scan?.missingFolders.length ?? 0) > 0;
  }

  /** Makes a new generation if the host answers differently than before (tool-node.md P12). */
  async lookAtHost(): Promise<void> {
    await this.#inTurn(async () => {
      if (!this.#closed && (await this.#projector.hostChanged(this.#config))) await this.#project();
    }).catch((error: unknown) => this.#notice(inWords(error)));
  }

  /** Other overrides, from now on: makes a new generation with them, if there is one. */
  async override(overrides: ConfigOverrides): Promise<void> {
    await this.#inTurn(async () => {
      this.#overrides = overrides;
      this.#config = overridden(this.#stated, overrides);
      if (!this.#closed && this.#holder.current !== undefined) await this.#project();
    });
  }

  /** What tells processes apart that may rightly see different generations of this instance; '' before there is one. */
  get projectionKey(): string {
    return this.#projector.key;
  }

  /** Numbers a generation that is made of this instance's and of others', as its own are numbered. */
  nextGeneration(key: string, digest: string): number {
    return this.#records.nextGeneration(key, digest, new Date());
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#hostTimer);
    clearTimeout(this.#idleTimer);
    this.#projector.close();
    await this.#follow.close();
    await this.#work.catch(() => {});
    this.#keepForNextStart();
    this.#store.close();
    this.#records.close();
  }

  async #take(scan: ScanResult, { first, configChanged }: BatchInfo): Promise<void> {
    if (this.#closed) return;
    const startsOver = configChanged && this.#readConfig();
    if (first && scan.kept.length > 0) {
      this.#mirror.forget(scan.kept);
      // The scanner knows their signatures, so without this it would not give them when they can be looked at again.
      this.#follow.reread(scan.kept);
    }
    this.#scan = scan;
    if (first && !startsOver && (await this.#resume(scan))) return;
    const again = await this.#mirror.apply(scan);
    if (startsOver || again.size > 0) {
      this.#follow.reread(startsOver ? undefined : again);
      void this.#follow.lookNow();
    }
    // Nobody may see a list that lacks what is still being read.
    if (startsOver || (again.size > 0 && this.#holder.current === undefined)) return;
    await this.#project();
    if (this.#options.watch === false) void this.#follow.close();
    else this.#checkpointWhenIdle();
  }

  /** Publishes what an earlier run made of the same documents, if nothing has changed since. */
  async #resume(scan: ScanResult): Promise<boolean> {
    const { changed, removed, unreadable, missingFolders } = scan;
    const differences = [changed.length, removed.length, unreadable.size, missingFolders.length];
    if ([...differences, this.#configProblems.length].some((count) => count > 0)) return false;
    const generation = await this.#projector.resume(this.#config, this.#store, this.#mirror.digest());
    if (generation === undefined) return false;
    if (!this.#closed) this.#holder.publish(generation);
    if (this.#options.watch === false) void this.#follow.close();
    // The first edit should not have to wait for what a start can do without.
    else this.#idleTimer = setTimeout(() => void this.#inTurn(() => this.#project()).catch(() => {}), warmUpMs).unref();
    return true;
  }

  async #project(): Promise<void> {
    const generation = await this.#projector.next({
      changes: this.#mirror.takeChanges(),
      config: this.#config,
      problems: [...this.#configProblems, ...folderProblems(this.#scan)],
      store: this.#store,
    });
    if (!this.#closed) this.#holder.publish(generation);
  }

  /**
   * An invalid config changes nothing but the problems: the last good one stays in force. True when what every document
   * becomes depends on what changed, so that all have to be read again.
   */
  #readConfig(): boolean {
    const { config, diagnostics } = readConfig(this.#options.root, configPlaces);
    this.#configProblems = diagnostics;
    if (diagnostics.length > 0) return false;
    const next = overridden(config, this.#overrides);
    const startsOver = ingestKey(ingestSettings(next)) !== ingestKey(ingestSettings(this.#config));
    // Opened before anything changes: when that fails, the batch comes again, and so does this.
    const store = startsOver ? this.#openStore(next) : undefined;
    this.#stated = config;
    this.#config = next;
    this.#follow.reconfigure(scanOptions(next));
    if (store === undefined) return false;
    this.#store.close();
    this.#store = store;
    this.#mirror = this.#openMirror();
    this.#mirror.restore();
    this.#projector.restart(this.#holder.current);
    return true;
  }

  #openStore(config: InstanceConfig): GraphStore {
    const store = openGraphStore(this.#stateFolder, ingestKey(ingestSettings(config)));
    this.#notice(store.notice);
    return store;
  }

  #openMirror(): DocumentMirror {
    const { base, allowIris, limits } = this.#config;
    const ingest = { base, allowIris, limits: { bytes: limits.documentBytes } };
    return new DocumentMirror(this.#store, ingest, (done, total) => this.#options.onIngestProgress?.(done, total));
  }

  #checkpointWhenIdle(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(
      () => void this.#inTurn(async () => this.#keepForNextStart()).catch(() => {}),
      idleMs,
    ).unref();
  }

  /** A start without what is kept here does the same in more time. */
  #keepForNextStart(): void {
    try {
      if (!this.#mirror.hasChanges) this.#projector.save(this.#store, () => this.#mirror.digest());
      this.#store.checkpoint();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  /** Work happens in the order in which it came. Until there is a generation, a failure is fatal. */
  async #inTurn(work: () => Promise<void>, onFailure?: (error: unknown) => void): Promise<void> {
    const turn = this.#work.then(work);
    this.#work = turn.catch(() => {});
    try {
      await turn;
    } catch (error) {
      if (this.#holder.current === undefined) onFailure?.(error);
      throw error;
    }
  }

  #notice(words: string | undefined): void {
    if (words !== undefined) this.#options.onNotice?.(words);
  }
}

function overridden(config: InstanceConfig, { tiers, prefix }: ConfigOverrides): InstanceConfig {
  return { ...config, ...(tiers === undefined ? {} : { tiers }), ...(prefix === undefined ? {} : { prefix }) };
}

function scanOptions({ folders, ignore, limits }: InstanceConfig): ScanOptions {
  return { folders, ignore, documentBytes: limits.documentBytes, documents: limits.documents };
}

/** What of the config decides what a document becomes. */
function ingestSettings({ base, allowIris, folders, limits }: InstanceConfig): unknown {
  return [base, allowIris, folders, limits.documentBytes];
}

function folderProblems(scan: ScanResult | undefined): Diagnostic[] {
  if (scan === undefined) return [];
  const missing = scan.missingFolders
    .filter((folder) => !scan.unreadable.has(folder))
    .map((folder) => {
      const message = `the node folder "${folder}" is missing; make it, or change "folders" in toolgraph.config.json`;
      return problem('unreadable', message, { document: folder });
    });
  return [...missing, ...scan.unreadable.values()];
}

function inWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
