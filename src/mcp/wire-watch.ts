import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import type { GrantedFilter, SubscriptionId } from './change-notifier.js';

/** Requests that the end of stdin ends, whether they are answered or not. */
const endedByStdin: ReadonlySet<string> = new Set(['tools/call', 'subscriptions/listen']);

/**
 * Sees every message of a connection, to know what the SDK's `serveStdio` keeps to itself: which subscriptions a 2026-era client
 * has open, and whether all requests are answered. The SDK has checked what it has received, and makes what it sends, so the kind of a
 * message shows in its members.
 */
export class WireWatch {
  onListenOpened: ((id: SubscriptionId, granted: GrantedFilter) => void) | undefined;
  onCancelled: ((id: SubscriptionId) => void) | undefined;
  readonly #unanswered = new Set<SubscriptionId>();
  #onAnswered: (() => void) | undefined;

  received(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (!endedByStdin.has(message.method)) this.#unanswered.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (!isSubscriptionId(id)) return;
      this.#settle(id);
      this.onCancelled?.(id);
    }
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      if (message.id !== undefined) this.#settle(message.id);
    } else if (message.method === 'notifications/subscriptions/acknowledged') {
      const id = message.params?._meta?.[SUBSCRIPTION_ID_META_KEY];
      if (isSubscriptionId(id)) this.onListenOpened?.(id, (message.params?.notifications ?? {}) as GrantedFilter);
    }
  }

  /** Resolves when no request but calls and subscriptions waits for an answer, or after `timeoutMs`. */
  async whenAnswered(timeoutMs: number): Promise<void> {
    if (this.#unanswered.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #settle(id: SubscriptionId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onAnswered?.();
  }
}

function isSubscriptionId(id: unknown): id is SubscriptionId {
  return typeof id === 'string' || typeof id === 'number';
}
