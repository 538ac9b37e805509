import type { ResultQuad } from '../../../store/query/graph-query.js';
import { BlankTerm, DefaultGraphTerm, Iri, QuadTerm } from '../../../store/rdf-terms.js';
import { rdf } from '../../../store/vocabulary.js';

const SD = 'http://www.w3.org/ns/sparql-service-description#';

/** The one prefix of its own. */
export const sdPrefix = ['sd', SD] as const;

/** https://www.w3.org/ns/formats/ */
const resultFormats = [
  ...['SPARQL_Results_JSON', 'SPARQL_Results_XML', 'SPARQL_Results_CSV', 'SPARQL_Results_TSV'],
  ...['Turtle', 'N-Triples', 'JSON-LD', 'N-Quads', 'TriG'],
];

/** What the service says of itself (https://www.w3.org/TR/sparql11-service-description/). `endpoint` is the IRI at which it is asked. */
export function describeService(endpoint: string): ResultQuad[] {
  const service = new BlankTerm('service');
  const dataset = new BlankTerm('dataset');
  const graph = new BlankTerm('graph');
  const sd = (name: string) => new Iri(SD + name);
  const type = new Iri(rdf.type);
  const statements = [
    [service, type, sd('Service')],
    [service, sd('endpoint'), new Iri(endpoint)],
    [service, sd('supportedLanguage'), sd('SPARQL11Query')],
    // The default graph is the merge of the named ones.
    [service, sd('feature'), sd('UnionDefaultGraph')],
    ...resultFormats.map(
      (name) => [service, sd('resultFormat'), new Iri(`http://www.w3.org/ns/formats/${name}`)] as const,
    ),
    [service, sd('defaultDataset'), dataset],
    [dataset, type, sd('Dataset')],
    [dataset, sd('defaultGraph'), graph],
    [graph, type, sd('Graph')],
  ] as const;
  const defaultGraph = new DefaultGraphTerm();
  return statements.map(
    ([subject, predicate, object]) => new QuadTerm(subject, predicate, object, defaultGraph) as QuadTerm & ResultQuad,
  );
}
