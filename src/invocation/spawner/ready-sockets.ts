import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { parseSocketHeader } from './messages.js';

/** Connections that have not said yet who they are. */
const mostUnknown = 256;

/**
 * The ends of the sockets that a spawner keeps connected to this process. They come in by an abstract address of Linux, which is no file that
 * could be left behind; anybody in the same network namespace can connect there, so that each has to know a secret.
 */
export class ReadySockets {
  readonly address: string;
  readonly token = randomBytes(16).toString('hex');
  readonly #server: Server;
  readonly #unknown = new Set<Socket>();
  readonly #ready = new Map<number, Socket>();

  private constructor() {
    this.address = `\0toolgraph-${process.pid}-${randomBytes(8).toString('hex')}`;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#admit(socket)).unref();
  }

  /** Rejects with the error of the system. */
  static async listen(): Promise<ReadySockets> {
    const sockets = new ReadySockets();
    sockets.#server.listen(sockets.address);
    await once(sockets.#server, 'listening');
    sockets.#server.on('error', () => {});
    return sockets;
  }

  /** So many sockets by their numbers, paused, the one that came first first; undefined where there are fewer. They are the caller's to destroy. */
  take(count: number): [number, Socket][] | undefined {
    if (this.#ready.size < count) return undefined;
    const taken = [...this.#ready].slice(0, count);
    for (const [number, socket] of taken) {
      this.#ready.delete(number);
      socket.ref();
    }
    return taken;
  }

  /** Takes no more, and destroys those that were not taken. */
  close(): void {
    this.#server.close();
    for (const socket of [...this.#unknown, ...this.#ready.values()]) socket.destroy();
    this.#unknown.clear();
    this.#ready.clear();
  }

  #admit(socket: Socket): void {
    socket.unref().on('error', () => {});
    if (this.#unknown.size >= mostUnknown) {
      socket.destroy();
      return;
    }
    this.#unknown.add(socket);
    socket.once('close', () => this.#unknown.delete(socket));
    socket.once('data', (bytes) => {
      socket.pause();
      this.#unknown.delete(socket);
      const header = parseSocketHeader(bytes);
      if (header !== undefined && this.#isMine(header.token)) this.#ready.set(header.number, socket);
      else socket.destroy();
    });
  }

  #isMine(token: string): boolean {
    return timingSafeEqual(Buffer.from(token), Buffer.from(this.token));
  }
}
