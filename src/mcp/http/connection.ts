import type { Context } from 'hono';

interface Socket {
  readonly localAddress?: string;
  readonly remoteAddress?: string;
  destroy?(): void;
}

/** The socket on which @hono/node-server got the request; undefined where there is none, as in a test that asks the app itself. */
export function socketOf(c: Context): Socket | undefined {
  return (c.env as { incoming?: { socket?: Socket } } | undefined)?.incoming?.socket;
}

/** Closes the connection in the midst of its answer, by which the client sees that this is not whole. False where there is none. */
export function breakOff(c: Context): boolean {
  const socket = socketOf(c);
  socket?.destroy?.();
  return socket?.destroy !== undefined;
}
