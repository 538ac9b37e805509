import type { Quad } from '@rdfjs/types';
import { harnessName } from './foreign-vocabulary.js';
import { nodeKey } from './graph-index.js';
import type { ForeignStatement } from './stray-statements.js';
import { classes, RDF, rdf, terms } from './vocabulary.js';

const known: ReadonlySet<string> = new Set([...terms.map(({ iri }) => iri), ...Object.values(classes)]);

/** Those of the quads of a document: data of its own, or a mistake that only a name like ours shows. Pure. */
export function foreignStatements(document: string, quads: readonly Quad[]): ForeignStatement[] {
  return quads.flatMap(({ subject, predicate, object }) => {
    const isClass = predicate.value === rdf.type && object.termType === 'NamedNode';
    const term = isClass ? object.value : predicate.value;
    if (known.has(term) || term.startsWith(RDF) || harnessName(term) !== undefined) return [];
    return { document, subject: nodeKey(subject), term, isClass };
  });
}
