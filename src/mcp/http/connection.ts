import type { Context } from 'hono';

interface Socket {
  readonly localAddress?: string;
  readonly remoteAddress?: string;
}

/** The socket on which @hono/node-server got the request; undefined where there is none, as in a test that asks the app itself. */
export function socketOf(c: Context): Socket | undefined {
  return (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket;
}
