import type { Diagnostic } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';

/** One rule of `toolgraph check`: pure, over one generation. */
export interface Rule {
  readonly id: string;
  /** What it asks of an instance, one sentence. */
  readonly summary: string;
  check(generation: Generation): Diagnostic[];
}
