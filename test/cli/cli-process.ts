import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { cliPath } from '../e2e/build.js';
import { serveEnv } from '../e2e/harness.js';

export interface RunOptions {
  /** Default: the system's temporary folder, so that nothing depends on the checkout. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Id of the user and group that it runs as. Default: those of the test. */
  readonly user?: number | undefined;
  /** Written to stdin, which then ends. */
  readonly input?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `toolgraph` as a person does in a script: stdin, stdout and stderr are pipes. */
export async function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = startCli(words, options);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin.on('error', () => {}).end(options.input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

export function startCli(words: readonly string[], { cwd = tmpdir(), env = {}, user }: RunOptions = {}): Child {
  const identity = user === undefined ? {} : { uid: user, gid: user };
  return spawn(process.execPath, [cliPath, ...words], {
    ...{ cwd, env: serveEnv(env), ...identity },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A line of sh at a pseudo-terminal: all three of its streams are that terminal. */
export class Terminal {
  private readonly child: Child;
  private readonly read: () => string;

  constructor(command: string, { cwd = tmpdir(), env = {} }: RunOptions = {}) {
    const line = `stty cols 100 rows 30; ${command}`;
    // util-linux has the command in an option, BSD after the file.
    const scriptWords =
      process.platform === 'linux' ? ['-qec', line, '/dev/null'] : ['-q', '/dev/null', '/bin/sh', '-c', line];
    this.child = spawn('script', scriptWords, {
      cwd,
      env: serveEnv({ TERM: 'xterm', SHELL: '/bin/sh', ...env }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.read = collect(this.child.stdout);
  }

  /** All that the terminal was sent. */
  get output(): string {
    return this.read();
  }

  type(keys: string): void {
    this.child.stdin.write(keys);
  }

  /** Resolves when the terminal was sent what `pattern` matches, from offset `from` on. */
  async waitFor(pattern: RegExp, from = 0): Promise<void> {
    const signal = AbortSignal.timeout(30_000);
    while (!pattern.test(this.output.slice(from))) {
      await Promise.race([
        once(this.child.stdout, 'data', { signal }),
        once(this.child, 'close', { signal }).then(() => {
          if (!pattern.test(this.output.slice(from))) throw new Error(`ended without ${pattern}: ${this.output}`);
        }),
      ]).catch((error: Error) => {
        throw new Error(`no ${pattern} at the terminal: ${error.message}\n${this.output}`);
      });
    }
  }

  /** The exit code that the command had. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const [code] = (await once(this.child, 'close')) as [number | null];
    return code;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

/** `toolgraph` at a pseudo-terminal; `stdoutFile` takes its stdout. */
export class TerminalSession extends Terminal {
  constructor(words: readonly string[], env: Readonly<Record<string, string>> = {}, stdoutFile?: string) {
    const command = [process.execPath, cliPath, ...words].map(quote).join(' ');
    super(`exec ${command}${stdoutFile === undefined ? '' : ` >${quote(stdoutFile)}`}`, { env });
  }
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
