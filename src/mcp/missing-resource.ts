import { isJSONRPCErrorResponse, type JSONRPCMessage } from '@modelcontextprotocol/server';

/**
 * A resource that is not there has a code of its own until 2025-11-25 (server/resources.mdx, Error Handling); the SDK has that of 2026-07-28 for
 * every revision. Its errors about nothing else have the URI as data.
 */
export function withCodeOf2025(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message;
  const { code, data } = message.error;
  const isMissing = code === -32602 && typeof data === 'object' && data !== null && 'uri' in data;
  return isMissing ? { ...message, error: { ...message.error, code: -32002 } } : message;
}
