import type { QueryVerdict } from '../projection/view-state.js';
import { bindQuery } from './query/bind-query.js';
import { parseQuery } from './query/parse-query.js';
import { QueryError } from './query/query-error.js';
import { queryPrefixes } from './query/query-prefixes.js';
import { Iri } from './rdf-terms.js';

/** Names that every query may use; which namespaces they stand for does not matter here. */
const prefixes: ReadonlyMap<string, string> = new Map([...queryPrefixes, ['tool', 'urn:x:'], ['skill', 'urn:x:']]);

/** Judges the query of a view that gives values to the variables `names`, without `?`: as it is judged when it is asked. */
export function judgeQuery(query: string, names: readonly string[]): QueryVerdict {
  try {
    const parsed = parseQuery(query, prefixes);
    bindQuery(query, parsed, new Map(names.map((name) => [name, new Iri('urn:x:value')])));
    const { subType, solutionModifiers } = parsed;
    return { form: subType, ordered: 'order' in solutionModifiers && solutionModifiers.order !== undefined };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { fault: error.message, ...error.position };
  }
}
