import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { builtModule } from '../../built-module.js';
import { signalGroup } from '../process-group.js';
import { lostStartCode, type NotStarted } from '../spawn-child.js';
import type { ProcessExit, ProcessStart, StartedProcess } from '../start-process.js';
import type { SpawnerReply, SpawnerRequest } from './messages.js';
import { ReadySockets } from './ready-sockets.js';

/** How long the spawner may take to say that it has started a process, in ms, also on a host that is busy. */
const answerMs = 30_000;
/** Options of Node, and variables, by which it has fewer threads and less in memory: with both a start takes a sixth less. */
const smallHeap = ['--max-semi-space-size=1', '--v8-pool-size=0'];
const smallMemory = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1' };
/** A spawner that has had nothing to do for this long is ended. */
const idleMs = 300_000;

interface Pending {
  readonly settle: (started: StartedProcess | NotStarted) => void;
  readonly timer: NodeJS.Timeout;
  readonly stdin: string | undefined;
  /** For stdin, stdout and stderr. */
  readonly sockets: readonly [Socket | undefined, Socket, Socket];
}

interface Running {
  readonly pid: number;
  readonly stdin: Socket | undefined;
  readonly exit: (exit: ProcessExit) => void;
}

/**
 * A small process that starts others for this one. For each process that is started, Linux copies the page tables of the one that starts it, and
 * then takes a page fault for each page that this one writes to: milliseconds, which grow with what the server has in memory. The
 * standard streams of a process are sockets to this process, and nothing of it is passed on by the spawner but its start and its end.
 */
export class Spawner {
  readonly #process: ChildProcess;
  readonly #ready: ReadySockets;
  readonly #pending = new Map<number, Pending>();
  readonly #running = new Map<number, Running>();
  readonly #opened: Promise<boolean>;
  #setOpened: (isOpen: boolean) => void = () => {};
  readonly #idle: NodeJS.Timeout;
  #lastId = 0;
  #isEnded = false;

  private constructor(ready: ReadySockets) {
    this.#ready = ready;
    this.#opened = new Promise((resolve) => {
      this.#setOpened = resolve;
    });
    const file = fileURLToPath(builtModule('invocation/spawner/process.js'));
    const { LD_LIBRARY_PATH } = process.env;
    const env = { ...smallMemory, ...(LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }) };
    // Its own session: a signal to the group of a terminal is for the server. Of the environment nothing but what Node may need to be loaded.
    this.#process = spawn(process.execPath, [...smallHeap, file], {
      cwd: '/',
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process.on('error', () => this.#lose());
    this.#process.once('disconnect', () => this.#lose());
    this.#process.on('message', (reply: SpawnerReply) => this.#take(reply));
    this.#process.unref();
    this.#unref();
    this.#idle = setTimeout(() => this.end(), idleMs).unref();
    this.#tell({ kind: 'open', address: ready.address, token: ready.token });
  }

  /** Undefined, or an error, where none can be started. */
  static async begin(): Promise<Spawner | undefined> {
    const ready = await ReadySockets.listen().catch(() => undefined);
    if (ready === undefined) return undefined;
    const spawner = new Spawner(ready);
    return (await spawner.#opened) ? spawner : undefined;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** It takes no more starts. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Undefined when it cannot start one right now, so that somebody else has to. Never rejects. */
  start(command: ProcessStart, withOutputs: boolean): Promise<StartedProcess | NotStarted> | undefined {
    const { file, args, cwd, env, stdin } = command;
    const taken = this.#isEnded ? undefined : this.#ready.take(stdin === undefined ? 2 : 3);
    const [stdout, stderr, input] = taken ?? [];
    if (stdout === undefined || stderr === undefined) return undefined;
    const id = ++this.#lastId;
    this.#idle.refresh();
    this.#process.channel?.ref();
    const started = new Promise<StartedProcess | NotStarted>((settle) => {
      // One that does not answer is of no use to anybody: its end settles this.
      const timer = setTimeout(() => this.#process.kill('SIGKILL'), answerMs);
      this.#pending.set(id, { settle, timer, stdin, sockets: [input?.[1], stdout[1], stderr[1]] });
    });
    const numbers = [input?.[0] ?? null, stdout[0], stderr[0]];
    this.#tell({ kind: 'start', id, image: { file, args, cwd, env }, sockets: numbers, withOutputs });
    return started;
  }

  /** Takes no more starts, and ends when all that it has started have ended. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#idle);
    this.#endIfIdle();
  }

  #take(reply: SpawnerReply): void {
    if (reply.kind === 'ready') this.#setOpened(true);
    else if (reply.kind === 'started') this.#started(reply);
    else if (reply.kind === 'failed') this.#failed(reply.id, reply.errorCode);
    else this.#exited(reply);
    if (this.#isEnded) this.#endIfIdle();
  }

  #started({ id, pid, identity, outputs }: Extract<SpawnerReply, { kind: 'started' }>): void {
    const pending = this.#unpend(id);
    if (pending === undefined) return;
    const [stdin, stdout, stderr] = pending.sockets;
    const exited = new Promise<ProcessExit>((exit) => this.#running.set(id, { pid, stdin, exit }));
    for (const socket of [stdout, stderr]) socket.once('end', () => socket.destroy());
    stdin?.end(pending.stdin ?? '');
    pending.settle({ pid, ...(identity === undefined ? {} : { identity }), outputs, stdout, stderr, exited });
  }

  #failed(id: number, errorCode: string | undefined): void {
    const pending = this.#unpend(id);
    for (const socket of pending?.sockets ?? []) socket?.destroy();
    pending?.settle({ errorCode });
    this.#unref();
  }

  #exited({ id, exitCode, signal }: Extract<SpawnerReply, { kind: 'exited' }>): void {
    const running = this.#running.get(id);
    this.#running.delete(id);
    running?.stdin?.destroy();
    running?.exit({ exitCode, signal });
    this.#unref();
  }

  #unpend(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    clearTimeout(pending?.timer);
    this.#pending.delete(id);
    return pending;
  }

  /** The process has ended, or nothing more can be said to it. What it has started is killed: nobody would hear of its end. */
  #lose(): void {
    this.#isEnded = true;
    this.#setOpened(false);
    clearTimeout(this.#idle);
    this.#process.kill('SIGKILL');
    this.#ready.close();
    for (const id of [...this.#pending.keys()]) this.#failed(id, lostStartCode);
    for (const { pid, stdin, exit } of this.#running.values()) {
      signalGroup(pid, 'SIGKILL');
      stdin?.destroy();
      exit({ exitCode: null, signal: null, isLost: true });
    }
    this.#running.clear();
  }

  #tell(request: SpawnerRequest): void {
    this.#process.send(request, undefined, {}, () => {});
  }

  /** While nothing runs it keeps no process running. */
  #unref(): void {
    if (this.#pending.size + this.#running.size === 0) this.#process.channel?.unref();
  }

  #endIfIdle(): void {
    if (this.#pending.size + this.#running.size > 0) return;
    this.#ready.close();
    if (this.#process.connected) this.#process.disconnect();
  }
}
