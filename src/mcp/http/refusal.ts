import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/**
 * A request that is answered before anything acts on it: a JSON-RPC error without an id, which MCP clients read, with an HTTP status that all others
 * read. `message`: for the person who must act; never a header of the request, a path or a secret. -32000: what the SDK answers in such cases.
 */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return c.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, status, headers);
}
