import {
  createMcpHandler,
  type McpHttpHandler,
  type McpServerFactory,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../../json-object.js';
import {
  ChangeNotifier,
  type GrantedFilter,
  type NotificationSender,
  type SubscriptionId,
} from '../change-notifier.js';
import type { ServedInstance } from '../server.js';
import type { ShownLists } from '../shown-lists.js';
import { mostSubscriptions } from '../watched-resources.js';
import { requestIdOf } from './rpc-error.js';

/** Length of the id of a listen request, and of each URI in it: every one of them is held for as long as its stream is open. */
const longestHeld = 4096;

/** A `subscriptions/listen` of 2026-07-28, which the SDK will find in order or refuse. */
export interface ListenRequest {
  readonly id: SubscriptionId;
  readonly filter: GrantedFilter;
  /** The message with no more in its filter than can be granted: the acknowledgement says what that is. */
  readonly body: unknown;
}

/** The request in a body; undefined where that is another one, or has an id that none has. */
export function listenRequest(body: unknown): ListenRequest | undefined {
  if (!isJsonObject(body) || body.method !== 'subscriptions/listen') return undefined;
  const { params } = body;
  const id = requestIdOf(body);
  if (id === null || String(id).length > longestHeld) return undefined;
  if (!isJsonObject(params) || !isJsonObject(params.notifications)) return { id, filter: {}, body };
  const filter = grantable(params.notifications);
  return { id, filter, body: { ...body, params: { ...params, notifications: filter } } };
}

function grantable(notifications: Readonly<Record<string, unknown>>): GrantedFilter {
  const { resourceSubscriptions: uris } = notifications;
  if (!Array.isArray(uris)) return notifications;
  const known = uris.filter((uri) => typeof uri !== 'string' || uri.length <= longestHeld);
  return { ...notifications, resourceSubscriptions: known.slice(0, mostSubscriptions) };
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
  /** Requests of which it is not known yet whether a stream comes of them. */
  #opening = 0;

  constructor(service: ServedInstance, factory: McpServerFactory, shown: ShownLists) {
    this.#service = service;
    this.#factory = factory;
    this.#shown = shown;
  }

  get count(): number {
    return this.#open.size + this.#opening;
  }

  async answer(request: Request, listen: ListenRequest): Promise<Response> {
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
    this.#opening += 1;
    try {
      return await handler.fetch(request, { parsedBody: listen.body });
    } finally {
      this.#opening -= 1;
    }
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
