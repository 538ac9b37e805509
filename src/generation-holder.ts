import { differingEntries } from './projection/entry-map.js';
import type { Generation } from './projection/generation.js';

/** A generation that became current. */
export interface GenerationChange {
  readonly generation: Generation;
  readonly previous: Generation | undefined;
}

/** Why a name that was listed, or could be, is not in the current generation (tool-node.md §4). */
export interface Absence {
  readonly code: 'tool_removed' | 'tool_unavailable';
  readonly reason: string;
  /** Of the Tool that the name stands for. */
  readonly iri: string;
}

/** Owns the current generation of one process, and remembers which names it has listed. */
export class GenerationHolder {
  #current: Generation | undefined;
  /** By MCP name that a generation listed and a later one did not, the IRI of the Tool that last had it. */
  readonly #retracted = new Map<string, string>();
  readonly #listeners = new Set<(change: GenerationChange) => void>();

  get current(): Generation | undefined {
    return this.#current;
  }

  /**
   * Makes a generation the current one and tells every listener. One with the digest of the current one replaces it in
   * silence: what the digest leaves out (places in files, what a Tool satisfies) is kept up to date, and nobody has to be told.
   */
  publish(generation: Generation): void {
    const previous = this.#current;
    this.#current = generation;
    if (previous?.digest === generation.digest && previous.number === generation.number) return;
    if (previous !== undefined) {
      for (const { name, iri } of differingEntries(previous.entries, generation.entries).gone) {
        this.#retracted.set(name, iri);
      }
    }
    for (const listener of this.#listeners) listener({ generation, previous });
  }

  subscribe(listener: (change: GenerationChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  absence(name: string): Absence | undefined {
    const omission = this.#current?.omissions.find((candidate) => candidate.name === name);
    // An internal tool must not be told apart from one that never was (P15).
    if (omission?.code === 'internal') return undefined;
    if (omission !== undefined)
      return { code: 'tool_unavailable', reason: `${omission.code}: ${omission.reason}`, iri: omission.iri };
    const iri = this.#retracted.get(name);
    if (iri === undefined) return undefined;
    const problem = this.#current?.problems.find(({ subject }) => subject === iri);
    if (problem !== undefined) return { code: 'tool_unavailable', reason: `${problem.code}: ${problem.message}`, iri };
    return { code: 'tool_removed', reason: 'its node is no longer in the instance', iri };
  }
}
