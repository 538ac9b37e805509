import { formatParameter } from '../../../schemas/view.js';
import type { ServedParameter, ServedView } from '../../projection/view-state.js';
import type { ResultTerm } from '../../store/query/graph-query.js';
import { fixedResources } from './generation-resources.js';
import { skillNames, visibleToolIds } from './node-resources.js';
import type { ReadableService } from './read-resource.js';
import { buildResourceTemplatesList } from './resource-list.js';
import { ResourceRequestError } from './resource-text.js';
import { parseResourceUri, scheme } from './resource-uri.js';
import { bindingsOf, valuesOfTexts } from './view-parameters.js';
import { queryText } from './view-resource.js';
import { viewAt } from './view-uri.js';

/** The result of `completion/complete`. */
export type Completion = { values: string[]; total: number; hasMore: boolean };

/** Values of one answer (MCP, Completion). */
const mostValues = 100;
/** What finding the values of a parameter in the graph may take: a person waits for it at each letter. */
const limits = { timeMs: 1000, rows: 10_000 };

/**
 * Completes an argument of a resource template, or a parameter in the URI of a view: ids, names, and the values of a parameter that its type
 * lists or that the view itself finds when it is left open. `given` are the arguments that are known already.
 *
 * @throws ResourceRequestError for a template, or an argument of it, that there is not.
 */
export async function completeResource(
  service: ReadableService,
  template: string,
  { name, value }: { readonly name: string; readonly value: string },
  given: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<Completion> {
  const [path = '', query = ''] = template.split(/\{\?|\?/, 2);
  const view = viewOf(service, path) ?? viewWithTemplate(service, template);
  const isKnown = buildResourceTemplatesList(service).some(({ uriTemplate }) => uriTemplate.split('{?', 1)[0] === path);
  if (!isKnown && view === undefined)
    throw new ResourceRequestError(`no resource template is ${template.slice(0, 200)}`);
  if (name === formatParameter) return matching(['jsonld', 'markdown'], value);
  const parameter = view?.parameters.find((one) => one.name === name);
  if (view !== undefined && parameter !== undefined) {
    return matching(await valuesOfParameter(service, view, parameter, given, signal), value);
  }
  if (!path.includes(`{${name}}`) && !query.includes(name)) {
    throw new ResourceRequestError(`${template.slice(0, 200)} has no argument ${JSON.stringify(name.slice(0, 64))}`);
  }
  return matching(namesFor(service, path, name), value);
}

function namesFor(service: ReadableService, path: string, name: string): Iterable<string> {
  switch (`${path.slice(scheme.length)} ${name}`) {
    case '{resource} resource':
      return fixedResources.keys();
    case 'tool/{id} id':
    case 'invocations tool':
      return visibleToolIds(service);
    case 'skill/{name} name':
      return skillNames(service);
    case 'view/{id} id':
      return service.current?.views.keys() ?? [];
    case 'output/{call} call':
      return service.outputs.list().map(({ call }) => call);
    default:
      return [];
  }
}

/** The view that the beginning of a template, or a URI, is of. */
function viewOf({ current }: ReadableService, path: string): ServedView | undefined {
  const { kind, name } = parseResourceUri(path) ?? {};
  return kind === 'view' && name !== undefined ? current?.views.get(name) : undefined;
}

function viewWithTemplate({ current }: ReadableService, template: string): ServedView | undefined {
  const views = [...(current?.views.values() ?? [])];
  return views.find(({ uri }) => uri === template) ?? viewAt(views, template)?.view;
}

async function valuesOfParameter(
  service: ReadableService,
  view: ServedView,
  { name, type }: ServedParameter,
  given: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  if (type.type === 'boolean') return ['true', 'false'];
  const listed = type.enum ?? (type.const === undefined ? undefined : [type.const]);
  if (Array.isArray(listed)) return listed.map(String);
  const others = new Map([...given].filter(([key, text]) => key !== name && key !== formatParameter && text !== ''));
  try {
    const open = { ...view, parameters: view.parameters.map((one) => ({ ...one, required: false })) };
    const bindings = await bindingsOf(open, valuesOfTexts(view, others));
    const result = await service.query(queryText(service, view), { bindings, limits, signal });
    if (result.kind !== 'bindings') return [];
    return [...new Set(result.rows.flatMap((row) => textOf(row.get(name))))].sort();
  } catch {
    // Whoever completes a value can go on without a list of them.
    return [];
  }
}

function textOf(term: ResultTerm | undefined): string[] {
  return term === undefined || term.termType === 'BlankNode' ? [] : [term.value];
}

/** Those that begin with what is written, then those that have it inside; in any case of letters. */
function matching(candidates: Iterable<string>, written: string): Completion {
  const wanted = written.toLowerCase();
  const all = [...candidates].filter((candidate) => candidate.toLowerCase().includes(wanted));
  const [first, rest] = [true, false].map((isFirst) =>
    all.filter((candidate) => candidate.toLowerCase().startsWith(wanted) === isFirst),
  );
  const values = [...(first ?? []), ...(rest ?? [])];
  return { values: values.slice(0, mostValues), total: values.length, hasMore: values.length > mostValues };
}
