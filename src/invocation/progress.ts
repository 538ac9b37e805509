/** How far a call is, as its tool says. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

const marker = '::progress ';
const markerBytes = Buffer.from(marker);
const newline = 0x0a;
/** A longer line is text like any other. */
const longestLineBytes = 1024;
const linePattern = /^::progress (\d{1,15}(?:\.\d{1,15})?)(?:\/(\d{1,15}(?:\.\d{1,15})?))?(?: (.*))?$/;

/** Reads a line `::progress n/total text`, of which `/total` and the text may be missing; undefined for any other line. Pure. */
export function parseProgress(line: string): Progress | undefined {
  const [, progress, total, message] = linePattern.exec(line.trimEnd()) ?? [];
  if (progress === undefined) return undefined;
  return {
    progress: Number(progress),
    ...(total === undefined ? {} : { total: Number(total) }),
    ...(message === undefined ? {} : { message }),
  };
}

export interface ProgressReader {
  readonly onProgress: (progress: Progress) => void;
  /** Is given all bytes of other lines, in order. */
  readonly onText: (bytes: Uint8Array) => void;
}

/** Takes the progress lines out of a stream of bytes, however it is cut into chunks. Holds back at most one line of 1 KiB. */
export class ProgressLines {
  readonly #reader: ProgressReader;
  /** The last line, while it may become one of progress. */
  #held = Buffer.alloc(0);
  #isAtLineStart = true;

  constructor(reader: ProgressReader) {
    this.#reader = reader;
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.concat([this.#held, chunk]);
    if (bytes.length === 0) return;
    let textFrom = 0;
    // Looking for the marker, not for lines: a stream of short lines is passed on in large pieces.
    for (let at = bytes.indexOf(marker); at !== -1; at = bytes.indexOf(marker, at + 1)) {
      if (!this.#beginsLine(bytes, at)) continue;
      const end = bytes.indexOf(newline, at);
      if (end === -1) break;
      const progress = this.#progressIn(bytes.subarray(at, end));
      if (progress === undefined) continue;
      this.#text(bytes.subarray(textFrom, at));
      this.#reader.onProgress(progress);
      textFrom = end + 1;
    }
    this.#takeLast(bytes, textFrom);
  }

  /** The stream has ended: its last line needs no line end. */
  end(): void {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    const progress = this.#progressIn(held);
    if (progress === undefined) this.#text(held);
    else this.#reader.onProgress(progress);
  }

  #takeLast(bytes: Buffer, textFrom: number): void {
    const lineStart = bytes.lastIndexOf(newline) + 1;
    const last = bytes.subarray(lineStart);
    const isHeld = last.length <= longestLineBytes && this.#beginsLine(bytes, lineStart) && beginsWithMarker(last);
    this.#text(bytes.subarray(textFrom, isHeld ? lineStart : undefined));
    this.#held = isHeld ? Buffer.from(last) : Buffer.alloc(0);
    this.#isAtLineStart = isHeld || last.length === 0;
  }

  #beginsLine(bytes: Buffer, at: number): boolean {
    return at === 0 ? this.#isAtLineStart : bytes[at - 1] === newline;
  }

  #progressIn(line: Buffer): Progress | undefined {
    return line.length > longestLineBytes ? undefined : parseProgress(line.toString('utf8'));
  }

  #text(bytes: Buffer): void {
    if (bytes.length > 0) this.#reader.onText(bytes);
  }
}

/** Whether the line begins as the marker does; an empty one does not. */
function beginsWithMarker(line: Buffer): boolean {
  const length = Math.min(line.length, markerBytes.length);
  return length > 0 && line.subarray(0, length).equals(markerBytes.subarray(0, length));
}
