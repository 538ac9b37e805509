import { constants, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { OutputSpool } from './kept-outputs.js';

/** stdout of one process, as the client gets it. */
export interface CapturedText {
  readonly text: string;
  readonly truncated: boolean;
  /** The bytes are not UTF-8: what stands for them in the text is U+FFFD. Not told of a text that was cut. */
  readonly invalidUtf8?: true;
}

/** Collects the first bytes of a stream, counts and digests all of it, so that memory stays flat however much a process writes (X11). */
export class CappedOutput {
  readonly #limitBytes: number;
  readonly #hash = createHash('sha256');
  #kept = Buffer.alloc(0);
  #keptBytes = 0;
  #totalBytes = 0;
  readonly #overflow: OutputSpool | undefined;

  /** `overflow` is given all of the stream, from its first byte on, as soon as it is more than `limitBytes`. */
  constructor(limitBytes: number, overflow?: OutputSpool) {
    this.#overflow = overflow;
    // UTF-8 never has fewer bytes than the string has code units, so the text fits when the bytes do; 128 is for the mark.
    this.#limitBytes = Math.min(limitBytes, constants.MAX_STRING_LENGTH - 128);
  }

  write(chunk: Uint8Array): void {
    const wasCut = this.#totalBytes > this.#limitBytes;
    this.#totalBytes += chunk.length;
    this.#hash.update(chunk);
    if (this.#overflow !== undefined && this.#totalBytes > this.#limitBytes) {
      if (!wasCut) this.#overflow.write(this.#kept.subarray(0, this.#keptBytes));
      this.#overflow.write(chunk);
    }
    const taken = Math.min(chunk.length, this.#limitBytes - this.#keptBytes);
    if (taken === 0) return;
    this.#reserve(this.#keptBytes + taken);
    this.#kept.set(chunk.subarray(0, taken), this.#keptBytes);
    this.#keptBytes += taken;
  }

  /** Size and digest of the whole stream, what is cut off included. To be called once, at its end. */
  digest(): { readonly bytes: number; readonly sha256: string } {
    return { bytes: this.#totalBytes, sha256: this.#hash.digest('hex') };
  }

  /** What is kept, as it was written. */
  bytes(): Buffer {
    return this.#kept.subarray(0, this.#keptBytes);
  }

  /** Decodes once as UTF-8, invalid bytes as U+FFFD. A cut falls between two code points and is marked in the text. */
  read(): CapturedText {
    const truncated = this.#totalBytes > this.#keptBytes;
    // In stream mode the decoder holds back a code point that is not whole yet: here, the one that the cut falls into.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const bytes = this.#kept.subarray(0, this.#keptBytes);
    const text = decoder.decode(bytes, { stream: truncated });
    if (!truncated) return { text, truncated, ...(isUtf8(bytes) ? {} : { invalidUtf8: true }) };
    return { text: `${text}\n[output cut at ${this.#limitBytes} bytes; ${this.#totalBytes} bytes in all]`, truncated };
  }

  /** One growing buffer: a program that writes single bytes must not cost one Buffer object for each. */
  #reserve(bytes: number): void {
    if (bytes <= this.#kept.length) return;
    const grown = Buffer.allocUnsafe(Math.min(this.#limitBytes, Math.max(bytes, 2 * this.#kept.length, 4096)));
    this.#kept.copy(grown, 0, 0, this.#keptBytes);
    this.#kept = grown;
  }
}

/** Keeps the last bytes of a stream: what a failed program said before it ended. */
export class OutputTail {
  readonly #limitBytes: number;
  #kept = Buffer.alloc(0);
  #cut = false;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  write(chunk: Uint8Array): void {
    const joined = Buffer.concat([this.#kept, chunk.subarray(-this.#limitBytes)]);
    this.#cut ||= this.#kept.length + chunk.length > this.#limitBytes;
    this.#kept = joined.subarray(-this.#limitBytes);
  }

  read(): string {
    // After a cut, the continuation bytes in front (10xxxxxx) belong to a code point that is gone.
    const start = this.#cut ? this.#kept.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    return this.#kept.toString('utf8', Math.max(start, 0));
  }
}
