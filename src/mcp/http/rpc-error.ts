import { isJsonObject } from '../../json-object.js';

/** What a JSON-RPC request may be known by; null where it cannot be read. */
export type RequestId = string | number | null;

export interface RpcError {
  /** HTTP status. */
  readonly status: number;
  /** JSON-RPC error code. */
  readonly code: number;
  readonly message: string;
  readonly id?: RequestId;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An HTTP answer whose body is a JSON-RPC error, which is what a client of MCP reads. */
export function rpcError({ status, code, message, id = null, headers = {} }: RpcError): Response {
  return Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status, headers });
}

/** The id of a request, as far as its body has one. */
export function requestIdOf(body: unknown): RequestId {
  const id = isJsonObject(body) ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** JSON-RPC error codes that answers of the HTTP edge have. -32001 is what the SDK says of a session that is not there. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  internal: -32603,
  refused: -32000,
  noSession: -32001,
} as const;
