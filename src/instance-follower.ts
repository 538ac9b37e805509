import { isDeepStrictEqual } from 'node:util';
import type { CheckedMember } from './check/rule.js';
import { type Degradation, followingDegradations } from './degradation.js';
import { errorMessage } from './error-message.js';
import { FollowedConfig, scanOptions } from './followed-config.js';
import { FollowedHistory } from './followed-history.js';
import type { GenerationHolder } from './generation-holder.js';
import { type BatchInfo, type FollowedChanges, followChanges } from './ingest/changes.js';
import { isAmongSkills } from './ingest/document-kind.js';
import type { ScanResult } from './ingest/scan.js';
import { folderProblems, missedFolders } from './ingest/scan-problems.js';
import type { ConfigOverrides, InstanceConfig } from './instance/config.js';
import { HostWatch } from './instance/host-watch.js';
import { InstanceGraph, ingestSettings } from './instance-graph.js';
import { ModulePool } from './invocation/module/pool.js';
import { ModuleHealth } from './module-health.js';
import { OrderedWork } from './ordered-work.js';
import { Postponed } from './postponed.js';
import type { Generation } from './projection/generation.js';
import type { HostFacts } from './projection/host.js';
import { moduleKeyOf } from './projection/in-process-arm.js';
import { Projector } from './projector.js';
import type { ServiceOptions } from './service.js';
import { LastingRecords } from './store/lasting-records.js';
import { openRecordStore, type RecordStore } from './store/record-store.js';
import { openStateFolder } from './store/state-folder.js';

/** A server that lives this long is more than the probe of a host. */
const warmUpMs = 1_000;
/** After this long without a change the write-ahead log is moved into the file. */
const idleMs = 5_000;

/** After this long the modules of what is served are loaded, so that a start has all of the machine, in ms. */
const loadModulesMs = 200;

/** What the parts of a service share. */
export interface SharedParts {
  /** Where the modules of all instances run. */
  readonly modules?: ModulePool;
  /** Is told how long it took to make a generation of what had changed, in ms. */
  readonly onProjected?: (ms: number) => void;
}

export interface FollowerOptions extends Omit<ServiceOptions, 'overrides'>, SharedParts {
  readonly overrides?: ConfigOverrides | undefined;
  /** Path from the instance that includes it; '' for that one itself. */
  readonly label: string;
  /** As in `UpkeepOptions`; of an instance that includes others. */
  readonly rootOf?: (instance: string) => string | undefined;
  /** Opens the folder for its state. Default: that of an instance of its own. */
  readonly openState?: (() => string) | undefined;
  /** The host may answer differently now: `lookAtHost` finds out. */
  readonly onHostHint: () => void;
}

/**
 * Runs the stages in order for one instance: watch → read → expand → store → lift → project → publish. One batch at a time, so
 * that an older state can never overtake a newer one. The constructor throws when the state of the instance cannot be opened.
 */
export class InstanceFollower {
  readonly #options: FollowerOptions;
  readonly #holder: GenerationHolder;
  readonly #records: LastingRecords;
  readonly #projector: Projector;
  readonly #follow: FollowedChanges;
  readonly #hostWatch: HostWatch;
  readonly #modules: ModuleHealth;
  readonly #whenServed = new Postponed();
  readonly #whenIdle = new Postponed();
  readonly #config: FollowedConfig;
  readonly #graph: InstanceGraph;
  readonly #history: FollowedHistory;
  /** The graph was replaced, and not all documents have come again. */
  #isRereading = false;
  #scan: ScanResult | undefined;
  readonly #work = new OrderedWork();
  /** What is known has not been made a generation yet; and why, if that failed. */
  #isBehind = false;
  #failure: string | undefined;
  #closed = false;

