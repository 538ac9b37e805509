import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What is kept of outputs that are cut. */
export interface KeptOutputLimits {
  /** Outputs. */
  readonly keptOutputs: number;
  /** Of all together; one has at most a quarter. */
  readonly keptOutputBytes: number;
  /** Age at which one is removed, in minutes. */
  readonly keptOutputMinutes: number;
}

/** An output that was more than its call gives back. */
export interface KeptOutput {
  /** Id of the call. */
  readonly call: string;
  /** MCP name of the tool. */
  readonly tool: string;
  readonly bytes: number;
  /** False where it is only the beginning: there was more than may be kept, or no room. */
  readonly isWhole: boolean;
}

/** Bytes of an output that are read at once: as base64 they are still less than a result may take of its message. */
export const outputPieceBytes = 4 * 1024 * 1024;

/** Part of an output that is kept. */
export interface OutputPiece {
  readonly bytes: Uint8Array;
  /** Nothing more of it is kept. */
  readonly isLast: boolean;
  /** As in `KeptOutput`. */
  readonly isWhole: boolean;
}

/** Takes the bytes of one output while it streams. */
export interface OutputSpool {
  write(bytes: Uint8Array): void;
}

/** Keeps what it takes, as far as there is room. */
export interface KeptSpool extends OutputSpool {
  /** It keeps no more than these; 0 where nothing is kept. */
  readonly mostBytes: number;
}

interface OutputFile {
  readonly tool: string;
  readonly path: string;
  /** Undefined once nothing more is written. */
  descriptor: number | undefined;
  bytes: number;
  isWhole: boolean;
  expiry?: NodeJS.Timeout;
}

const folderPrefix = 'toolgraph-output-';

/**
 * Keeps outputs beyond the cap (X11) in files that only this user can read, in a folder of this process under the temporary folder of the
 * system. The oldest go first. Writing is synchronous: that holds the process back whose output it is, and so memory stays flat.
 */
export class KeptOutputs {
  readonly #limits: () => KeptOutputLimits;
  readonly #onNotice: (words: string) => void;
  /** By call, in the order in which they were begun. */
  readonly #files = new Map<string, OutputFile>();
  #folder: string | undefined;
  #bytes = 0;
  #isClosed = false;

  constructor(limits: () => KeptOutputLimits, onNotice: (words: string) => void) {
    this.#limits = limits;
    this.#onNotice = onNotice;
  }

  /** Where a call writes its output when that is more than it gives back. Nothing is made before it writes. Never throws. */
  spool(call: string, tool: string): KeptSpool {
    let file: OutputFile | undefined;
    let isOpened = false;
    return {
      mostBytes: this.#limits().keptOutputs === 0 ? 0 : this.#mostOfOne(),
      write: (bytes) => {
        if (!isOpened) file = this.#open(call, tool);
        isOpened = true;
        if (file?.descriptor !== undefined) this.#append(file, file.descriptor, bytes);
      },
    };
  }

  /** The call has ended: what it has written can be read from now on, until it is too old. Undefined where it has written nothing. */
  finish(call: string): KeptOutput | undefined {
    const file = this.#files.get(call);
    if (file === undefined) return undefined;
    this.#stopWriting(file);
    if (file.bytes === 0) {
      this.drop(call);
      return undefined;
    }
    file.expiry = setTimeout(() => this.drop(call), this.#limits().keptOutputMinutes * 60_000).unref();
    this.#makeRoom(0);
    return this.#files.has(call) ? described(call, file) : undefined;
  }

  /** Those of calls that have ended, the oldest first. */
  list(): KeptOutput[] {
    return [...this.#files].flatMap(([call, file]) => (file.expiry === undefined ? [] : [described(call, file)]));
  }

  /** At most `outputPieceBytes` of one, from the byte `from` on; undefined when it is not kept, or not any more. */
  async read(call: string, from: number): Promise<OutputPiece | undefined> {
    const file = this.#files.get(call);
    if (file?.expiry === undefined) return undefined;
    try {
      const bytes = await readPiece(file.path, Math.min(from, file.bytes));
      return { bytes, isLast: from + bytes.length >= file.bytes, isWhole: file.isWhole };
    } catch {
      // It was removed meanwhile: by its age, or by whoever tidies the temporary folder.
      return undefined;
    }
  }

  drop(call: string): void {
    const file = this.#files.get(call);
    if (file === undefined) return;
    this.#stopWriting(file);
    clearTimeout(file.expiry);
    this.#files.delete(call);
    this.#bytes -= file.bytes;
    rmSync(file.path, { force: true });
  }

  /** Removes everything; nothing is kept afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const call of [...this.#files.keys()]) this.drop(call);
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #mostOfOne(): number {
    return Math.floor(this.#limits().keptOutputBytes / 4);
  }

  #open(call: string, tool: string): OutputFile | undefined {
    if (this.#isClosed || this.#limits().keptOutputs === 0) return undefined;
    try {
      this.#folder ??= mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`));
      const path = join(this.#folder, call);
      const file = { tool, path, descriptor: openSync(path, 'wx', 0o600), bytes: 0, isWhole: true };
      this.#files.set(call, file);
      return file;
    } catch (error) {
      this.#tellFailure(tool, error);
      return undefined;
    }
  }

  #append(file: OutputFile, descriptor: number, bytes: Uint8Array): void {
    const { keptOutputBytes } = this.#limits();
    this.#makeRoom(bytes.length);
    const room = Math.min(this.#mostOfOne() - file.bytes, keptOutputBytes - this.#bytes);
    const taken = bytes.subarray(0, Math.max(room, 0));
    try {
      for (let at = 0; at < taken.length; ) {
        const written = writeSync(descriptor, taken, at);
        at += written;
        file.bytes += written;
        this.#bytes += written;
      }
      if (taken.length === bytes.length) return;
    } catch (error) {
      this.#tellFailure(file.tool, error);
    }
    file.isWhole = false;
    this.#stopWriting(file);
  }

  /** Drops finished outputs, the oldest first, until so many more bytes and all outputs are within the limits. */
  #makeRoom(bytes: number): void {
    const { keptOutputs, keptOutputBytes } = this.#limits();
    for (const { call } of this.list()) {
      if (this.#files.size <= keptOutputs && this.#bytes + bytes <= keptOutputBytes) return;
      this.drop(call);
    }
  }

  #stopWriting(file: OutputFile): void {
    if (file.descriptor !== undefined) closeSync(file.descriptor);
    file.descriptor = undefined;
  }

  #tellFailure(tool: string, error: unknown): void {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
    this.#onNotice(
      `what was cut off the output of ${tool} could not be kept in ${tmpdir()} (${reason}); make room there, or set TMPDIR`,
    );
  }
}

/** Removes what processes of this user that have gone, killed ones, have left in the temporary folder. Never rejects. */
export async function sweepKeptOutputs(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const pid = /^toolgraph-output-(\d{1,10})-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function described(call: string, { tool, bytes, isWhole }: OutputFile): KeptOutput {
  return { call, tool, bytes, isWhole };
}

async function readPiece(path: string, from: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(outputPieceBytes), 0, outputPieceBytes, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
