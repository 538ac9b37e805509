import { byCodeUnits } from '../code-units.js';
import type { Entry } from './generation.js';
import { firstNotBefore, mergeSorted } from './sorted.js';

/**
 * Entries by MCP name, in the order of the names (code units). Immutable: the one that follows shares nothing but the entries, and
 * costs a copy of an array, whatever the size; a Map would be filled anew for each generation.
 */
export class EntryMap implements ReadonlyMap<string, Entry> {
  static readonly empty = new EntryMap(0, () => []);
  readonly size: number;
  readonly #decode: () => readonly Entry[];
  #decoded: readonly Entry[] | undefined;
  /** The one that this one was made from, and how it differs. The last one but one is nobody's any more. */
  #step: (EntryDifference & { readonly from: WeakRef<EntryMap> }) | undefined;

  private constructor(size: number, decode: () => readonly Entry[]) {
    this.size = size;
    this.#decode = decode;
  }

  /** Of entries that are made when one is asked for; `decode` gives `size` of them, in the order of the names. */
  static later(size: number, decode: () => readonly Entry[]): EntryMap {
    return new EntryMap(size, decode);
  }

  /** Without the entries of `gone`, and with `added`, whose names no other entry has then. */
  with(gone: ReadonlySet<Entry>, added: readonly Entry[]): EntryMap {
    if (gone.size === 0 && added.length === 0) return this;
    const sorted = mergeSorted(this.#sorted, gone, added, (a, b) => byCodeUnits(a.name, b.name));
    const next = new EntryMap(sorted.length, () => sorted);
    next.#step = { from: new WeakRef(this), gone: [...gone], added };
    return next;
  }

  /** How it differs from the one that it was made from; undefined for any other. */
  differenceTo(before: ReadonlyMap<string, Entry>): EntryDifference | undefined {
    return this.#step?.from.deref() === before ? this.#step : undefined;
  }

  get #sorted(): readonly Entry[] {
    this.#decoded ??= this.#decode();
    return this.#decoded;
  }

  get(name: string): Entry | undefined {
    const sorted = this.#sorted;
    const entry = sorted[firstNotBefore(sorted, (other) => other.name < name)];
    return entry?.name === name ? entry : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  forEach(callback: (entry: Entry, name: string, map: ReadonlyMap<string, Entry>) => void): void {
    for (const entry of this.#sorted) callback(entry, entry.name, this);
  }

  values(): MapIterator<Entry> {
    return this.#sorted.values();
  }

  *keys(): MapIterator<string> {
    for (const { name } of this.#sorted) yield name;
  }

  *entries(): MapIterator<[string, Entry]> {
    for (const entry of this.#sorted) yield [entry.name, entry];
  }

  [Symbol.iterator](): MapIterator<[string, Entry]> {
    return this.entries();
  }
}

export interface EntryDifference {
  readonly gone: readonly Entry[];
  readonly added: readonly Entry[];
}

/** What two lists of entries, each in the order of the names, do not have in common. An entry that was made anew is in both. */
export function differingEntries(before: ReadonlyMap<string, Entry>, now: ReadonlyMap<string, Entry>): EntryDifference {
  const known = now instanceof EntryMap ? now.differenceTo(before) : undefined;
  if (known !== undefined) return known;
  const gone: Entry[] = [];
  const added: Entry[] = [];
  const old = [...before.values()];
  let next = 0;
  for (const entry of now.values()) {
    for (let other = old[next]; other !== undefined && other !== entry && other.name <= entry.name; other = old[next]) {
      gone.push(other);
      next += 1;
    }
    if (old[next] === entry) next += 1;
    else added.push(entry);
  }
  return { gone: [...gone, ...old.slice(next)], added };
}
