import { isDeepStrictEqual } from 'node:util';
import type { Degradation } from './degradation.js';
import type { Diagnostic } from './diagnostic.js';
import { errorMessage } from './error-message.js';
import type { GenerationHolder } from './generation-holder.js';
import { GenerationNumberer } from './generation-numberer.js';
import { HostLooks } from './host-looks.js';
import { IncludedInstances } from './included-instances.js';
import type { ConfigOverrides } from './instance/config.js';
import type { SharedParts } from './instance-follower.js';
import { MemberInstance, type MemberPlace } from './member-instance.js';
import { jcsDigest } from './projection/digest.js';
import type { Entry, Generation } from './projection/generation.js';
import type { ProjectedParts } from './projection/labelled-documents.js';
import { mergeProjections } from './projection/merge-projections.js';
import type { ServiceOptions } from './service.js';
import { openInnerState } from './store/state-folder.js';
import { visible } from './visible.js';

/** How often included folders are looked for: nothing tells of one that comes, or is put in the place of another. */
const lookMs = 1_000;

/**
 * An instance and those that it includes, each followed by itself, published as one generation; without any that is the root's own.
 * The constructor throws when the root cannot be opened; an included instance that cannot be is a problem.
 */
export class InstanceTree {
  readonly root: MemberInstance;
  readonly #options: ServiceOptions & SharedParts;
  readonly #holder: GenerationHolder;
  readonly #onFailure: (error: unknown) => void;
  readonly #included: IncludedInstances;
  /** The member of each entry, in earlier generations too; an entry that is not here is the root's. */
  readonly #owners = new WeakMap<Entry, MemberInstance>();
  readonly #configs = new WeakMap<MemberInstance, object>();
  readonly #progress = new Map<string, readonly [done: number, total: number]>();
  readonly #hostLooks: HostLooks | undefined;
  readonly #numberer: GenerationNumberer;
  #problems: readonly Diagnostic[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** How many works are under way of which the results are to be one generation. */
  #gathering = 0;
  #unpublished = false;
  readonly #awaiting: (() => void)[] = [];
  #closed = false;

