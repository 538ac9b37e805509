import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import {
  ChangeNotifier,
  type GrantedFilter,
  type NotificationSender,
  type SubscriptionId,
} from '../change-notifier.js';
import type { ServedInstance } from '../server.js';
import type { ShownLists } from '../shown-lists.js';

/** A `subscriptions/listen` of 2026-07-28 that the SDK will find in order or refuse. */
export interface ListenRequest {
  readonly id: SubscriptionId;
  readonly filter: GrantedFilter;
}

/**
 * The clients of 2026-07-28 that listen to changes. Each request has a handler of the SDK for itself: its bus is then that of one client, who is told
 * what a client on a connection of its own is told, and closing it ends that one stream as the revision says, with a result.
 */
export class Listeners {
  readonly #service: ServedInstance;
  readonly #factory: McpServerFactory;
  readonly #shown: ShownLists;
  readonly #open = new Set<McpHttpHandler>();

  constructor(service: ServedInstance, factory: McpServerFactory, shown: ShownLists) {
    this.#service = service;
    this.#factory = factory;
    this.#shown = shown;
  }

  get count(): number {
    return this.#open.size;
  }

  answer(request: Request, parsedBody: unknown, listen: ListenRequest): Promise<Response> {
    const bus: ServerEventBus = {
      publish() {},
      subscribe: (tell) => {
        const notifier = new ChangeNotifier(this.#service, this.#shown);
        notifier.attach(senderOf(tell));
        notifier.listenOpened(listen.id, listen.filter);
        this.#open.add(handler);
        return () => {
          notifier.close();
          this.#open.delete(handler);
        };
      },
    };
    const handler = createMcpHandler(this.#factory, { legacy: 'reject', bus });
    return handler.fetch(request, { parsedBody });
  }

  /** Ends every stream with the result of its request. */
  async end(): Promise<void> {
    await Promise.all([...this.#open].map((handler) => handler.close()));
  }
}

function senderOf(tell: (event: ServerEvent) => void): NotificationSender {
  return {
    sendToolListChanged: async () => tell({ kind: 'tools_list_changed' }),
    sendResourceListChanged: async () => tell({ kind: 'resources_list_changed' }),
    sendResourceUpdated: async ({ uri }) => tell({ kind: 'resource_updated', uri }),
  };
}
