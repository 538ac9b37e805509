import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { cliPath } from './build.js';
import { patienceMs, within } from './deadline.js';
import { EventQueue } from './event-queue.js';
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