  /** `onFailure` is told of a failure before the first generation: there will be none. */
  constructor(options: ServiceOptions & SharedParts, holder: GenerationHolder, onFailure: (error: unknown) => void) {
    this.#options = options;
    this.#holder = holder;
    this.#onFailure = onFailure;
    const { root, overrides, watch } = options;
    const { tiers, getStateTool } = overrides ?? {};
    this.root = this.#open(
      { label: '', root },
      { ...(tiers === undefined ? {} : { tiers }), ...(getStateTool === undefined ? {} : { getStateTool }) },
    );
    this.#numberer = new GenerationNumberer(this.root.records);
    this.#included = new IncludedInstances(this.root, (...place) => this.#open(...place));
    // A look at all members together, so that what they share is one generation. Not before there is a root: its opening may wait long,
    // and fail.
    this.#hostLooks = watch === false ? undefined : new HostLooks(() => this.lookAtHost());
    this.#look();
  }

  get members(): readonly MemberInstance[] {
    return [this.root, ...this.#included.members];
  }

  /** Those of its members, and which of them cannot be had. */
  get degradations(): readonly Degradation[] {
    const missing = this.#problems.map(
      ({ message }) => ({ code: 'instance-missing', message: visible(message) }) as const,
    );
    return [...this.members.flatMap(({ degradations }) => degradations), ...missing];
  }

  /** The current generation is one of exactly the documents that are held now. */
  get isInStep(): boolean {
    if (this.#unpublished || this.#gathering > 0) return false;
    return this.members.every((member) => member.isInStep);
  }

  /** Settles when a generation is published next, one with the digest of the last one included. */
  nextPublication(): Promise<void> {
    return new Promise((settle) => this.#awaiting.push(settle));
  }

  /** The instance in which an entry runs. */
  ownerOf(entry: Entry): MemberInstance {
    return this.#owners.get(entry) ?? this.root;
  }

  async lookAtHost(): Promise<void> {
    await this.#gather(this.members.map((member) => member.lookAtHost()));
  }

  async loadModules(): Promise<void> {
    await this.#gather(this.members.map((member) => member.loadModules()));
  }

  /** Looks at everything: which instances there are, and of each the config, the documents and the host. */
  async lookAgain(): Promise<void> {
    if (this.#closed) return;
    this.#lookForIncluded();
    await this.#gather(this.members.map((member) => member.lookAgain()));
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#hostLooks?.close();
    await Promise.all([this.root.close(), this.#included.close()]);
  }

  #open(place: MemberPlace, overrides: ConfigOverrides, former?: ProjectedParts): MemberInstance {
    const { onIngestProgress } = this.#options;
    const listener = {
      published: (member: MemberInstance) => this.#take(member),
      failed: (member: MemberInstance, error: unknown) => this.#fail(member, error),
      hostHinted: () => this.#hostLooks?.hint(),
    };
    const progress = (done: number, total: number): void => {
      this.#progress.set(place.label, [done, total]);
      const all = [...this.#progress.values()];
      onIngestProgress?.(sum(all.map(([read]) => read)), sum(all.map(([, of]) => of)));
    };
    // What the records of the root tell is of all instances.
    const rootOf = (label: string) => this.members.find((member) => member.place.label === label)?.place.root;
    const { root, env = process.env } = this.#options;
    const { label, stateIn } = place;
    const openState = stateIn === undefined ? undefined : () => openInnerState(root, env, stateIn);
    const options = { ...this.#options, onIngestProgress: progress, ...(label === '' ? { rootOf } : {}) };
    return new MemberInstance(place, options, overrides, listener, former, openState);
  }

  /** A member has published: what it throws, that member tries again. */
  #take(member: MemberInstance): void {
    if (this.#closed) return;
    if (member !== this.root) {
      this.#included.published(member);
      for (const entry of member.parts?.entries.values() ?? []) this.#owners.set(entry, member);
    }
    if (this.#configs.get(member) !== member.config) {
      this.#configs.set(member, member.config);
      this.#look();
    }
    this.#publish();
  }

  #fail(member: MemberInstance, error: unknown): void {
    if (member === this.root) {
      this.#onFailure(error);
      return;
    }
    this.#included.failed(member, error);
    this.#problems = this.#included.problems;
    this.#publishSafely();
  }

  /** Looks which instances the configs name now, and goes on to look while the root's names any. */
  #look(): void {
    clearTimeout(this.#timer);
    if (this.root.config.include.length > 0 && this.#options.watch !== false && !this.#closed) {
      this.#timer = setTimeout(() => this.#lookForIncluded(), lookMs).unref();
    }
    const before = this.#included.members;
    const overriding = this.#included.look();
    if (overriding.length > 0) void this.#gather(overriding);
    const { members, problems } = this.#included;
    if (members.length !== before.length || members.some((member, i) => member !== before[i])) this.#unpublished = true;
    if (!isDeepStrictEqual(problems, this.#problems)) this.#unpublished = true;
    this.#problems = problems;
  }

  #lookForIncluded(): void {
    try {
      this.#look();
      if (this.#unpublished) this.#publish();
    } catch (error) {
      this.#notice(error);
    }
  }

  /** What comes of these works is published as one generation. */
  async #gather(works: readonly Promise<void>[]): Promise<void> {
    this.#gathering++;
    const results = await Promise.allSettled(works);
    this.#gathering--;
    for (const result of results) if (result.status === 'rejected') this.#notice(result.reason);
    if (this.#unpublished) this.#publishSafely();
  }

  /** What fails is tried again when included folders are looked for next. */
  #publishSafely(): void {
    try {
      this.#publish();
    } catch (error) {
      this.#notice(error);
    }
  }

  /** Waits, before the first generation, for every member, so that nobody sees a list that lacks what is still being read. */
  #publish(): void {
    this.#unpublished = true;
    if (this.#closed || this.#gathering > 0) return;
    const isFirst = this.#holder.current === undefined;
    if (isFirst && this.#included.members.some((member) => this.#included.isAwaited(member))) return;
    const generation = this.#generation();
    if (generation === undefined) return;
    this.#holder.publish(generation);
    this.#unpublished = false;
    for (const settle of this.#awaiting.splice(0)) settle();
  }

  #generation(): Generation | undefined {
    const own = this.root.generation;
    const { members, problems } = this.#included;
    if (own === undefined || members.length + problems.length === 0) return own;
    const instances = this.members.flatMap(({ place: { label }, parts }) =>
      parts === undefined ? [] : { ...parts, label },
    );
    const projection = mergeProjections(instances, problems, (name, kind) => this.#servedBy(name, kind));
    const key = jcsDigest(this.members.map(({ place: { label }, projectionKey }) => [label, projectionKey]));
    const number = this.#numberer.number(key, projection, {
      instances: members.map(({ history }) => history.outer()),
      // Of an instance that cannot be had nobody knows what it holds.
      ...(problems.length > 0 ? {} : { onlyInstances: this.members.map(({ place }) => place.label) }),
    });
    for (const member of members) member.history.outerTold();
    return { ...projection, number, key };
  }

  #servedBy(name: string, kind: 'tool' | 'view'): string | undefined {
    const { current } = this.#holder;
    if (kind === 'view') {
      const view = current?.views.get(name);
      return view === undefined ? undefined : (view.instance ?? '');
    }
    const entry = current?.entries.get(name);
    return entry === undefined ? undefined : this.ownerOf(entry).place.label;
  }

  #notice(error: unknown): void {
    this.#options.onNotice?.(errorMessage(error));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
