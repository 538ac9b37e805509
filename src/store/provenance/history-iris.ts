import { serviceIri } from '../query/service-statements.js';

/** The IRIs of what the history of an instance holds. Each is the IRI of a graph of its own, too, which says what is known of it. Pure. */
export class HistoryIris {
  readonly #base: string;
  readonly #history: string;

  /** `id` tells one `records.db` from another that is begun in its place, whose numbers are others. */
  constructor(base: string, id: string) {
    this.#base = base;
    this.#history = `${base}history/${id}/`;
  }

  document(number: number): string {
    return `${this.#history}document/${number}`;
  }

  revision(number: number): string {
    return `${this.#history}revision/${number}`;
  }

  part(number: number): string {
    return `${this.#history}part/${number}`;
  }

  generation(projection: number, number: number): string {
    return `${this.#history}generation/${projection}/${number}`;
  }

  call(id: string): string {
    return `${this.#base}call/${encodeURIComponent(id)}`;
  }

  actor(name: string): string {
    return `${this.#base}actor/${encodeURIComponent(name)}`;
  }

  role(name: string): string {
    return `${this.#base}role/${encodeURIComponent(name)}`;
  }

  /** Whoever nobody has named. */
  get unnamedActor(): string {
    return `${this.#base}unnamed-actor`;
  }

  /** The service itself. */
  get service(): string {
    return serviceIri(this.#base);
  }
}

/** The part of a generation that is its making. */
export function projectionIri(generation: string): string {
  return `${generation}/projection`;
}
