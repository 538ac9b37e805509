import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface BoundedLinesOptions {
  /** Longest line that is passed on, in bytes, its end of line included. */
  readonly maxBytes: number;
  /** A longer line has ended: its length in bytes. Nothing of it was passed on. */
  readonly onDropped: (bytes: number) => void;
  /** Awaited between the moment when the last line has been taken and the end of the output. */
  readonly beforeEnd?: () => Promise<void>;
}

/**
 * Passes on whole lines, each in one chunk, and drops those that are too long without keeping them. The SDK's reader closes the
 * connection on a long line, and copies all that it has read for each chunk of it.
 */
export class BoundedLines extends Transform {
  readonly #options: BoundedLinesOptions;
  #parts: Buffer[] = [];
  /** Bytes of the line that is being read. */
  #size = 0;

  constructor(options: BoundedLinesOptions) {
    super();
    this.#options = options;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end + 1));
      this.#endLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    done();
  }

  /** A last line without its end is no message: the client died while it wrote. */
  override _flush(done: TransformCallback): void {
    this.#parts = [];
    this.#lastLineTaken().then(() => done(), done);
  }

  async #lastLineTaken(): Promise<void> {
    while (this.readableLength > 0 && !this.destroyed) await nextTurn();
    await this.#options.beforeEnd?.();
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.#options.maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #endLine(): void {
    if (this.#size > this.#options.maxBytes) this.#options.onDropped(this.#size);
    else this.push(Buffer.concat(this.#parts));
    this.#parts = [];
    this.#size = 0;
  }
}

const lineFeed = 0x0a;
