import type { QuadSource, SourceInstance } from './quad-source.js';

/** Opens the sources of one instance, in the order in which they are read. */
export function openQuadSources(_instance: SourceInstance): QuadSource[] {
  return [];
}
