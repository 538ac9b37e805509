import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface LineProcessOptions {
  /** Options of Node itself. */
  readonly nodeOptions?: readonly string[];
  /** Its environment. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Is told of each whole line of stdout, without its end. */
  readonly onLine: (line: string) => void;
  /** Is told of all that comes on stderr. */
  readonly onErrorText?: (text: string) => void;
}

/** Characters of stderr that are kept, to be shown when the process fails. */
const keptErrors = 4000;

/** A child process that takes and gives lines over two pipes, as an MCP server on stdio does. */
export class LineProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<void>;
  #rest: string[] = [];
  #errors = '';
  #hasEnded = false;

  /** Runs a file of JavaScript with the Node that runs this. */
  constructor(
    file: string,
    args: readonly string[],
    { nodeOptions = [], env = process.env, onLine, onErrorText }: LineProcessOptions,
  ) {
    this.#child = spawn(process.execPath, [...nodeOptions, file, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text, onLine));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-keptErrors);
      onErrorText?.(text);
    });
    this.#child.stdin.on('error', () => {});
    this.#closed = once(this.#child, 'close').then(() => {
      this.#hasEnded = true;
    });
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The end of what it wrote to stderr. */
  get errors(): string {
    return this.#errors.trim();
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Settles when the process has ended and its pipes are drained. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Ends stdin, which must end the process; throws when it had to be killed after `withinMs`. */
  async stop(withinMs = 10_000): Promise<void> {
    this.#child.stdin.end();
    let killed = false;
    const timer = setTimeout(() => {
      killed = true;
      this.#child.kill('SIGKILL');
    }, withinMs);
    await this.#closed;
    clearTimeout(timer);
    if (killed) throw new Error(`a child did not end with its stdin within ${withinMs} ms; stderr: ${this.errors}`);
  }

  /** Closes its stdin and stdout at once, as the system does when the process at their other ends is killed. */
  hangUp(): void {
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#child.kill(signal);
  }

  /** Joins the parts of a line once, when it is whole: a list of 10,000 tools comes in hundreds of them. */
  #receive(text: string, onLine: (line: string) => void): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      onLine(this.#rest.join('') + line);
      this.#rest = [];
    }
    if (last !== '') this.#rest.push(last);
  }
}
