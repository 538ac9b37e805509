import { configFileName, type Include } from '../schemas/config.js';
import { type Diagnostic, problem } from './diagnostic.js';
import { locateFindings } from './ingest/locate.js';
import { bundledScheme, findBundled } from './instance/bundled.js';
import type { ConfigOverrides } from './instance/config.js';
import { realPath } from './instance/containment.js';
import { findIncluded, includedLabel, isInstance } from './instance/included.js';
import { errnoOf } from './instance/signature.js';
import type { MemberInstance, MemberPlace } from './member-instance.js';
import { documentIn, type ProjectedParts } from './projection/labelled-documents.js';
import { StoreError } from './store/store-error.js';

/** How deep instances may include one another, and how many one may include in all. */
const maxDepth = 8;
const maxInstances = 100;

/** The least time between two attempts to open one instance, in ms; and how many times as long as the last one took. */
const retryMs = 5_000;
const retryFactor = 10;

type Open = (place: MemberPlace, overrides: ConfigOverrides, former?: ProjectedParts) => MemberInstance;

/** A place in a config that names an instance. */
interface Site {
  readonly parent: MemberInstance;
  readonly index: number;
  readonly depth: number;
  readonly included: Include;
}

/** What one look has found so far. */
interface Walk {
  readonly members: Map<string, MemberInstance>;
  readonly problems: Diagnostic[];
  /** Real paths of the instances: each is served once, by the first place that names it, and a cycle ends. */
  readonly reached: Set<string>;
  readonly labels: Set<string>;
  /** As `#labels`. */
  readonly named: Map<string, string>;
  readonly overriding: Promise<void>[];
}

/** Keeps the included instances in step with what the configs name: opens, closes, and says which cannot be had. */
export class IncludedInstances {
  readonly #root: MemberInstance;
  readonly #open: Open;
  #members: ReadonlyMap<string, MemberInstance> = new Map();
  /** By label: what keeps an instance that is there from being served. */
  readonly #failures = new Map<string, Diagnostic>();
  /** By label, when to try again to open it: an attempt can wait for a lock, and everything else waits with it. */
  readonly #retries = new Map<string, number>();
  /** By the place in a config, the label of the instance that it named last: what is known of it stays while it is missing. */
  #labels: ReadonlyMap<string, string> = new Map();
  #problems: readonly Diagnostic[] = [];
  readonly #closing = new Set<Promise<void>>();

  constructor(root: MemberInstance, open: Open) {
    this.#root = root;
    this.#open = open;
  }

