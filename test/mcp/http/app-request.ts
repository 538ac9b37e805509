export interface Sent {
  readonly method?: string;
  /** Default of `host`: localhost:8080. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the connection. */
  readonly localAddress?: string;
  readonly remoteAddress?: string;
}

interface AskedApp {
  fetch(request: Request, connection: never): Response | Promise<Response>;
}

/** Asks an app as @hono/node-server does for a client on a connection. `target`: a path, or in absolute form. */
export async function ask(app: AskedApp, target: string, sent: Sent = {}): Promise<Response> {
  const { method = 'GET', headers, body, localAddress = '127.0.0.1', remoteAddress = '127.0.0.1' } = sent;
  const all = { host: 'localhost:8080', ...headers };
  // A Request takes no address with a user, and no malformed one.
  const host = all.host.includes('@') || !URL.canParse(`http://${all.host}`) ? 'localhost' : all.host;
  const url = target.startsWith('/') ? `http://${host}${target}` : target;
  const request = new Request(url, { method, headers: all, ...(body === undefined ? {} : { body }) });
  const connection = { incoming: { socket: { localAddress, remoteAddress } } };
  return app.fetch(request, connection as never);
}
