import type { QueryDatasetClause } from '../../../store/query/graph-query.js';
import type { WebRefusal } from './refusal.js';

/** A query operation of the SPARQL 1.1 Protocol (https://www.w3.org/TR/sparql11-protocol/#query-operation). */
export interface SparqlRequest {
  readonly query: string;
  /** What `default-graph-uri` and `named-graph-uri` name; absent where neither is given. */
  readonly dataset?: QueryDatasetClause;
}

/** No query is asked for: the service may describe itself. */
export const noQuery = 'no query';

/** Graphs that one request may name. */
const mostGraphs = 1_000;

const form = 'application/x-www-form-urlencoded';
const direct = 'application/sparql-query';
const update = 'application/sparql-update';

/** Types of the bodies that are read: for the header Accept-Post. */
export const sparqlBodyTypes = `${direct}, ${form}`;

/** Reads a GET. `parameters` are those of the URL. */
export function readSparqlGet(parameters: URLSearchParams): SparqlRequest | WebRefusal | typeof noQuery {
  if (parameters.has('update')) return updateRefused;
  return parameters.has('query') ? fromParameters(parameters, parameters.getAll('query')) : noQuery;
}

/** Reads a POST: a form, or the query itself with the dataset in the URL. */
export function readSparqlPost(
  contentType: string | undefined,
  body: Uint8Array,
  parameters: URLSearchParams,
): SparqlRequest | WebRefusal {
  const [type = '', ...attributes] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type === update) return updateRefused;
  if (type !== form && type !== direct) return unsupported(type);
  const charset = attributes.find((attribute) => attribute.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) return unsupported(`${type} in ${charset}`);
  const text = textOf(body);
  if (text === undefined) return badRequest('the body is not UTF-8');
  if (type === direct) {
    if (parameters.has('query')) return badRequest('there is a query in the URL and one in the body; send one of them');
    return fromParameters(parameters, [text]);
  }
  const fields = new URLSearchParams(text);
  if (fields.has('update')) return updateRefused;
  return fromParameters(fields, fields.getAll('query'));
}

function fromParameters(parameters: URLSearchParams, queries: readonly string[]): SparqlRequest | WebRefusal {
  const [query] = queries;
  if (query === undefined) return badRequest('there is no query; send one as the parameter "query"');
  if (queries.length > 1) return badRequest(`there are ${queries.length} queries; send one`);
  const merged = parameters.getAll('default-graph-uri');
  const named = parameters.getAll('named-graph-uri');
  if (merged.length + named.length > mostGraphs) return badRequest(`a request may name ${mostGraphs} graphs at most`);
  return merged.length + named.length === 0 ? { query } : { query, dataset: { merged, named } };
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

const updateRefused: WebRefusal = {
  status: 403,
  code: 'refused',
  message: 'the graph is changed by documents only, not by SPARQL Update; send a query',
};

function unsupported(type: string): WebRefusal {
  const message = `a query comes as ${direct} or ${form}, in UTF-8, and not as ${type === '' ? 'a body without Content-Type' : type.slice(0, 100)}`;
  return { status: 415, code: 'unsupported_media_type', message, headers: { 'Accept-Post': sparqlBodyTypes } };
}

function badRequest(message: string): WebRefusal {
  return { status: 400, code: 'bad_request', message };
}
