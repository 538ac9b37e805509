import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { rpcCodes, rpcError } from './rpc-error.js';

/** Size of a request body. All arguments of a call together stay under 1 MiB (tool-node.md §4); stdin text may be more. */
export const maxBodyBytes = 8 * 1024 * 1024;

/** Refuses a larger body with 413: one that says so before it is read, one that does not as soon as it is. */
export function limitBody(): MiddlewareHandler {
  // Hono's own makes a stream of every body, which costs a request more than all else here; a stated length needs no stream.
  const counted = bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge });
  return async (c, next) => {
    if (c.req.header('transfer-encoding') !== undefined) return counted(c, next);
    if (Number(c.req.header('content-length') ?? 0) > maxBodyBytes) return tooLarge();
    return next();
  };
}

/** The parsed JSON of a body; undefined when it is none. */
export async function jsonBody(request: Request): Promise<{ readonly value: unknown } | undefined> {
  try {
    return { value: JSON.parse(utf8.decode(await request.arrayBuffer())) };
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function tooLarge(): Response {
  const message = `the body of the request is larger than ${maxBodyBytes} bytes`;
  return rpcError({ status: 413, code: rpcCodes.refused, message, headers: { connection: 'close' } });
}
