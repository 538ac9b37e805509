import { patienceMs } from './deadline.js';
import type { JsonObject, RawClient, WireMessage } from './raw-client.js';

export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** A tool as it stands in `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly properties: { readonly [name: string]: JsonObject } };
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}

export interface Listed {
  readonly tools: readonly ListedTool[];
  readonly generation: GenerationStamp;
}

export interface GenerationStamp {
  readonly number: number;
  readonly digest: string;
}

export interface CallAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly structured?: unknown;
  /** The parsed text of an error. */
  readonly refusal?: { readonly code: string; readonly message: string; readonly details: JsonObject };
  readonly generation: GenerationStamp | undefined;
  /** Id of its record. */
  readonly call: string | undefined;
}

/** One raw client that has opened its connection in one of the two eras and listens to every change. */
export class Session {
  private constructor(
    readonly wire: RawClient,
    readonly era: Era,
  ) {}

  /** Opens the connection. In the 2026 era that is `server/discover` and a `subscriptions/listen` to the list and `resources`. */
  static async open(wire: RawClient, era: Era, resources: readonly string[] = []): Promise<Session> {
    const session = new Session(wire, era);
    if (era === '2025-11-25') {
      await wire.result('initialize', { protocolVersion: era, capabilities: {}, clientInfo });
      wire.notify('notifications/initialized');
      for (const uri of resources) await wire.result('resources/subscribe', { uri });
    } else {
      await session.result('server/discover');
      await session.listen({ toolsListChanged: true, resourceSubscriptions: resources });
    }
    return session;
  }

  /** 2026 era: opens a subscription and returns its id, once it is acknowledged. */
  async listen(notifications: JsonObject): Promise<number> {
    const { id } = this.wire.send('subscriptions/listen', { notifications, ...this.meta() });
    await this.wire.notifications.next(({ method, params }) => {
      const meta = params?._meta as JsonObject | undefined;
      return method === 'notifications/subscriptions/acknowledged' && meta?.[`${namespace}subscriptionId`] === id;
    });
    return id;
  }

  request(method: string, params: JsonObject = {}): Promise<WireMessage> {
    return this.wire.request(method, { ...params, ...this.meta() });
  }

  result(method: string, params: JsonObject = {}, withinMs?: number): Promise<JsonObject> {
    return this.wire.result(method, { ...params, ...this.meta() }, withinMs);
  }

  /** Writes a request without waiting for its answer; `meta` is added to its `_meta`. */
  send(method: string, params: JsonObject = {}, meta: JsonObject = {}) {
    return this.wire.send(method, { ...params, _meta: { ...meta, ...this.meta()._meta } });
  }

  async list(withinMs?: number): Promise<Listed> {
    const result = await this.result('tools/list', {}, withinMs);
    return { tools: result.tools as ListedTool[], generation: stampOf(result) as GenerationStamp };
  }

  async names(): Promise<string[]> {
    return (await this.list()).tools.map(({ name }) => name);
  }

  /** `stated` is what the caller says in the `_meta` of the call. */
  async call(name: string, args: JsonObject = {}, stated: JsonObject = {}): Promise<CallAnswer> {
    const { _meta } = this.meta();
    const params = { name, arguments: args, _meta: { ...(_meta as JsonObject | undefined), ...stated } };
    return callAnswer(await this.wire.result('tools/call', params));
  }

  /** The parsed JSON of a resource. */
  async read(uri: string): Promise<JsonObject> {
    const { contents } = await this.result('resources/read', { uri });
    return JSON.parse((contents as { text: string }[])[0]?.text ?? 'null');
  }

  cancel(requestId: number): void {
    this.wire.notify('notifications/cancelled', { requestId, reason: 'test', ...this.meta() });
  }

  /** Waits for the next `notifications/tools/list_changed`. */
  listChanged(withinMs = patienceMs): Promise<WireMessage> {
    return this.wire.notifications.next(isListChanged, withinMs);
  }

  resourceUpdated(uri: string, withinMs = patienceMs): Promise<WireMessage> {
    return this.wire.notifications.next((message) => isUpdated(message) && message.params?.uri === uri, withinMs);
  }

  /** How many list notifications come while `windowMs` pass, those that have come already included. */
  async listChangesDuring(windowMs: number): Promise<number> {
    return (await this.wire.notifications.during(windowMs, isListChanged)).length;
  }

  private meta(): { readonly _meta?: JsonObject } {
    if (this.era === '2025-11-25') return {};
    return {
      _meta: {
        [`${namespace}protocolVersion`]: this.era,
        [`${namespace}clientInfo`]: clientInfo,
        [`${namespace}clientCapabilities`]: {},
      },
    };
  }
}

const namespace = 'io.modelcontextprotocol/';
const clientInfo = { name: 'raw', version: '0.0.0' };

export function isListChanged({ method }: WireMessage): boolean {
  return method === 'notifications/tools/list_changed';
}

export function isUpdated({ method }: WireMessage): boolean {
  return method === 'notifications/resources/updated';
}

/** Reads the result of `tools/call`. */
export function callAnswer(result: JsonObject): CallAnswer {
  const text = (result.content as { text: string }[])[0]?.text ?? '';
  const isError = result.isError === true;
  return {
    text,
    isError,
    generation: stampOf(result),
    call: (result._meta as JsonObject | undefined)?.['toolgraph/call'] as string | undefined,
    ...('structuredContent' in result ? { structured: result.structuredContent } : {}),
    ...(isError ? { refusal: JSON.parse(text) } : {}),
  };
}

function stampOf(result: JsonObject): GenerationStamp | undefined {
  return (result._meta as JsonObject | undefined)?.['toolgraph/generation'] as GenerationStamp | undefined;
}
