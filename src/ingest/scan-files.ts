import { hash } from 'node:crypto';
import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';
import { readSettledFile } from '../instance/signature.js';
import type { SourceFile } from './document.js';
import { formatOf } from './document-kind.js';
import { readProblem } from './scan-problems.js';

/** A file that does not look whole is left alone until it is this old (DESIGN decision 4). */
const wholeAfterMs = 200;
/** A file counts as deleted when it has been missing this long: a save by unlink and add never shows (cases.md W1). */
const missingAfterMs = 100;
/** While more files than this are missing, a folder is perhaps being removed, which ends as a missing folder: so each has to be missing longer. */
const fewMissing = 3;
const manyMissingAfterMs = 400;
/** A deletion waits while its folder goes on changing, at most this long. */
const deletingAtMostMs = 10_000;
/** Where the file system's clock ticks coarsely, a second write this soon may leave the signature as it was. */
const clockTickMs = 20;
/** After this a file that kept changing while it was read is tried again. */
const changingRetryMs = 20;

/** A file as a walk found it. */
export interface FoundFile {
  readonly path: string;
  /** Where to read it: absolute, without links. */
  readonly absolute: string;
  readonly signature: string;
  readonly folder: string;
  readonly folderKind?: SourceFile['folderKind'];
}

interface Known {
  readonly signature: string;
  /** Undefined for a seed, which has not been read by this process. */
  readonly sha256: string | undefined;
  readonly folder: string;
  readonly folderKind: SourceFile['folderKind'];
}

/**
 * What is known of each file between two scans, and the rules of when a change is taken: a file is read between two
 * equal signatures, one that does not look whole is put back, one that is missing is put back before it is removed.
 * Collects what one scan finds until `take`.
 */
