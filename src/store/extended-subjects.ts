import { byCodeUnits } from '../code-units.js';

/**
 * Subjects that documents describe without being their home, and which Tools they may concern. A part of a Tool lies under the IRI
 * of the Tool, as it is skolemised, or is known by the document that states it.
 */
export class ExtendedSubjects {
  readonly #subjects: ReadonlySet<string>;
  readonly #sorted: readonly string[];

  constructor(subjects: Iterable<string>) {
    this.#subjects = new Set(subjects);
    this.#sorted = [...this.#subjects].sort(byCodeUnits);
  }

  get size(): number {
    return this.#subjects.size;
  }

  /** Whether one of them may be the Tool or a part of it. `parts` are those that do not lie under its IRI. */
  mayConcern(tool: string, parts: Iterable<string>): boolean {
    if (this.#subjects.has(tool) || this.#hasBelow(`${tool}/`)) return true;
    for (const part of parts) if (this.#subjects.has(part)) return true;
    return false;
  }

  /** By binary search: what begins with `start` stands together, from the first that is not before it. */
  #hasBelow(start: string): boolean {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byCodeUnits(this.#sorted[middle] ?? '', start) < 0) low = middle + 1;
      else high = middle;
    }
    return this.#sorted[low]?.startsWith(start) === true;
  }
}
