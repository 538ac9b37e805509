export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export type JsonObject = { readonly [key: string]: unknown };

export interface ListedTool {
  readonly name: string;
  readonly description: string;
}

export interface ListedTools {
  readonly tools: readonly ListedTool[];
  readonly generation: { readonly number: number; readonly digest: string };
}

/** The server has answered a request with a JSON-RPC error. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly error: JsonObject) {
    super(`the server refused a request: ${JSON.stringify(error)}`);
  }
}

export const clientInfo = { name: 'toolgraph-scripts', version: '0.0.0' };
const metaPrefix = 'io.modelcontextprotocol/';

/** The parameters of a message as the era has them: each of 2026-07-28 says who sends it. What `params._meta` has is kept. */
export function paramsOf(era: Era, params: JsonObject = {}): JsonObject {
  const own = params._meta as JsonObject | undefined;
  if (era === '2025-11-25') return params;
  const _meta = {
    ...own,
    [`${metaPrefix}protocolVersion`]: era,
    [`${metaPrefix}clientInfo`]: clientInfo,
    [`${metaPrefix}clientCapabilities`]: {},
  };
  return { ...params, _meta };
}

/** The id of the subscription that a notification belongs to. */
export function subscriptionOf({ params }: JsonObject): unknown {
  const meta = (params as JsonObject | undefined)?._meta as JsonObject | undefined;
  return meta?.[`${metaPrefix}subscriptionId`];
}

/** The result of `tools/list`, with the generation that it is of. */
export function listedTools({ tools, _meta }: JsonObject): ListedTools {
  const generation = (_meta as JsonObject)['toolgraph/generation'] as ListedTools['generation'];
  return { tools: tools as ListedTool[], generation };
}
