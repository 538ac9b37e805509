import { PassThrough, type Readable, Writable } from 'node:stream';

type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly uri?: string;
    readonly requestId?: unknown;
    readonly _meta?: Record<string, unknown>;
  };
};

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/**
 * Streamable HTTP as two pipes of lines, for a client that speaks JSON-RPC on pipes: each line written is a POST, each message of any answer or
 * stream is a line to read. The session of a 2025 revision is kept, and its stream opened when the client says that it is initialized.
 */
export class HttpPipe {
  readonly toServer: Writable;
  readonly fromServer: Readable;
  session: string | undefined;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #lines = new PassThrough();
  readonly #all = new AbortController();
  readonly #open = new Map<unknown, AbortController>();

  constructor(url: URL, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
    this.fromServer = this.#lines;
    this.toServer = new Writable({
      decodeStrings: false,
      write: (chunk, _, written) => {
        for (const line of String(chunk).split('\n')) if (line !== '') this.#post(line);
        written();
      },
      final: (ended) => {
        this.close();
        ended();
      },
    });
  }

  /** Breaks every connection, as a process does that is killed. */
  close(): void {
    this.#all.abort();
    this.#lines.end();
  }

  /** Resolves when the answer to the GET of a session has begun. */
  async openStream(): Promise<void> {
    const { body } = await fetch(this.#url, {
      headers: { ...this.#headers, accept: 'text/event-stream', ...this.#ofSession() },
      signal: this.#all.signal,
    });
    this.#read(body).catch(() => {});
  }

  #post(line: string): void {
    const message: Message = JSON.parse(line);
    const { method, params } = message;
    if (method === 'notifications/cancelled' && params?._meta !== undefined) {
      this.#open.get(params.requestId)?.abort();
      return;
    }
    this.#send(line, message).catch(() => {});
  }

  async #send(line: string, { id, method, params }: Message): Promise<void> {
    const ending = new AbortController();
    if (id !== undefined) this.#open.set(id, ending);
    const response = await fetch(this.#url, {
      method: 'POST',
      body: line,
      headers: {
        ...this.#headers,
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...(params?._meta?.[versionKey] === undefined ? this.#ofSession() : modernHeaders(method, params)),
      },
      signal: AbortSignal.any([this.#all.signal, ending.signal]),
    });
    this.session ??= response.headers.get('mcp-session-id') ?? undefined;
    if (method === 'notifications/initialized') await this.openStream();
    await this.#read(response.body);
  }

  #ofSession(): Record<string, string> {
    return this.session === undefined ? {} : { 'mcp-session-id': this.session };
  }

  /** A line for each message of a body: one JSON text, or events. */
  async #read(body: ReadableStream<Uint8Array> | null): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    }
    this.#take(rest);
  }

  #take(line: string): void {
    if (line.startsWith('data: ')) this.#lines.write(`${line.slice(6)}\n`);
    else if (line.startsWith('{')) this.#lines.write(`${line}\n`);
  }
}

function modernHeaders(method: string | undefined, params: Message['params']): Record<string, string> {
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': String(params?._meta?.[versionKey]),
    'mcp-method': method ?? '',
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}
