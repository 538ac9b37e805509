import type { Generation } from '../projection/generation.js';
import { toolListDigest } from './resources/get-state-tool.js';
import { isResource } from './resources/read-resource.js';
import type { ClientView, ServedInstance } from './server.js';
import { ShownLists } from './shown-lists.js';
import { mostSubscriptions, WatchedResources } from './watched-resources.js';

/** What a connection can be told. A `Server` of the SDK has all of it. */
export interface NotificationSender {
  sendToolListChanged(): Promise<void>;
  sendResourceListChanged(): Promise<void>;
  sendResourceUpdated(params: { uri: string }): Promise<void>;
}

export type SubscriptionId = string | number;

/** What a 2026-era `subscriptions/listen` asked for and was granted. */
export interface GrantedFilter {
  readonly toolsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

/**
 * Tells one client what changed: a list at most once a generation and never for equal bytes (DESIGN decision 5), a resource
 * it subscribed to when its text differs. It remembers what the client has last seen or been told of, so
 * a change that comes before the client may be told (2025: before `notifications/initialized`; 2026: before its
 * `subscriptions/listen`) is told then, and one that was undone by then is not.
 */
export class ChangeNotifier implements ClientView {
  readonly #service: ServedInstance;
  readonly #shown: ShownLists;
  /** Digest of the list that the client knows of; undefined until there is a generation. */
  #known: string | undefined;
  /** The lists of resources and templates that the client knows of, as text; undefined until it has asked, or there is a generation. */
  #knownResources: string | undefined;
  /** 2025 era: the client has sent `notifications/initialized`. */
  #initialized = false;
  /** False while there is no stream to be told on: what is sent then is lost, so nothing is told. */
  #isReachable = true;
  /** 2025 era: URIs of `resources/subscribe`. */
  readonly #subscriptions = new Set<string>();
  /** 2026 era: open `subscriptions/listen` requests. */
  readonly #listening = new Map<SubscriptionId, GrantedFilter>();
  /** Text of each subscribed resource that is known at once, as the client can know it. */
  readonly #texts = new Map<string, string>();
  /** The subscribed resources that have to be asked for. */
  readonly #watched: WatchedResources;
  /** Calls have been recorded since it was looked for changes. */
  #looking: NodeJS.Immediate | undefined;
  #sender: NotificationSender | undefined;
  /** The generation after which everything was looked at. */
  #announced: ServedInstance['current'];
  readonly #unsubscribe: readonly (() => void)[];

