import { ProvenanceSource } from '../provenance/provenance-source.js';
import type { QuadSource, SourceInstance } from './quad-source.js';

/** Opens the sources of one instance, in the order in which they are read. */
export function openQuadSources(instance: SourceInstance): QuadSource[] {
  // The records of the instance that includes others tell of these, too.
  return instance.label === '' ? [new ProvenanceSource(instance)] : [];
}
