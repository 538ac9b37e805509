import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { HttpApp } from './app.js';

export interface HttpAddress {
  /** A name or an IP address, without the brackets of an IPv6 one. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

export interface HttpServer {
  /** Where it listens: the port is a real one. */
  readonly address: HttpAddress;
  /**
   * Ends it: no connection is accepted any more, listeners are told of the end, requests in flight are answered if that takes no longer than
   * `graceMs`, and then every connection is closed.
   */
  close(graceMs: number): Promise<void>;
}

/** What clients may take of the server before a request of theirs has come whole. Times are in ms. */
export interface ConnectionLimits {
  /** For a request line and its headers, and for all of a request: who sends too slowly holds a connection, and not for ever. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How long a connection on which nothing is asked stays open. */
  readonly keepAliveTimeout: number;
  /** How often these times are looked at. */
  readonly connectionsCheckingInterval: number;
  /** Bytes of a request line and its headers. */
  readonly maxHeaderSize: number;
  readonly maxConnections: number;
}

export const connectionLimits: ConnectionLimits = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  // Longer than what proxies keep theirs.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
  maxConnections: 5_000,
};

const idleLookMs = 20;

/** Serves `app` on a port. Rejects with the error of the system when it cannot be had. */
export async function listen(
  app: HttpApp,
  { host, port }: HttpAddress,
  { maxConnections, ...limits }: ConnectionLimits = connectionLimits,
): Promise<HttpServer> {
  const server = createServer(
    limits,
    getRequestListener((request, connection) => app.fetch(request, connection as HttpBindings)),
  );
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: realPort } = server.address() as AddressInfo;
  return { address: { host, port: realPort }, close: (graceMs) => end(server, app, graceMs) };
}

async function end(server: Server, app: HttpApp, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await app.drain();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  // A connection is idle once its last answer is sent; nothing tells of that.
  const looking = setInterval(() => server.closeIdleConnections(), idleLookMs);
  await closed;
  clearTimeout(timer);
  clearInterval(looking);
  await app.close();
}