export class FollowedFiles {
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  /** Paths put back, with the signature and the time at which it was first seen not to be whole. */
  readonly #putBack = new Map<string, { readonly signature: string; readonly since: number }>();
  /** Known files that are not there: since when, and since when for certain. */
  readonly #missing = new Map<string, { readonly first: number; readonly since: number }>();
  /** Known files to read although their signature is the same, and whether to report them even if they are the same. */
  readonly #reread = new Map<string, 'if-different' | 'always'>();
  /** When a file of a folder was last found to be newly missing. */
  readonly #lastMiss = new Map<string, number>();
  /** When a folder was last found again. */
  readonly #returned = new Map<string, number>();
  readonly unreadable = new Map<string, Diagnostic>();
  #changed: SourceFile[] = [];
  #removed: string[] = [];
  #retryInMs: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A file that an earlier run has read: it is read again only when its signature differs. */
  seed(path: string, signature: string, folder: string, folderKind?: SourceFile['folderKind']): void {
    this.#known.set(path, { signature, sha256: undefined, folder, folderKind });
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  get size(): number {
    return this.#known.size;
  }

  known(): string[] {
    return [...this.#known.keys()];
  }

  /** Every path that something is remembered of: known, put back, to be read again, or unreadable. */
  tracked(): Set<string> {
    return new Set([...this.#known.keys(), ...this.#putBack.keys(), ...this.#reread.keys(), ...this.unreadable.keys()]);
  }

  /** Paths that the next scan has to look at whatever it is asked for. */
  unsettled(): string[] {
    return [...this.#putBack.keys(), ...this.#missing.keys(), ...this.#reread.keys()];
  }

  /** Known files that are missing or do not look whole, and of which it is not decided yet what has become of them. */
  undecided(): string[] {
    return [...this.#putBack.keys(), ...this.#missing.keys()].filter((path) => this.#known.has(path)).sort();
  }

  /** Makes the next look read the file and report it as changed, or as removed when it is not there. */
  reread(path: string): void {
    this.#reread.set(path, 'always');
  }

  /** Something happened to the path: if it is missing, it may have been there in between. */
  stir(path: string): void {
    const now = this.#now();
    if (this.#missing.has(path)) this.#missing.set(path, { first: now, since: now });
  }

  isMissing(path: string): boolean {
    return this.#missing.has(path);
  }

  /** The file exists: reads it if it may have changed. */
  look(found: FoundFile, maxBytes: number): void {
    const { path, signature, folderKind } = found;
    const known = this.#known.get(path);
    this.#missing.delete(path);
    if (known !== undefined && known.folderKind !== folderKind) this.#reread.set(path, 'always');
    if (known?.signature === signature && !this.#reread.has(path)) {
      this.#putBack.delete(path);
      this.unreadable.delete(path);
      return;
    }
    this.#read(found, known, maxBytes);
  }

  /**
   * The file is not there: removed once that has lasted. `folderChangedAtMs` is when a name was last made or removed in its
   * folder: after it went missing, the file may have come and gone again.
   */
  miss(path: string, folderChangedAtMs?: number): void {
    this.#putBack.delete(path);
    this.unreadable.delete(path);
    const known = this.#known.get(path);
    if (known === undefined) {
      this.remove(path);
      return;
    }
    const now = this.#now();
    let missing = this.#missing.get(path);
    if (missing === undefined || missing.since > now) {
      missing = { first: now, since: now };
      this.#lastMiss.set(known.folder, now);
    } else if (folderChangedAtMs !== undefined && folderChangedAtMs > missing.since) {
      missing = { first: missing.first, since: now };
    }
    this.#missing.set(path, missing);
    const quietMs = Math.min(now - missing.since, now - (this.#lastMiss.get(known.folder) ?? now));
    const sinceReturnMs = now - (this.#returned.get(known.folder) ?? Number.NEGATIVE_INFINITY);
    const isUnderWay = this.#missing.size > fewMissing || sinceReturnMs < deletingAtMostMs;
    const enoughMs = isUnderWay ? manyMissingAfterMs : missingAfterMs;
    if (quietMs >= enoughMs || now - missing.first >= deletingAtMostMs) this.remove(path);
    else this.#retryIn(Math.max(1, enoughMs - Math.max(0, quietMs)));
  }

  /** The folder was missing and is there again: perhaps its files are still being copied into it (cases.md W4). */
  returned(folder: string): void {
    this.#returned.set(folder, this.#now());
  }

  /** The file cannot be looked at: what is known of it is kept. */
  keep(path: string): void {
    this.#putBack.delete(path);
    this.#missing.delete(path);
  }

  /** Removes the file at once: it was deleted, or is no longer any of ours. */
  remove(path: string): void {
    this.#putBack.delete(path);
    this.#missing.delete(path);
    this.unreadable.delete(path);
    const wasKnown = this.#known.delete(path);
    const wasAsked = this.#reread.get(path) === 'always';
    this.#reread.delete(path);
    if (wasKnown || wasAsked) this.#removed.push(path);
  }

  /** What was collected since the last call, sorted by path in code units. */
  take(): { changed: SourceFile[]; removed: string[]; retryInMs: number | undefined } {
    const taken = {
      changed: this.#changed.sort((a, b) => byCodeUnits(a.path, b.path)),
      removed: this.#removed.sort(),
      retryInMs: this.#retryInMs,
    };
    this.#changed = [];
    this.#removed = [];
    this.#retryInMs = undefined;
    return taken;
  }

  #read(found: FoundFile, known: Known | undefined, maxBytes: number): void {
    const { path } = found;
    const read = readSettledFile(found.absolute, maxBytes);
    if (read.state === 'missing') {
      this.miss(path);
    } else if (read.state === 'changing') {
      this.#putBack.set(path, { signature: '', since: this.#now() });
      this.#retryIn(changingRetryMs);
    } else if (read.state === 'read') {
      this.unreadable.delete(path);
      const mayBeHalf = this.#now() - read.changedAtMs < wholeAfterMs && !looksWhole(path, read.bytes);
      const waitMs = mayBeHalf ? this.#waitFor(path, read.signature, read.changedAtMs) : 0;
      if (waitMs > 0) this.#retryIn(waitMs);
      else this.#accept(found, known, read);
    } else {
      this.#putBack.delete(path);
      this.unreadable.set(path, readProblem(path, read, maxBytes));
    }
  }

  #accept(
    found: FoundFile,
    known: Known | undefined,
    read: { readonly bytes: Uint8Array; readonly signature: string; readonly changedAtMs: number },
  ): void {
    const sha256 = hash('sha256', read.bytes, 'hex');
    const { path, folder, folderKind } = found;
    this.#putBack.delete(path);
    const same = known?.sha256 === sha256 && known.signature === read.signature && this.#reread.get(path) !== 'always';
    const racy = Math.abs(this.#now() - read.changedAtMs) < clockTickMs;
    if (racy) {
      this.#reread.set(path, 'if-different');
      this.#retryIn(clockTickMs);
    } else {
      this.#reread.delete(path);
    }
    this.#known.set(path, { signature: read.signature, sha256, folder, folderKind });
    if (same) return;
    const kind = folderKind === undefined ? {} : { folderKind };
    this.#changed.push({ path, bytes: read.bytes, sha256, signature: read.signature, ...kind });
  }

  /** How long a file that does not look whole is still left alone. Bounded by our own clock: the file's may be ahead. */
  #waitFor(path: string, signature: string, changedAtMs: number): number {
    const now = this.#now();
    const before = this.#putBack.get(path);
    const since = before?.signature === signature && before.since <= now ? before.since : now;
    const ageMs = Math.max(now - since, now - changedAtMs);
    if (ageMs >= wholeAfterMs) return 0;
    this.#putBack.set(path, { signature, since });
    return Math.max(1, wholeAfterMs - Math.max(0, ageMs));
  }

  #retryIn(ms: number): void {
    this.#retryInMs = Math.min(ms, this.#retryInMs ?? ms);
  }
}

/**
 * Whether a file is not, by its look, half of a save. No file is empty, and nothing is a JSON document but what parses; half
 * of a YAML or RDF document may be one too, so only a line that is not ended tells.
 */
function looksWhole(path: string, bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  const format = formatOf(path);
  if (format === 'markdown') return true;
  if (format !== 'json') return bytes.at(-1) === lineFeed;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

const lineFeed = 0x0a;
