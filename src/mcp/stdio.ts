import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream';
import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { BoundedLines } from './bounded-lines.js';
import { ChangeNotifier } from './change-notifier.js';
import { whenInstructed } from './instructions-grace.js';
import { withCodeOf2025 } from './missing-resource.js';
import { reportedLine } from './reported-line.js';
import { createMcpServer, type ServedInstance, type ServerInfo } from './server.js';
import { WireWatch } from './wire-watch.js';

export interface StdioOptions extends ServerInfo {
  /** Default: the process's own. */
  readonly stdin?: Readable;
  readonly stdout?: Writable;
  /** Is told, in one line, of what went wrong out of band. */
  readonly report: (line: string) => void;
}

export interface StdioClients {
  /** Resolves when stdin has ended, stdout has broken or `close` was called: calls in flight have been aborted by then. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Longest request line in bytes. All arguments of a call together stay under 1 MiB (tool-node.md §4); stdin text may be more. */
const maxLineBytes = 8 * 1024 * 1024;
/** How long the end of stdin waits for answers other than calls, so that requests piped in at once are answered. In ms. */
const answerGraceMs = 5000;

/**
 * Serves one client on stdio in the era that it opens with: 2026-07-28, or 2025-11-25 and older. One list notification for each
 * generation whose list differs. Until `closed`, `console` writes to stderr: stdout carries protocol only.
 */
export function serveStdioClients(service: ServedInstance, options: StdioOptions): StdioClients {
  const { stdin = process.stdin, stdout = process.stdout, report } = options;
  const restoreConsole = sendConsoleToStderr();
  const watch = new WireWatch();
  const lines = new BoundedLines({
    maxBytes: maxLineBytes,
    onDropped: (bytes) =>
      report(`a line of ${bytes} bytes from the client was dropped; at most ${maxLineBytes} are read`),
    beforeEnd: () => watch.whenAnswered(answerGraceMs),
  });
  const transport = new WatchedTransport(lines, stdout, watch);
  const onerror = (error: Error) => report(reportedLine(error));

  let notifier: ChangeNotifier | undefined;
  watch.onListenOpened = (id, granted) => notifier?.listenOpened(id, granted);
  watch.onCancelled = (id) => notifier?.listenClosed(id);
  const handle = serveStdio(
    async ({ era }) => {
      await whenInstructed(service);
      notifier = new ChangeNotifier(service);
      transport.era = era;
      return connectionServer(service, options, notifier, era, onerror);
    },
    { transport, onerror },
  );
  const closed = whenClosed(transport, watch).then(() => {
    lines.destroy();
    restoreConsole();
  });
  pipeline(stdin, lines, () => void transport.close());
  return {
    closed,
    close: async () => {
      await handle.close();
      await closed;
    },
  };
}

/** The one server of a connection, or of a discover probe that is discarded again: closing it leaves nothing behind. */
function connectionServer(
  service: ServedInstance,
  info: ServerInfo,
  notifier: ChangeNotifier,
  era: 'legacy' | 'modern',
  onerror: (error: Error) => void,
): Server {
  const server = createMcpServer(service, info, notifier);
  notifier.attach(server);
  server.onerror = onerror;
  server.onclose = () => notifier.close();
  if (era === 'legacy') server.oninitialized = () => notifier.clientInitialized();
  return server;
}

class WatchedTransport extends StdioServerTransport {
  /** Of the server that answers. */
  era: 'legacy' | 'modern' = 'modern';
  readonly #watch: WireWatch;

  constructor(stdin: Readable, stdout: Writable, watch: WireWatch) {
    super(stdin, stdout, { maxBufferSize: 2 * maxLineBytes });
    this.#watch = watch;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    const written = super.send(this.era === 'legacy' ? withCodeOf2025(message) : message);
    this.#watch.sent(message);
    await written;
  }
}

/** `serveStdio` sets the transport's callbacks and tells nobody of the end, so the callbacks are wrapped after it has. */
function whenClosed(transport: StdioServerTransport, watch: WireWatch): Promise<void> {
  const receive = transport.onmessage;
  transport.onmessage = (message) => {
    watch.received(message);
    receive?.(message);
  };
  const close = transport.onclose;
  return new Promise((resolve) => {
    transport.onclose = () => {
      close?.();
      resolve();
    };
  });
}

function sendConsoleToStderr(): () => void {
  const original = globalThis.console;
  globalThis.console = new Console(process.stderr, process.stderr);
  return () => {
    globalThis.console = original;
  };
}
