import type { Generation } from '../projection/generation.js';
import { readResource } from './pure.js';
import type { ClientView, ServedInstance } from './server.js';

/** What a connection can be told. A `Server` of the SDK has both. */
export interface NotificationSender {
  sendToolListChanged(): Promise<void>;
  sendResourceUpdated(params: { uri: string }): Promise<void>;
}

export type SubscriptionId = string | number;

/** What a 2026-era `subscriptions/listen` asked for and was granted. */
export interface GrantedFilter {
  readonly toolsListChanged?: boolean;
  readonly resourceSubscriptions?: readonly string[];
}

/**
 * Tells one client what changed: the list at most once a generation and never for equal bytes (DESIGN decision 5), a resource
 * it subscribed to when its text differs. It remembers the digest of the list that the client has last seen or been told of, so
 * a change that comes before the client may be told (2025: before `notifications/initialized`; 2026: before its
 * `subscriptions/listen`) is told then, and one that was undone by then is not.
 */
export class ChangeNotifier implements ClientView {
  readonly #service: ServedInstance;
  /** `listDigest` that the client knows of; undefined until there is a generation. */
  #known: string | undefined;
  /** 2025 era: the client has sent `notifications/initialized`. */
  #initialized = false;
  /** 2025 era: URIs of `resources/subscribe`. */
  readonly #subscriptions = new Set<string>();
  /** 2026 era: open `subscriptions/listen` requests. */
  readonly #listening = new Map<SubscriptionId, GrantedFilter>();
  /** Text of each subscribed resource as the client can know it. */
  readonly #texts = new Map<string, string>();
  #sender: NotificationSender | undefined;
  readonly #unsubscribe: () => void;

  constructor(service: ServedInstance) {
    this.#service = service;
    this.#known = service.current?.listDigest;
    service.ready.then(
      (first) => this.#firstGeneration(first),
      () => {},
    );
    this.#unsubscribe = service.subscribe(({ previous }) => {
      if (previous !== undefined) this.#announce();
    });
  }

  /** Must be called once, before the connection can send anything. */
  attach(sender: NotificationSender): void {
    this.#sender = sender;
  }

  close(): void {
    this.#unsubscribe();
    this.#sender = undefined;
  }

  /** 2025 era: `notifications/initialized` has arrived. */
  clientInitialized(): void {
    this.#initialized = true;
    this.#announce();
  }

  /** 2026 era: a `subscriptions/listen` has been acknowledged. */
  listenOpened(id: SubscriptionId, granted: GrantedFilter): void {
    this.#listening.set(id, granted);
    this.#trackTexts();
    this.#announce();
  }

  /** 2026 era: a request was cancelled; without effect when it is not a `subscriptions/listen`. */
  listenClosed(id: SubscriptionId): void {
    if (this.#listening.delete(id)) this.#trackTexts();
  }

  listed(generation: Generation): void {
    this.#known = generation.listDigest;
  }

  subscribed(uri: string): void {
    this.#subscriptions.add(uri);
    this.#trackTexts();
  }

  unsubscribed(uri: string): void {
    this.#subscriptions.delete(uri);
    this.#trackTexts();
  }

  /** It is no change: every list and read has waited for it. */
  #firstGeneration(first: Generation): void {
    this.#known ??= first.listDigest;
    for (const uri of this.#texts.keys()) this.#texts.set(uri, this.#text(uri) ?? '');
  }

  #announce(): void {
    this.#announceList();
    for (const [uri, before] of this.#texts) {
      const text = this.#text(uri);
      if (text === undefined || text === before) continue;
      this.#texts.set(uri, text);
      this.#sender?.sendResourceUpdated({ uri }).catch(alreadyClosed);
    }
  }

  #announceList(): void {
    const digest = this.#service.current?.listDigest;
    if (digest === undefined || digest === this.#known || !this.#listensToList()) return;
    this.#known = digest;
    this.#sender?.sendToolListChanged().catch(alreadyClosed);
  }

  #listensToList(): boolean {
    if (this.#initialized) return true;
    for (const { toolsListChanged } of this.#listening.values()) if (toolsListChanged === true) return true;
    return false;
  }

  /** Keeps a text for exactly the URIs that are subscribed to now and exist. */
  #trackTexts(): void {
    const wanted = new Set(this.#subscriptions);
    for (const { resourceSubscriptions } of this.#listening.values()) {
      for (const uri of resourceSubscriptions ?? []) wanted.add(uri);
    }
    for (const uri of this.#texts.keys()) if (!wanted.has(uri)) this.#texts.delete(uri);
    for (const uri of wanted) {
      const text = this.#texts.has(uri) ? undefined : this.#text(uri);
      if (text !== undefined) this.#texts.set(uri, text);
    }
  }

  #text(uri: string): string | undefined {
    return readResource(this.#service, uri)?.text;
  }
}

/** A notification has no receiver to complain to: when it cannot be sent, the connection is ending. */
function alreadyClosed(): void {}
