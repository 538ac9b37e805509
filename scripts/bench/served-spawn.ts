import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { processFile } from './measuring-process.js';

/** Has a server spawn `true` by itself, without a call and without toolgraph: what a process of its size pays for any child. */
export class ServedSpawn {
  readonly #folder = mkdtempSync(join(tmpdir(), 'toolgraph-bench-spawn-'));
  readonly #path = join(this.#folder, 'socket');
  #socket: Socket | undefined;

  /** For the Node of the server. */
  get nodeOptions(): string[] {
    const module = pathToFileURL(processFile('bare-spawner'));
    module.searchParams.set('socket', this.#path);
    return ['--import', module.href];
  }

  /** To the server that was started last. */
  async connect(): Promise<void> {
    this.#socket?.destroy();
    this.#socket = connect(this.#path).setEncoding('utf8');
    await once(this.#socket, 'connect');
  }

  /** The time that one spawn took in that process, in ms, without the way there and back. */
  async spawn(): Promise<number> {
    const socket = this.#socket;
    if (socket === undefined) throw new Error('it is connected to no server');
    const answer = once(socket, 'data');
    socket.write('.');
    const [line] = await answer;
    return Number(line);
  }

  remove(): void {
    this.#socket?.destroy();
    rmSync(this.#folder, { recursive: true });
  }
}
