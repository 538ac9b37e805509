import { documentIri } from '../../src/store/node-iri.js';
import { Iri, LiteralTerm } from '../../src/store/rdf-terms.js';
import { classes, propertyIri, rdf } from '../../src/store/vocabulary.js';
import { type CorpusFile, corpusBase } from './corpus.js';

/** Subject, predicate, object and graph; null matches anything. */
export type Pattern = readonly [
  subject: Iri | null,
  predicate: Iri | null,
  object: Iri | LiteralTerm | null,
  graph: Iri | null,
];

/** The kinds of lookups that are measured, by name, in words. */
export const lookupKinds = {
  satisfies: 'the Tools that satisfy a skill: ? `satisfies` skill',
  value: 'the node with an identifier: ? `id` "text"',
  node: 'all of a node: node ? ?',
  property: 'the title of a node: node `title` ?',
  statement: 'one statement: node `@type` `Tool`',
  object: 'the uses of a type by any property: ? ? type',
  predicate: 'the titles of all nodes: ? `title` ?',
  document: 'all of a document: its graph',
} as const;

export type LookupKind = keyof typeof lookupKinds;

/** One pattern of each kind, about the node of a document of the corpus. Pure. */
export function lookupPatterns({ path, text }: CorpusFile): Record<LookupKind, Pattern> {
  const node = JSON.parse(text) as CorpusNode;
  const tool = new Iri(node['@id']);
  const title = new Iri(propertyIri('title'));
  return {
    satisfies: [null, new Iri(propertyIri('satisfies')), new Iri(node.satisfies[0]), null],
    value: [null, new Iri(propertyIri('id')), new LiteralTerm(node.id), null],
    node: [tool, null, null, null],
    property: [tool, title, null, null],
    statement: [tool, new Iri(rdf.type), new Iri(classes.Tool), null],
    object: [null, null, new Iri(node.io.inputs[0].schema), null],
    predicate: [null, title, null, null],
    document: [null, null, null, new Iri(documentIri(corpusBase, path))],
  };
}

/** What is asked for of a node of the corpus. */
interface CorpusNode {
  readonly '@id': string;
  readonly id: string;
  readonly satisfies: readonly [string];
  readonly io: { readonly inputs: readonly [{ readonly schema: string }] };
}
