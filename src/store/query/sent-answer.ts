import type { Quad } from '@rdfjs/types';
import { BlankTerm, DefaultGraphTerm, Iri, LiteralTerm, QuadTerm } from '../rdf-terms.js';
import { TermNumbers } from '../term-numbers.js';
import { decodeTerm, type StoredTerm } from '../term-text.js';
import { RDF, rdf } from '../vocabulary.js';
import type { BindingsResult, BooleanResult, QuadsResult, QueryResult, ResultQuad, ResultTerm } from './graph-query.js';
import type { SentAnswer } from './query-messages.js';

/** A term in SPARQL 1.1 Results JSON. */
interface JsonTerm {
  readonly type: 'uri' | 'bnode' | 'literal';
  readonly value: string;
  readonly datatype?: string;
  readonly 'xml:lang'?: string;
  readonly 'its:dir'?: 'ltr' | 'rtl';
}

interface JsonResults {
  readonly head: { readonly vars?: readonly string[] };
  readonly boolean?: boolean;
  readonly results?: { readonly bindings: readonly Readonly<Record<string, JsonTerm>>[] };
}

/** Reads the results of a SELECT or ASK. `order` is the order of the variables where the query has none of its own. */
export function answerOfResults(text: string, order?: readonly string[]): SentAnswer {
  const { head, boolean, results }: JsonResults = JSON.parse(text);
  if (boolean !== undefined) return { kind: 'boolean', value: boolean };
  const found = head.vars ?? [];
  const variables = order === undefined ? found : order.filter((name) => found.includes(name));
  const rows = results?.bindings ?? [];
  const numbers = new TermNumbers();
  const cells = new Int32Array(rows.length * variables.length).fill(-1);
  for (const [row, binding] of rows.entries()) {
    for (const [column, name] of variables.entries()) {
      if (!Object.hasOwn(binding, name)) continue;
      const term = binding[name];
      if (term !== undefined) cells[row * variables.length + column] = numbers.of(termOf(term));
    }
  }
  return { kind: 'bindings', variables, rows: rows.length, terms: numbers.texts, cells };
}

export function answerOfTriples(triples: readonly Pick<Quad, 'subject' | 'predicate' | 'object'>[]): SentAnswer {
  const numbers = new TermNumbers();
  const cells = Int32Array.from(
    triples.flatMap(({ subject, predicate, object }) => [subject, predicate, object]),
    (term) => numbers.of(term),
  );
  return { kind: 'quads', terms: numbers.texts, cells };
}

/** How many rows, or triples. */
export function sizeOf(answer: SentAnswer): number {
  if (answer.kind === 'boolean') return 1;
  return answer.kind === 'bindings' ? answer.rows : answer.cells.length / 3;
}

type WithoutGeneration =
  | Omit<BindingsResult, 'generation'>
  | Omit<BooleanResult, 'generation'>
  | Omit<QuadsResult, 'generation'>;

/** The answer as its reader gets it. */
export function receivedAnswer(answer: SentAnswer, generation: QueryResult['generation']): QueryResult {
  return { ...decoded(answer), generation };
}

function decoded(answer: SentAnswer): WithoutGeneration {
  if (answer.kind === 'boolean') return answer;
  const terms = answer.terms.map(decodeTerm);
  const termAt = (cell: number): StoredTerm | undefined => terms[answer.cells[cell] ?? -1];
  if (answer.kind === 'quads') {
    const quads = Array.from({ length: answer.cells.length / 3 }, (_, i) => {
      const [subject, predicate, object] = [termAt(3 * i), termAt(3 * i + 1), termAt(3 * i + 2)];
      const quad = new QuadTerm(
        subject as Quad['subject'],
        predicate as Quad['predicate'],
        object as Quad['object'],
        defaultGraph,
      );
      return quad as QuadTerm & ResultQuad;
    });
    return { kind: 'quads', quads };
  }
  const { variables } = answer;
  const rows = Array.from({ length: answer.rows }, (_, row) => {
    const bound = variables.flatMap((name, column): [string, ResultTerm][] => {
      const term = termAt(row * variables.length + column);
      return term === undefined ? [] : [[name, term as ResultTerm]];
    });
    return new Map(bound);
  });
  return { kind: 'bindings', variables, rows };
}

const defaultGraph = new DefaultGraphTerm();

function termOf({ type, value, datatype, 'xml:lang': language, 'its:dir': direction }: JsonTerm): StoredTerm {
  if (type === 'uri') return new Iri(value);
  if (type === 'bnode') return new BlankTerm(value);
  if (language === undefined) return new LiteralTerm(value, datatype === undefined ? undefined : new Iri(datatype));
  const kind = direction === undefined ? rdf.langString : `${RDF}dirLangString`;
  return new LiteralTerm(value, new Iri(kind), language, direction ?? '');
}
