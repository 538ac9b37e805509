import type { ServedView } from '../../projection/view-state.js';
import type { Service } from '../../service.js';
import type { QueryResult } from '../../store/query/graph-query.js';
import type { QueryErrorCode } from '../../store/query/query-error.js';
import type { QueryLimits } from '../../store/query/query-limits.js';
import { type GenerationMeta, generationMeta } from '../generation-meta.js';
import { type ResourceDocument, ResourceFailure, ResourceRequestError } from './resource-text.js';
import { bindingsOf } from './view-parameters.js';
import { viewDocument } from './view-result.js';

/** What views are answered with. */
export type AskedService = Pick<Service, 'query' | 'instances'>;

export interface ViewReading {
  readonly document: ResourceDocument;
  /** The generation on whose documents it was answered. */
  readonly meta: GenerationMeta;
}

/** The answer of a view as the query gave it. */
export interface ViewAnswer extends Pick<ViewReading, 'meta'> {
  readonly result: QueryResult;
}

export interface ViewOptions {
  readonly signal?: AbortSignal | undefined;
  /** Stricter than those of the config. */
  readonly limits?: Partial<QueryLimits>;
}

/**
 * Answers a view with the values that are given by the names of its parameters. Throws a ResourceRequestError for a value that its type does
 * not have, or a parameter that is missing or unknown; a ResourceFailure when the query has no answer in its limits.
 */
export async function readView(
  service: AskedService,
  view: ServedView,
  values: ReadonlyMap<string, unknown>,
  options: ViewOptions = {},
): Promise<ViewReading> {
  const { result, meta } = await askView(service, view, values, options);
  return { document: viewDocument(view, result, values), meta };
}

/** As `readView`, for the answer itself. */
export async function askView(
  service: AskedService,
  view: ServedView,
  values: ReadonlyMap<string, unknown>,
  options: ViewOptions = {},
): Promise<ViewAnswer> {
  const bindings = await bindingsOf(view, values);
  try {
    const result = await service.query(queryText(service, view), { ...options, bindings });
    return { result, meta: generationMeta(result.generation) };
  } catch (error) {
    const code = queryErrorCode(error);
    if (code === undefined) throw error;
    const message = `the view ${view.id}: ${(error as Error).message}`;
    if (code === 'binding') throw new ResourceRequestError(message);
    throw new ResourceFailure(code, message);
  }
}

/** The names `tool:` and `skill:` are those of the instance that the view is of; a query without them has those of the root instance. */
export function queryText({ instances }: Pick<AskedService, 'instances'>, { query, instance }: ServedView): string {
  const base = instance === undefined ? undefined : instances.find(({ label }) => label === instance)?.config.base;
  if (base === undefined) return query;
  return `PREFIX tool: <${base}tool/> PREFIX skill: <${base}skill/>\n${query}`;
}

/** The class of the error is another one where it comes from a second copy of the module, so its name tells. */
function queryErrorCode(error: unknown): QueryErrorCode | undefined {
  if (!(error instanceof Error) || error.name !== 'QueryError' || !('code' in error)) return undefined;
  return error.code as QueryErrorCode;
}
