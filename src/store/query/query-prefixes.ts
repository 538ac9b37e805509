import { DCTERMS, OSLC_RM, PROV, prefixes, RDFS, SCHEMA, TD } from '../vocabulary.js';

/** Namespaces by short name that a query may use without declaring them. What it declares itself comes first. */
export const queryPrefixes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(prefixes),
  ['dcterms', DCTERMS],
  ['oslc_rm', OSLC_RM],
  ['prov', PROV],
  ['rdfs', RDFS],
  ['schema', SCHEMA],
  ['skos', 'http://www.w3.org/2004/02/skos/core#'],
  ['td', TD],
]);