  /** In the order of the configs: those that the root names, then those that these name. */
  get members(): readonly MemberInstance[] {
    return [...this.#members.values()];
  }

  get problems(): readonly Diagnostic[] {
    return [...this.#problems, ...this.#failures.values()];
  }

  /** Looks which instances the configs name now. What is returned settles when those that stay give what the configs say. */
  look(): readonly Promise<void>[] {
    const walk = newWalk(this.#root);
    const queue = [{ parent: this.#root, depth: 1 }];
    for (const { parent, depth } of queue) {
      for (const [index, included] of parent.config.include.entries()) {
        const member = this.#reach({ parent, index, depth, included }, walk);
        if (member !== undefined) queue.push({ parent: member, depth: depth + 1 });
      }
    }
    for (const [label, member] of this.#members) if (walk.members.get(label) !== member) this.#close(member);
    for (const known of [this.#failures, this.#retries]) {
      for (const label of known.keys()) if (!walk.labels.has(label)) known.delete(label);
    }
    this.#members = walk.members;
    this.#labels = walk.named;
    this.#problems = walk.problems;
    return walk.overriding;
  }

  /** It has nothing to serve yet, and may still have. */
  isAwaited({ place, parts }: MemberInstance): boolean {
    return parts === undefined && !this.#failures.has(place.label);
  }

  /** It is served, so what kept it from being served is over. */
  published({ place }: MemberInstance): void {
    this.#failures.delete(place.label);
  }

  /** It could not be read, and tries again by itself. */
  failed({ place }: MemberInstance, error: unknown): void {
    this.#failures.set(place.label, failureOf(place.label, error));
  }

  async close(): Promise<void> {
    for (const member of this.#members.values()) this.#close(member);
    await Promise.all(this.#closing);
  }

  /** Has the instance that a place names go on or begin; undefined when it is served already, or cannot be. */
  #reach(site: Site, walk: Walk): MemberInstance | undefined {
    const { parent, included } = site;
    if (included.path.startsWith(bundledScheme)) return this.#reachBundled(site, walk);
    const found = findIncluded(parent.place.root, included.path);
    if ('problem' in found) return this.#miss(site, walk, found.problem);
    if (walk.reached.has(found.root)) return undefined;
    const label = includedLabel(this.#root.place.root, parent.place.label, included.path, found.root);
    walk.named.set(writtenAt(site), label);
    const known = this.#members.get(label);
    if (known?.place.root === found.root) return this.#keep(known, site, walk);
    const refusal = refusalOf(site, walk, found.root);
    if (refusal !== undefined) return refuse(site, walk, refusal);
    return this.#begin({ ...found, label }, site, walk, known?.parts);
  }

  #reachBundled(site: Site, walk: Walk): MemberInstance | undefined {
    const { path } = site.included;
    const found = findBundled(path);
    if ('problem' in found) return refuse(site, walk, found.problem);
    const root = realPath(found.root) ?? found.root;
    if (walk.reached.has(root)) return undefined;
    const known = this.#members.get(path);
    if (known !== undefined) return this.#keep(known, site, walk);
    const place = { root, label: path, stateIn: path.slice(bundledScheme.length) };
    return this.#begin(place, site, walk);
  }

  /** An instance that was served and is missing stays: its own follower says what is missing, and keeps the rest (DESIGN decision 3). */
  #miss(site: Site, walk: Walk, words: string): MemberInstance | undefined {
    const label = this.#labels.get(writtenAt(site));
    const known = label === undefined ? undefined : this.#members.get(label);
    if (label === undefined || known === undefined || walk.reached.has(known.place.root)) {
      return refuse(site, walk, words);
    }
    walk.named.set(writtenAt(site), label);
    return this.#keep(known, site, walk);
  }

  #keep(member: MemberInstance, { included }: Site, walk: Walk): MemberInstance {
    take(member.place, walk);
    walk.members.set(member.place.label, member);
    const overriding = member.override(this.#overrides(included));
    if (overriding !== undefined) walk.overriding.push(overriding);
    return member;
  }

  #begin(place: MemberPlace, { included }: Site, walk: Walk, former?: ProjectedParts): MemberInstance | undefined {
    const { label } = place;
    take(place, walk);
    const startedAt = performance.now();
    if (startedAt < (this.#retries.get(label) ?? 0)) return undefined;
    try {
      const member = this.#open(place, this.#overrides(included), former);
      this.#retries.delete(label);
      walk.members.set(label, member);
      return member;
    } catch (error) {
      const failedAt = performance.now();
      this.#retries.set(label, failedAt + Math.max(retryMs, retryFactor * (failedAt - startedAt)));
      this.#failures.set(label, failureOf(label, error));
      return undefined;
    }
  }

  /** One set of tiers for one service (DESIGN decision 10), and one list of tools: those of the root. */
  #overrides({ prefix, path }: Include): ConfigOverrides {
    const bundled = path.startsWith(bundledScheme) ? findBundled(path) : undefined;
    const own = bundled !== undefined && 'config' in bundled ? bundled.config : {};
    const { tiers, getStateTool } = this.#root.config;
    return { tiers, getStateTool, ...own, ...(prefix === undefined ? {} : { prefix }) };
  }

  #close(member: MemberInstance): void {
    const closing = member.close().catch(() => {});
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }
}

function newWalk({ place }: MemberInstance): Walk {
  const reached = new Set([realPath(place.root) ?? place.root]);
  return { members: new Map(), problems: [], reached, labels: new Set(), named: new Map(), overriding: [] };
}

function take({ label, root }: MemberPlace, walk: Walk): void {
  walk.reached.add(root);
  walk.labels.add(label);
}

function writtenAt({ parent, included }: Site): string {
  return JSON.stringify([parent.place.label, included.path]);
}

function refuse(site: Site, walk: Walk, words: string): undefined {
  walk.problems.push(siteProblem(site, words));
}

function refusalOf({ depth, included }: Site, { labels }: Walk, root: string): string | undefined {
  const { path } = included;
  if (depth > maxDepth) return `"${path}" is included through more than ${maxDepth} instances; name it in an outer one`;
  if (labels.size >= maxInstances)
    return `more than ${maxInstances} instances are included in all; leave "${path}" out`;
  if (isInstance(root)) return undefined;
  return `"${path}" is no instance: it has neither ${configFileName} nor graph/; correct the path, or make one of them`;
}

function siteProblem({ parent, index }: Site, words: string): Diagnostic {
  const { root, label } = parent.place;
  const place = { document: configFileName, pointer: `/include/${index}` };
  const [found] = locateFindings([problem('invalid-config', `include: ${words}`, place)], root);
  const instance = label === '' ? {} : { instance: label };
  const document = documentIn(label, configFileName);
  return { ...problem('invalid-config', `include: ${words}`), ...found, ...instance, document };
}

/** Words of the operating system could hold a path of the host; the code of its error does not. */
function failureOf(label: string, error: unknown): Diagnostic {
  const words = error instanceof StoreError ? error.message : `an operation failed (${errnoOf(error)})`;
  return problem('unreadable', `the included instance cannot be opened: ${words}`, {
    document: label,
    instance: label,
  });
}
