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
  const inFlight = new InFlight(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: realPort } = server.address() as AddressInfo;
  return { address: { host, port: realPort }, close: (graceMs) => end(server, app, inFlight, graceMs) };
}

async function end(server: Server, app: HttpApp, inFlight: InFlight, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  await app.drain();
  await inFlight.none(graceMs);
  // A connection on which nothing was ever asked is not idle to Node, and would be waited for.
  server.closeAllConnections();
  await closed;
  await app.close();
}

/** The requests that have come and whose answers are not sent. */
class InFlight {
  #count = 0;
  #onNone: () => void = () => {};

  constructor(server: Server) {
    server.on('request', (_, response) => {
      this.#count += 1;
      response.once('close', () => {
        this.#count -= 1;
        if (this.#count === 0) this.#onNone();
      });
    });
  }

  /** Resolves when there is none, or after `withinMs`. */
  async none(withinMs: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
