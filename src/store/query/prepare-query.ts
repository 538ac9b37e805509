import { Generator } from '@traqula/generator-sparql-1-1';
import { AstFactory, type Query, type QueryDescribe } from '@traqula/rules-sparql-1-1';
import { absoluteIri, bindQuery } from './bind-query.js';
import type { BindingTerm, QueryDatasetClause } from './graph-query.js';
import { parseQuery, placeOf } from './parse-query.js';
import { QueryError } from './query-error.js';
import { nodesOf } from './query-nodes.js';

const factory = new AstFactory();
const generator = new Generator();

/** A query as the engine is given it. */
export interface PreparedQuery {
  readonly form: Query['subType'];
  readonly text: string;
  /** Of the whole query, in the order in which they are written first: that of the columns of `SELECT *`. */
  readonly variables: readonly string[];
  /**
   * The dataset that was asked for beside the text, or that its FROM clauses name, taken out of the text where the engine would not merge its
   * default graph: IRIs of graphs, relative ones as they are written.
   */
  readonly dataset?: QueryDatasetClause;
}

export interface QueryInput {
  readonly sparql: string;
  readonly bindings: ReadonlyMap<string, BindingTerm>;
  /** In place of its FROM clauses. */
  readonly dataset?: QueryDatasetClause | undefined;
  readonly prefixes: ReadonlyMap<string, string>;
  /** A SELECT stops after one row more than this. */
  readonly rows: number;
}

/** Throws a QueryError for what is not to be answered, or cannot be. Pure. */
export function prepareQuery({ sparql, bindings, dataset: asked, prefixes, rows }: QueryInput): PreparedQuery {
  const query = bindQuery(sparql, parseQuery(sparql, prefixes), bindings);
  const dataset = asked === undefined ? datasetOf(query) : checked(asked);
  const limited = query.subType === 'select' ? limitedTo(rows + 1, query) : query;
  const whole = dataset === undefined ? limited : { ...limited, datasets: { ...limited.datasets, clauses: [] } };
  const text = generator.generate(factory.forcedAutoGenTree(whole.subType === 'describe' ? spelledOut(whole) : whole));
  return { form: query.subType, text, variables: variablesOf(query), ...(dataset === undefined ? {} : { dataset }) };
}

function limitedTo<T extends Query>(rows: number, query: T): T {
  const { limit = rows, offset } = query.solutionModifiers.limitOffset ?? {};
  const limitOffset = factory.solutionModifierLimitOffset(Math.min(limit, rows), offset, factory.gen());
  return { ...query, solutionModifiers: { ...query.solutionModifiers, limitOffset } };
}

/** The generator writes the resources of a DESCRIBE without spaces, so that two prefixed names would be another one. */
function spelledOut(query: QueryDescribe): QueryDescribe {
  const [first] = query.variables;
  if (first?.type === 'wildcard') return query;
  const resources = query.variables.flatMap((one) => {
    if (one.type === 'wildcard') return [];
    return 'prefix' in one ? [factory.termNamed(factory.gen(), resolvedIri(one, query.context))] : [one];
  });
  return { ...query, variables: resources };
}

function variablesOf(query: Query): string[] {
  const places = new Map<string, number>();
  for (const node of nodesOf(query)) {
    if (node.type !== 'term' || node.subType !== 'variable') continue;
    places.set(node.value, Math.min(placeOf(node) ?? Infinity, places.get(node.value) ?? Infinity));
  }
  return [...places].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

function checked(dataset: QueryDatasetClause): QueryDatasetClause {
  const wrong = [...dataset.merged, ...dataset.named].find((iri) => !absoluteIri.test(iri));
  if (wrong === undefined) return dataset;
  const words = `expected the absolute IRI of a graph, without spaces and <>"{}|^\`\\, and it is "${wrong.slice(0, 100)}"`;
  throw new QueryError('binding', words);
}

/** The engine gives a triple that two graphs of FROM have twice. */
function datasetOf({ datasets, context }: Query): QueryDatasetClause | undefined {
  const graphs = (type: 'default' | 'named') =>
    new Set(
      datasets.clauses.flatMap(({ clauseType, value }) => (clauseType === type ? [resolvedIri(value, context)] : [])),
    );
  const merged = graphs('default');
  return merged.size < 2 ? undefined : { merged: [...merged], named: [...graphs('named')] };
}

/** The IRI that a name or a relative IRI stands for; one that stays relative as it is written. */
export function resolvedIri(iri: Query['datasets']['clauses'][number]['value'], context: Query['context']): string {
  if ('prefix' in iri) {
    // The last declaration of a prefix holds.
    const declared = context.findLast((one) => one.subType === 'prefix' && one.key === iri.prefix);
    return `${declared?.value.value ?? ''}${iri.value.replace(/\\(.)/g, '$1')}`;
  }
  const base = context.findLast(({ subType }) => subType === 'base')?.value.value;
  return base === undefined || !URL.canParse(iri.value, base) ? iri.value : new URL(iri.value, base).href;
}
