import { type Context, Hono } from 'hono';
import type { GraphSnapshot } from '../../../graph-snapshot.js';
import type { Service } from '../../../service.js';
import { type ExportFormat, type ExportSelection, exportFormats } from '../../../store/export-format.js';
import { QueryError } from '../../../store/query/query-error.js';
import { bodyOf } from './body-text.js';
import { matchesTag } from './entity-tag.js';
import { generationHeaders } from './generation-headers.js';
import { preferredType } from './media-type.js';
import { refuse, refuseMethod, type WebRefusal } from './refusal.js';

const methods = ['GET', 'HEAD'];

/** Documents can change between the headers and the first triple; then it is begun anew. */
const attempts = 3;

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  jsonld: 'application/ld+json',
  turtle: 'text/turtle',
  trig: 'application/trig',
  nquads: 'application/n-quads',
};

/** What can be accepted, the preferred first. Triples without a graph are also N-Triples. */
const formats = new Map<string, ExportFormat>([
  ...exportFormats.map((format) => [mediaTypes[format], format] as const),
  ['application/json', 'jsonld'],
]);
const formatsOfTriples = new Map<string, ExportFormat>([...formats, ['application/n-triples', 'nquads']]);

/** What a request asks for. */
interface Wanted {
  readonly selection: ExportSelection;
  readonly format: ExportFormat;
  readonly type: string;
}

/**
 * `/graph`: the dataset of the current generation, as `toolgraph export` writes it, with `graph=IRI` or `default` as in the SPARQL 1.1 Graph
 * Store HTTP Protocol, to read only.
 */
export function graphRoute(service: Pick<Service, 'snapshot'>): Hono {
  const app = new Hono();
  app.get('/graph', async (c) => {
    const wanted = read(new URL(c.req.url).searchParams, c.req.header('Accept'));
    if ('status' in wanted) return refuse(c, wanted);
    try {
      return await answer(c, service, wanted);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      const { code, message } = error;
      return refuse(c, { status: 503, code, message, headers: { 'Retry-After': '2' } });
    }
  });
  app.all('/graph', (c) => refuseMethod(c, methods));
  return app;
}

function read(parameters: URLSearchParams, accept: string | undefined): Wanted | WebRefusal {
  const selection = selectionOf(parameters);
  if (typeof selection === 'object' && 'status' in selection) return selection;
  const [format, ...others] = parameters.getAll('format');
  if (format !== undefined) {
    const known = exportFormats.find((one) => one === format);
    if (known !== undefined && others.length === 0) return { selection, format: known, type: mediaTypes[known] };
    return badRequest(`"format" is one of ${exportFormats.join(', ')}`);
  }
  const offered = selection === 'dataset' ? formats : formatsOfTriples;
  const type = preferredType(accept, [...offered.keys()]);
  const chosen = type === undefined ? undefined : offered.get(type);
  if (type !== undefined && chosen !== undefined) return { selection, format: chosen, type };
  const message = `the graph comes as ${[...offered.keys()].join(', ')}`;
  return { status: 406, code: 'not_acceptable', message, headers: { Vary: 'Accept' } };
}

function selectionOf(parameters: URLSearchParams): ExportSelection | WebRefusal {
  const graphs = parameters.getAll('graph');
  const [graph] = graphs;
  if (graphs.length + (parameters.has('default') ? 1 : 0) > 1) return badRequest('name one graph, or "default"');
  if (graph !== undefined) return { graph };
  return parameters.has('default') ? 'merged' : 'dataset';
}

async function answer(c: Context, service: Pick<Service, 'snapshot'>, wanted: Wanted): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const snapshot = await service.snapshot(c.req.raw.signal);
    const headers = headersOf(snapshot, wanted);
    if (matchesTag(c.req.header('If-None-Match'), headers.ETag)) return c.body(null, 304, headers);
    const type = { 'Content-Type': wanted.type.startsWith('text/') ? `${wanted.type}; charset=utf-8` : wanted.type };
    // Of a graph it is not known yet whether there is one.
    if (c.req.raw.method === 'HEAD' && typeof wanted.selection === 'string') {
      return c.body(null, 200, { ...headers, ...type });
    }
    try {
      const pieces = await snapshot.write(wanted.format, wanted.selection);
      if (pieces === undefined)
        return refuse(c, { status: 404, code: 'not_found', message: 'no document has this graph' });
      if (c.req.raw.method !== 'HEAD') return c.body(bodyOf(c, pieces), 200, { ...headers, ...type });
      await pieces.return?.();
      return c.body(null, 200, { ...headers, ...type });
    } catch (error) {
      if (attempt === attempts || !(error instanceof QueryError) || error.code !== 'unavailable') throw error;
    }
  }
}

/** The generation's own digest tells less: it is that of what MCP clients see. */
function headersOf({ generation, digest }: GraphSnapshot, { selection, format }: Wanted) {
  const which = selection === 'dataset' ? format : `${format}-${typeof selection === 'string' ? selection : 'graph'}`;
  return {
    ...generationHeaders(generation),
    ETag: `"${digest}-${which}"`,
    Vary: 'Accept',
    'Cache-Control': 'private, no-cache',
  };
}

function badRequest(message: string): WebRefusal {
  return { status: 400, code: 'bad_request', message };
}
