import { builtinTypesId } from '../../schemas/types.js';
import type { BindingTerm } from '../../src/store/query/graph-query.js';
import { LiteralTerm } from '../../src/store/rdf-terms.js';

/** The bundled view that is measured, from the root of the package. */
export const benchedView = 'graph/views/tools-by-skill.yaml';

/** The queries that are measured, by name, in words. */
export const queryNames = {
  view: 'a view: tools-by-skill, of one skill',
  aggregate: 'an aggregate: how many Tools each skill has',
  path: 'a path: the inputs of a type, by rdf:rest*/rdf:first',
  lookup: 'a lookup: the title of the Tool with an identifier',
} as const;

export type QueryName = keyof typeof queryNames;

/** A query with texts for some of its variables. */
export interface QueryRequest {
  readonly sparql: string;
  readonly values: Readonly<Record<string, string>>;
}

/** `view` is the query of the view, `id` the identifier of a Tool. */
export function askedQueries(view: string, id: string): Record<QueryName, QueryRequest> {
  const ofType = `${builtinTypesId}#/$defs/SemVer`;
  return {
    view: { sparql: view, values: { skill: 'skill-7' } },
    aggregate: {
      sparql:
        'SELECT ?skill (COUNT(?tool) AS ?tools) { ?tool tg:satisfies ?skill } GROUP BY ?skill ORDER BY DESC(?tools)',
      values: {},
    },
    path: {
      sparql: `SELECT ?tool ?name { ?tool tg:inputs/rdf:rest*/rdf:first ?port . ?port tg:schema <${ofType}> ; schema:name ?name }`,
      values: {},
    },
    lookup: { sparql: 'SELECT ?title { ?tool dcterms:identifier ?id ; dcterms:title ?title }', values: { id } },
  };
}

export function bindingsOf(values: QueryRequest['values']): ReadonlyMap<string, BindingTerm> {
  return new Map(Object.entries(values).map(([name, value]) => [name, new LiteralTerm(value)]));
}
