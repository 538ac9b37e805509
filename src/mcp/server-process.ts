import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { parseJSONRPCMessage } from '@modelcontextprotocol/client';
import { OutputTail } from '../invocation/output.js';
import { descendantsOf, killGroup } from '../invocation/process-group.js';
import { listProcesses } from '../invocation/process-list.js';
import { RunningProcess } from '../invocation/running.js';
import { explainSpawnFailure } from '../invocation/spawn-failure.js';
import { BoundedLines } from './bounded-lines.js';

export interface ServerCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Longest line and all output that is read of a server, in bytes. */
const maxLineBytes = 16 * 1024 * 1024;
const maxOutputBytes = 64 * 1024 * 1024;
const maxStrayLines = 1000;
const stderrBytes = 4096;
/** How long a server may take to end after its stdin has, in milliseconds; then its group gets TERM. */
const endGraceMs = 1000;

/**
 * A server on stdio, as the leader of its own group, without a shell. Unlike the SDK's transport it ends the whole group when it is
 * closed, survives lines that are no protocol, and reads only so much.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #command: ServerCommand;
  readonly #stderrTail = new OutputTail(stderrBytes);
  #child: ChildProcess | undefined;
  #running: RunningProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #strayLines = 0;
  #firstStray: string | undefined;
  #outputBytes = 0;
  #fault: string | undefined;
  #end: string | undefined;
  #survivors: readonly number[] = [];

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** The SDK knows a process by this and by `pid`: one that does not answer its probe is then asked as a server of 2025. */
  get stderr(): string {
    return this.#stderrTail.read();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Ids of the processes that stem from it and run on after `close`: KILL goes to its group, which a daemon leaves. */
  get survivors(): readonly number[] {
    return this.#survivors;
  }

  /** What is known of why it does not answer, in words; undefined when nothing is. */
  get trouble(): string | undefined {
    const stray =
      this.#strayLines === 0
        ? undefined
        : `it wrote ${this.#strayLines} ${this.#strayLines === 1 ? 'line' : 'lines'} on stdout that are no JSON-RPC, the first: ${JSON.stringify(this.#firstStray)}`;
    const told = [this.#fault, this.#end, stray].filter((words) => words !== undefined);
    return told.length === 0 ? undefined : told.join('; ');
  }

  start(): Promise<void> {
    const { file, args, cwd, env } = this.#command;
    return new Promise((resolve, reject) => {
      const child = spawn(file, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
      this.#child = child;
      child.once('spawn', () => {
        if (child.pid !== undefined) this.#running = new RunningProcess(child.pid, undefined);
        resolve();
      });
      child.once('error', (error: NodeJS.ErrnoException) => {
        explainSpawnFailure(error.code, { word: file, file, cwd }).then(
          ({ message }) => reject(new Error(message)),
          reject,
        );
      });
      this.#exited = new Promise((exited) => {
        child.once('error', () => exited());
        child.once('exit', (code, signal) => {
          this.#end = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
          this.#running?.ended();
          exited();
        });
      });
      child.once('close', () => this.onclose?.());
      // A server that has ended does not read what is written to it; its end says so.
      child.stdin.on('error', () => {});
      child.stderr.on('data', (chunk: Buffer) => this.#stderrTail.write(chunk));
      this.#read(child.stdout);
    });
  }

  #read(stdout: NodeJS.ReadableStream): void {
    const lines = new BoundedLines({
      maxBytes: maxLineBytes,
      onDropped: (bytes) => this.#fail(`it wrote a line of ${bytes} bytes; at most ${maxLineBytes} are read`),
    });
    stdout.on('data', (chunk: Buffer) => {
      this.#outputBytes += chunk.length;
      if (this.#outputBytes > maxOutputBytes) this.#fail(`it wrote more than ${maxOutputBytes} bytes`);
    });
    stdout.pipe(lines).on('data', (line: Buffer) => this.#take(line.toString('utf8')));
  }

  #take(line: string): void {
    if (line.trim() === '' || this.#fault !== undefined) return;
    const message = parsed(line);
    if (message !== undefined) {
      this.onmessage?.(message);
      return;
    }
    this.#strayLines += 1;
    this.#firstStray ??= line.trim().slice(0, 100);
    if (this.#strayLines > maxStrayLines) this.#fail('it writes to stdout what is not the protocol');
  }

  /** What it writes is not read any more; waiting for an answer is over. */
  #fail(fault: string): void {
    if (this.#fault !== undefined) return;
    this.#fault = fault;
    void this.close();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === null || stdin === undefined || !stdin.writable)
      return Promise.reject(new Error('the server has ended'));
    return new Promise((resolve) => {
      stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  /** Ends its input; then, if it goes on, its group with TERM and KILL. Resolves when the group is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    const running = this.#running;
    if (child?.pid === undefined || running === undefined) return;
    // Once it has ended nothing tells any more which processes came from it.
    const descendants = descendantsOf(child.pid, await listProcesses());
    child.stdin?.end();
    if ((await settledWithin(this.#exited, endGraceMs)) === 'late') {
      running.stop('cancelled');
      await Promise.race([this.#exited, running.unkillable]);
    }
    this.#survivors = await killGroup(child.pid, [...descendants, ...(await running.descendants)]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    running.finish();
  }
}

function parsed(line: string): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch {
    return undefined;
  }
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<'settled' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late');
  });
  const first = await Promise.race([promise.then(() => 'settled' as const), late]);
  clearTimeout(timer);
  return first;
}
