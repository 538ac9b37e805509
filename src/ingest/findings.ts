import { type Diagnostic, type ProblemCode, problem } from '../diagnostic.js';
import type { Position } from '../text-position.js';
import type { SourcePositions } from './position.js';

/** Where in its document a finding is, as far as it is known. */
export interface FindingPlace {
  readonly pointer?: string;
  /** The place is the key that the pointer ends in, not the value. */
  readonly atKey?: boolean;
  readonly subject?: string;
  /** When it is known without asking for the pointer. */
  readonly position?: Position;
}

/** Beyond this number a document's further findings are only counted. */
const maxFindings = 100;

/** The findings about one document, each with line and column where the text has them. */
export class Findings {
  readonly #found: Diagnostic[] = [];
  #uncounted = 0;
  readonly #document: string;
  #positions: SourcePositions | undefined;

  constructor(document: string) {
    this.#document = document;
  }

  /** From now on pointers are looked up in this text. */
  locateIn(positions: SourcePositions): void {
    this.#positions = positions;
  }

  get count(): number {
    return this.#found.length + this.#uncounted;
  }

  add(code: ProblemCode, message: string, { pointer, atKey, subject, position }: FindingPlace = {}): void {
    if (this.#found.length >= maxFindings) {
      this.#uncounted += 1;
      return;
    }
    const at = position ?? this.#positionOf(pointer, atKey);
    const place = {
      document: this.#document,
      ...(pointer === undefined ? {} : { pointer }),
      ...(at === undefined ? {} : { line: at.line, column: at.column }),
      ...(subject === undefined ? {} : { subject }),
    };
    this.#found.push(problem(code, message, place));
  }

  list(): readonly Diagnostic[] {
    if (this.#uncounted === 0) return this.#found;
    const more = `${this.#uncounted} more problems in this document; correct those before first`;
    return [...this.#found, problem('invalid-node', more, { document: this.#document })];
  }

  #positionOf(pointer: string | undefined, atKey: boolean | undefined): Position | undefined {
    if (pointer === undefined || this.#positions === undefined) return undefined;
    return atKey ? this.#positions.locateKey(pointer) : this.#positions.locate(pointer);
  }
}