  /** `onFailure` is told of a failure before the first generation: there will be none. */
  constructor(options: FollowerOptions, holder: GenerationHolder, onFailure: (error: unknown) => void) {
    const { root, env = process.env, openState = () => openStateFolder(root, env).path } = options;
    this.#options = options;
    this.#holder = holder;
    this.#config = new FollowedConfig(root, options.overrides ?? {});
    this.#records = new LastingRecords(
      () => openRecordStore(openState()),
      (words) => this.#notice(words),
    );
    this.#projector = new Projector(root, env, this.#records);
    try {
      this.#graph = new InstanceGraph(this.config, {
        openState,
        onIngestProgress: (done, total) => options.onIngestProgress?.(done, total),
        onNotice: (words) => this.#notice(words),
      });
    } catch (error) {
      this.#records.close();
      throw error;
    }
    this.#history = new FollowedHistory({
      ...{ root, env, openState, label: options.label, records: this.#records, rootOf: options.rootOf },
      config: () => this.config,
      mirror: () => this.#graph.mirror,
      unseen: () => this.#scan?.kept ?? [],
    });
    this.#follow = followChanges({
      root,
      scan: scanOptions(this.config),
      seeds: this.#graph.seeds,
      configSignature: this.#config.signature,
      onBatch: (scan, info) => this.#inTurn(() => this.#surviving(() => this.#take(scan, info)), onFailure),
      onError: (error) => this.#notice(errorMessage(error)),
      onRecovery: (words) => this.#notice(words),
    });
    this.#hostWatch = new HostWatch(root, env, options.onHostHint);
    this.#modules = new ModuleHealth({ root, env, pool: options.modules ?? new ModulePool() });
  }

  get records(): RecordStore {
    return this.#records;
  }

  get config(): InstanceConfig {
    return this.#config.current;
  }

  /** What the documents state. */
  get graph(): Pick<InstanceGraph, 'tools' | 'skills' | 'documents' | 'iris' | 'quads' | 'held' | 'takeWanted'> {
    return this.#graph;
  }

  /** The last answers of the host; undefined before there are any. */
  get host(): HostFacts | undefined {
    return this.#projector.host;
  }

  /** A node folder is missing, what was known of it is kept (DESIGN decision 3); or changes come late, or cannot be taken in. */
  get degradations(): readonly Degradation[] {
    return followingDegradations({
      missingFolders: missedFolders(this.#scan, this.config.folders),
      isWatched: this.#follow.isSound,
      isBehind: this.#failure !== undefined,
    });
  }

  /** The current generation is one of exactly the documents that are held. */
  get isInStep(): boolean {
    return !this.#isBehind && !this.#isRereading && this.#graph.mirror.isTaken;
  }

  /** Makes a new generation if the host answers differently than before (tool-node.md P12), and looks whether modules have changed. */
  async lookAtHost(): Promise<void> {
    await this.#askHost();
    this.#loadModulesSoon(0);
  }

  /** Loads the modules of what is served, and makes a new generation when one of them does not load, or does again (P10). */
  async loadModules(): Promise<void> {
    if (this.#closed) return;
    this.#followModules();
    if (await this.#modules.look()) {
      this.#projector.failedModules = this.#modules.failed;
      await this.#askHost();
    }
    this.#watchHost();
  }

  async #askHost(): Promise<void> {
    const look = async () => {
      if (this.#closed) return;
      if (this.#replaceLost()) void this.#follow.lookNow();
      this.#isBehind = (await this.#projector.hostChanged(this.config)) || this.#isBehind;
      if (this.#isBehind) await this.#projectAgain();
      else await this.#renumber();
      this.#watchHost();
    };
    await this.#inTurn(() => this.#surviving(look)).catch((error: unknown) => this.#fail(error));
  }

  /** What the rules of `check` judge beside generation and nodes. A start that took over an earlier generation makes its own now. */
  async examine(): Promise<CheckedMember> {
    if (this.#projector.judgedBy === undefined) await this.#inTurn(() => this.#surviving(() => this.#projectAgain()));
    await this.loadModules();
    const { types = new Map(), verdicts = new Map() } = this.#projector.judgedBy ?? {};
    const { prose, ...stated } = this.#graph.mirror.examine();
    const proseAmongSkills = prose.filter((path) => isAmongSkills(path, this.config.folders));
    return { types, verdicts, config: this.config, ...stated, proseAmongSkills, unreadFiles: this.#scan?.unread ?? [] };
  }

  /** Looks at the config, every document and the host, whatever there were hints of. */
  async lookAgain(): Promise<void> {
    this.#projector.forgetHost();
    await this.#follow.lookNow();
    await this.lookAtHost();
  }

  /** Other overrides, from now on: makes a new generation with them, if there is one. */
  async override(overrides: ConfigOverrides): Promise<void> {
    const project = async () => {
      this.#config.override(overrides);
      if (!this.#closed) await this.#projectAgain();
    };
    await this.#inTurn(() => this.#surviving(project));
  }

  /** What tells processes apart that may rightly see different generations of this instance; '' before there is one. */
  get projectionKey(): string {
    return this.#projector.key;
  }

  /** What others do with its history: the instance that includes it, and whoever reads it. */
  get history(): Pick<FollowedHistory, 'outer' | 'outerTold' | 'askGit' | 'openProvenance'> {
    return this.#history;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#whenIdle.cancel();
    this.#whenServed.cancel();
    this.#projector.close();
    await this.#follow.close();
    await this.#work.ended();
    this.#hostWatch.close();
    await this.#history.close();
    this.#keepForNextStart();
    this.#graph.close();
    this.#records.close();
  }

  async #take(scan: ScanResult, { first, configChanged }: BatchInfo): Promise<void> {
    if (this.#closed) return;
    this.#scan = scan;
    // A new store would know nothing of documents that cannot be looked at now, and they stay (DESIGN decision 3).
    const hadNothing = this.#graph.mirror.size === 0;
    const startsOver = (configChanged && this.#readConfig()) || (scan.kept.length === 0 && this.#replaceLost());
    if (first && scan.kept.length > 0) {
      this.#graph.mirror.forget(scan.kept);
      // The scanner knows their signatures, so without this it would not give them when they can be looked at again.
      this.#follow.reread(scan.kept);
    }
    if (first && !startsOver && (await this.#resume(scan))) return;
    const again = await this.#graph.mirror.apply(scan);
    if (again.size > 0) this.#follow.reread(again);
    const looked = startsOver || again.size > 0 ? this.#follow.lookNow() : undefined;
    // Where nothing is to be read again, no batch comes that would be projected by the new config.
    if (startsOver && hadNothing) {
      const project = () => this.#inTurn(() => this.#surviving(() => this.#projectUnlessTaken()));
      void looked?.then(project).catch((error: unknown) => this.#fail(error));
    }
    // Nobody may see a list that lacks what is still being read.
    if (startsOver || (again.size > 0 && (this.#isRereading || this.#holder.current === undefined))) return;
    this.#isRereading = scan.undecided.some((path) => !this.#graph.mirror.holds(path));
    if (this.#isRereading) return;
    await this.#project();
    if (this.#options.watch === false) void this.#follow.close();
    else this.#whenIdle.after(idleMs, () => this.#inTurn(async () => this.#settle()));
  }

  #settle(): void {
    this.#keepForNextStart();
    void this.#history.dropOld();
  }

  #keepForNextStart(): void {
    const { mirror } = this.#graph;
    this.#graph.keepForNextStart(this.#projector);
    if (!mirror.hasChanges) this.#history.keep(() => mirror.digest());
  }

  /** Publishes what an earlier run made of the same documents, if nothing has changed since. */
  async #resume(scan: ScanResult): Promise<boolean> {
    const { changed, removed, unreadable, missingFolders } = scan;
    const differences = [changed.length, removed.length, unreadable.size, missingFolders.length];
    if ([...differences, this.#config.problems.length].some((count) => count > 0)) return false;
    const { store, mirror } = this.#graph;
    const digest = mirror.digest();
    const generation = await this.#projector.resume(this.config, store, digest, this.#history.own(digest));
    if (generation === undefined) return false;
    this.#history.told();
    this.#publish(generation);
    this.#watchHost();
    if (this.#options.watch === false) void this.#follow.close();
    // The first edit should not have to wait for what a start can do without.
    else this.#whenIdle.after(warmUpMs, () => this.#inTurn(() => this.#projectAgain()));
    return true;
  }

  async #projectUnlessTaken(): Promise<void> {
    if (this.#closed || !this.#isRereading) return;
    this.#isRereading = false;
    await this.#project();
  }

  /** While documents are still to come, a generation of them all will be made anyway. */
  async #projectAgain(): Promise<void> {
    if (!this.#isRereading && this.#holder.current !== undefined) await this.#project();
  }

  /** Another process may have numbered this generation again, after an older one of its own: then that number is the last. */
  async #renumber(): Promise<void> {
    const { current } = this.#holder;
    if (current === undefined) return;
    const { number } = await this.#projector.renumber(current, this.config, this.#history.own());
    this.#history.told();
    if (number !== current.number) this.#publish({ ...current, number });
  }

  #publish(generation: Generation): void {
    if (this.#closed) return;
    this.#holder.publish(generation);
    if (this.#options.watch !== false) this.#history.askGitSoon();
    this.#loadModulesSoon(loadModulesMs);
  }

  async #project(): Promise<void> {
    this.#isBehind = true;
    const began = performance.now();
    const changes = this.#graph.mirror.takeChanges();
    this.#history.note(changes.keys());
    const generation = await this.#projector.next({
      changes,
      config: this.config,
      problems: [...this.#config.problems, ...folderProblems(this.#scan, this.config.folders)],
      store: this.#graph.store,
      history: () => this.#history.own(),
    });
    this.#history.told();
    await this.#graph.store.settled();
    this.#publish(generation);
    this.#options.onProjected?.(performance.now() - began);
    this.#watchHost();
    this.#isBehind = false;
    this.#failure = undefined;
  }

  #watchHost(): void {
    const { host } = this.#projector;
    if (host !== undefined && this.#options.watch !== false) {
      this.#hostWatch.follow(host, this.config, this.#modules.files);
    }
  }

  #loadModulesSoon(afterMs: number): void {
    if (this.#options.watch !== false && !this.#closed) this.#whenServed.after(afterMs, () => this.loadModules());
  }

  #followModules(): void {
    const keys = new Set(this.#graph.tools.map(({ tool }) => moduleKeyOf(tool)));
    const { env, limits } = this.config;
    const settings = { permittedEnv: env, timeoutMs: limits.timeoutMs };
    this.#modules.follow(this.#holder.current?.entries.values() ?? [], (key) => keys.has(key), settings);
  }

  /** Does the work. When that finds the store to be lost, begins a new one, and has everything read again (DESIGN decision 12). */
  async #surviving(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#closed || !this.#replaceLost()) throw error;
      void this.#follow.lookNow();
    }
  }

  #replaceLost(): boolean {
    const { isLost } = this.#graph;
    if (isLost) this.#replaceGraph(this.config);
    return isLost;
  }

  /** When it throws, nothing has changed. */
  #replaceGraph(config: InstanceConfig): void {
    this.#graph.replace(config);
    this.#graph.mirror.forget(this.#scan?.kept ?? []);
    this.#history.noteAll();
    this.#projector.restart(this.#holder.current);
    this.#isRereading = true;
    this.#follow.reread();
  }

  /** True when what every document becomes depends on what changed, so that all have to be read again. */
  #readConfig(): boolean {
    let startsOver = false;
    this.#config.reread((next) => {
      startsOver = !isDeepStrictEqual(ingestSettings(next), ingestSettings(this.config));
      if (startsOver) this.#replaceGraph(next);
      this.#follow.reconfigure(scanOptions(next));
    });
    return startsOver;
  }

  /** Until there is a generation, a failure is fatal. */
  async #inTurn(work: () => Promise<void>, onFailure?: (error: unknown) => void): Promise<void> {
    try {
      await this.#work.add(work);
    } catch (error) {
      if (this.#holder.current === undefined) onFailure?.(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    const failure = errorMessage(error);
    if (failure !== this.#failure) this.#notice(failure);
    this.#failure = failure;
  }

  #notice(words: string | undefined): void {
    if (words !== undefined) this.#options.onNotice?.(words);
  }
}