  /** `shown` is shared where many clients are told of the same changes. */
  constructor(service: ServedInstance, shown: ShownLists = new ShownLists(service)) {
    this.#service = service;
    this.#shown = shown;
    this.#known = shown.tools();
    this.#knownResources = shown.resources();
    this.#watched = new WatchedResources(shown, (uri) => this.#tellOf(uri));
    service.ready.then(
      (first) => this.#firstGeneration(first),
      () => {},
    );
    const onGeneration = service.subscribe(({ previous }) => {
      if (previous !== undefined) this.#announce();
    });
    const onCalls = service.subscribeCalls(() => {
      this.#looking ??= setImmediate(() => this.#callsRecorded());
    });
    const onProjection = service.subscribeProjections(() => {
      // What documents state beside their nodes makes no other generation, and is in the answers of views.
      if (service.current !== this.#announced) this.#watched.lookSoon();
    });
    this.#unsubscribe = [onGeneration, onCalls, onProjection];
  }

  /** Must be called once, before the connection can send anything. */
  attach(sender: NotificationSender): void {
    this.#sender = sender;
  }

  close(): void {
    for (const end of this.#unsubscribe) end();
    clearImmediate(this.#looking);
    this.#watched.close();
    this.#sender = undefined;
  }

  /** Settles when every resource that has to be asked for has been. */
  settled(): Promise<void> {
    return this.#watched.settled();
  }

  /** 2025 era: `notifications/initialized` has arrived. */
  clientInitialized(): void {
    this.#initialized = true;
    this.#announceLists();
  }

  /** 2025 era over HTTP: the client has opened its stream, and is told there of what came while it had none. */
  reachable(): void {
    this.#isReachable = true;
    this.#announceLists();
    this.#announceTexts();
    this.#watched.resume();
  }

  /** 2025 era over HTTP: the client has no stream, not yet or no more. */
  unreachable(): void {
    this.#isReachable = false;
    this.#watched.pause();
  }

  /** 2026 era: a `subscriptions/listen` has been acknowledged. */
  listenOpened(id: SubscriptionId, granted: GrantedFilter): void {
    this.#listening.set(id, granted);
    this.#track();
    this.#announceLists();
    this.#announceTexts();
  }

  /** 2026 era: a request was cancelled; without effect when it is not a `subscriptions/listen`. */
  listenClosed(id: SubscriptionId): void {
    if (this.#listening.delete(id)) this.#track();
  }

  listed(generation: Generation): void {
    this.#known = toolListDigest(generation);
  }

  listedResources(): void {
    this.#knownResources = this.#shown.resources();
  }

  subscribed(uri: string, text?: string): boolean {
    if (!this.#subscriptions.has(uri) && this.#subscriptions.size >= mostSubscriptions) return false;
    this.#subscriptions.add(uri);
    this.#track(new Map(text === undefined ? [] : [[uri, text]]));
    return true;
  }

  unsubscribed(uri: string): void {
    this.#subscriptions.delete(uri);
    this.#track();
  }

  /** It is no change: every list and read has waited for it. */
  #firstGeneration(first: Generation): void {
    this.#known ??= toolListDigest(first);
    this.#knownResources ??= this.#shown.resources();
    this.#track();
    for (const uri of this.#texts.keys()) this.#texts.set(uri, this.#shown.text(uri) ?? '');
  }

  #announce(): void {
    this.#announced = this.#service.current;
    this.#announceLists();
    this.#announceTexts();
    this.#watched.look();
  }

  /** After the answers, which need not wait until the lists are made again. */
  #callsRecorded(): void {
    this.#looking = undefined;
    this.#announceResources();
    this.#watched.lookSoon();
  }

  #announceLists(): void {
    const digest = this.#shown.tools();
    if (digest !== undefined && digest !== this.#known && this.#listensTo('toolsListChanged')) {
      this.#known = digest;
      this.#sender?.sendToolListChanged().catch(alreadyClosed);
    }
    this.#announceResources();
  }

  #announceResources(): void {
    if (!this.#listensTo('resourcesListChanged')) return;
    const lists = this.#shown.resources();
    if (lists === undefined || lists === this.#knownResources) return;
    this.#knownResources = lists;
    this.#sender?.sendResourceListChanged().catch(alreadyClosed);
  }

  #announceTexts(): void {
    if (!this.#isReachable) return;
    for (const [uri, before] of this.#texts) {
      const text = this.#shown.text(uri);
      if (text === undefined || text === before) continue;
      this.#texts.set(uri, text);
      this.#tellOf(uri);
    }
  }

  #tellOf(uri: string): void {
    this.#sender?.sendResourceUpdated({ uri }).catch(alreadyClosed);
  }

  #listensTo(list: 'toolsListChanged' | 'resourcesListChanged'): boolean {
    if (!this.#isReachable) return false;
    if (this.#initialized) return true;
    for (const filter of this.#listening.values()) if (filter[list] === true) return true;
    return false;
  }

  /** Keeps a text for exactly the URIs that are subscribed to now and exist. `texts` are those that are known already. */
  #track(texts: ReadonlyMap<string, string> = new Map()): void {
    const wanted = new Set(this.#subscriptions);
    for (const { resourceSubscriptions } of this.#listening.values()) {
      for (const uri of resourceSubscriptions ?? []) if (wanted.size < mostSubscriptions) wanted.add(uri);
    }
    for (const uri of this.#texts.keys()) if (!wanted.has(uri)) this.#texts.delete(uri);
    for (const uri of this.#watched.uris) if (!wanted.has(uri)) this.#watched.unwatch(uri);
    for (const uri of wanted) {
      if (this.#texts.has(uri)) continue;
      const text = this.#shown.text(uri);
      if (text !== undefined) this.#texts.set(uri, text);
      else if (isResource(this.#service, uri)) this.#watched.watch(uri, texts.get(uri));
    }
  }
}

/** A notification has no receiver to complain to: when it cannot be sent, the connection is ending. */
function alreadyClosed(): void {}
