import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { cliPath } from './build.js';
import { patienceMs, within } from './deadline.js';
import { EventQueue } from './event-queue.js';
import { HttpPipe } from './http-pipe.js';
import { Instance } from './instance.js';
import { RawClient } from './raw-client.js';
import { type Era, Session } from './session.js';

export interface StartOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Id of the user and group that it runs as. Default: those of the test. */
  readonly user?: number | undefined;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A `toolgraph serve` that was started as a host starts it, and a raw client on its pipes. */
export class ServerProcess {
  readonly wire: RawClient;
  /** Lines of stderr. */
  readonly stderr = new EventQueue<string>('line of stderr');
  readonly exited: Promise<Exit>;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor(instance: Pick<Instance, 'root'>, { args = [], env = {}, user }: StartOptions = {}) {
    const [command, ...words] = serveCommand(instance, args);
    this.child = spawn(command, words, {
      cwd: tmpdir(),
      env: serveEnv(env),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user, gid: user }),
    });
    this.wire = new RawClient(this.child.stdin, this.child.stdout, () => `stderr: ${this.stderrText}`);
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    collectLines(this.child.stderr, (line) => this.stderr.push(line));
  }

  get pid(): number {
    return this.child.pid ?? Number.NaN;
  }

  get stderrText(): string {
    return this.stderr.all.join('\n');
  }

  open(era: Era, resources: readonly string[] = []): Promise<Session> {
    return Session.open(this.wire, era, resources);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends stdin and waits for the exit, which must come. */
  async stop(): Promise<Exit> {
    this.wire.end();
    return await within(
      this.exited,
      patienceMs,
      () => `the server did not end with its stdin; stderr: ${this.stderrText}`,
    );
  }
}

/** A `toolgraph serve --http` on a free port of the loopback. */
export class HttpServerProcess {
  /** Lines of stderr. */
  readonly stderr: EventQueue<string>;
  readonly url: URL;
  private readonly process: ServerProcess;

  private constructor(process: ServerProcess, url: URL) {
    this.process = process;
    this.stderr = process.stderr;
    this.url = url;
  }

  static async start(instance: Pick<Instance, 'root'>, options: StartOptions = {}): Promise<HttpServerProcess> {
    const process = new ServerProcess(instance, { ...options, args: ['--http', '0', ...(options.args ?? [])] });
    try {
      const line = await process.stderr.next((said) => said.includes('listening on '));
      return new HttpServerProcess(process, new URL(line.slice(line.indexOf('http://'))));
    } catch (error) {
      process.kill('SIGKILL');
      throw error;
    }
  }

  get pid(): number {
    return this.process.pid;
  }

  get exited(): Promise<Exit> {
    return this.process.exited;
  }

  /** A raw client on connections of its own. */
  connect(headers: Readonly<Record<string, string>> = {}): { readonly wire: RawClient; readonly pipe: HttpPipe } {
    const pipe = new HttpPipe(this.url, headers);
    return { pipe, wire: new RawClient(pipe.toServer, pipe.fromServer, () => `stderr: ${this.process.stderrText}`) };
  }

  open(era: Era, resources: readonly string[] = []): Promise<Session> {
    return Session.open(this.connect().wire, era, resources);
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Tells it to end and waits for the exit, which must come. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.kill(signal);
    return await within(
      this.exited,
      patienceMs,
      () => `the server did not end on ${signal}; stderr: ${this.process.stderrText}`,
    );
  }
}

vi.setConfig({ testTimeout: 4 * patienceMs });

/** An instance that is removed after the test. */
export async function makeInstance(nodes: readonly Record<string, unknown>[] = []): Promise<Instance> {
  const instance = await Instance.make(nodes);
  onTestFinished(() => instance.dispose());
  return instance;
}

/** Starts `toolgraph serve` on the instance. After the test its stdin is ended, and a server that does not end then fails the test. */
export function startServer(instance: Pick<Instance, 'root'>, options: StartOptions = {}): ServerProcess {
  const server = new ServerProcess(instance, options);
  onTestFinished(async () => {
    try {
      await server.stop();
    } finally {
      server.kill('SIGKILL');
    }
  });
  return server;
}

/** Starts `toolgraph serve --http` on the instance. After the test it is told to end, and one that does not then fails the test. */
export async function startHttpServer(
  instance: Pick<Instance, 'root'>,
  options: StartOptions = {},
): Promise<HttpServerProcess> {
  const server = await HttpServerProcess.start(instance, options);
  onTestFinished(async () => {
    try {
      await server.stop();
    } finally {
      server.kill('SIGKILL');
    }
  });
  return server;
}

/** Command and arguments with which a host starts the server. */
export function serveCommand({ root }: Pick<Instance, 'root'>, args: readonly string[] = []): [string, ...string[]] {
  return [process.execPath, cliPath, 'serve', root, ...args];
}

/** The environment of a server: nothing of the test runner's but what a host would give. */
export function serveEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...env };
}

function collectLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
