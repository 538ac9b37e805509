import { DCTERMS, OSLC_RM, PROV, prefixes, RDFS, SCHEMA, TD } from '../vocabulary.js';

/** Namespaces by short name. What a query declares itself comes first. */
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

/** What a query may use without declaring it: those, and `tool:` and `skill:` for the nodes of an instance whose IRIs begin with `base`. */
export function prefixesOf(base: string): ReadonlyMap<string, string> {
  return new Map([...queryPrefixes, ['tool', `${base}tool/`], ['skill', `${base}skill/`]]);
}
