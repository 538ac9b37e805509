import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Service } from '../../../service.js';
import { QueryError, type QueryErrorCode } from '../../../store/query/query-error.js';
import { prefixesOf } from '../../../store/query/query-prefixes.js';
import { bodyOf } from './body-text.js';
import { generationHeaders } from './generation-headers.js';
import { refuse, refuseMethod, type WebRefusal } from './refusal.js';
import { describeService, sdPrefix } from './service-description.js';
import { unacceptable, writeAnswer, writeTriples } from './sparql-answer.js';
import { noQuery, readSparqlGet, readSparqlPost, type SparqlRequest } from './sparql-request.js';

/** Bytes of a body: a query of the longest that are read, each character escaped in a form. */
const mostBytes = 4 * 1_048_576;

const methods = ['GET', 'HEAD', 'POST'];

/**
 * `/sparql`: the query operation of the SPARQL 1.1 Protocol over `Service.query`, which has the limits. What it may see is what that sees: all
 * that documents state, whatever the tiers that are served (docs/web.md).
 */
export function sparqlRoute(service: Pick<Service, 'query' | 'instances'>): Hono {
  const app = new Hono();
  app.get('/sparql', (c) => {
    const request = readSparqlGet(new URL(c.req.url).searchParams);
    return request === noQuery ? describe(c) : answer(c, service, request);
  });
  app.post('/sparql', bodyLimit({ maxSize: mostBytes, onError: refuseLarge }), async (c) => {
    const body = new Uint8Array(await c.req.arrayBuffer());
    return answer(c, service, readSparqlPost(c.req.header('Content-Type'), body, new URL(c.req.url).searchParams));
  });
  app.all('/sparql', (c) => refuseMethod(c, methods));
  return app;
}

async function answer(
  c: Context,
  service: Pick<Service, 'query' | 'instances'>,
  request: SparqlRequest | WebRefusal,
): Promise<Response> {
  if ('status' in request) return refuse(c, request);
  const accept = c.req.header('Accept');
  const impossible = unacceptable(accept);
  if (impossible !== undefined) return refuse(c, notAcceptable(impossible));
  try {
    const { query, dataset } = request;
    const result = await service.query(query, { dataset, signal: c.req.raw.signal });
    const written = writeAnswer(result, accept, prefixesOf(service.instances[0]?.config.base ?? ''));
    if ('notAcceptable' in written) return refuse(c, notAcceptable(written.notAcceptable));
    // The history grows with every call, so no generation tells that an answer is still the same.
    const headers = { ...generationHeaders(result.generation), Vary: 'Accept', 'Cache-Control': 'private, no-cache' };
    return c.body(bodyOf(c, written.text), 200, { ...headers, 'Content-Type': withCharset(written.type) });
  } catch (error) {
    if (error instanceof QueryError) return refuse(c, queryRefusal(error));
    throw error;
  }
}

/** A client that asks nothing may learn what can be asked (SPARQL 1.1 Service Description §2). */
function describe(c: Context): Response {
  const { origin, pathname } = new URL(c.req.url);
  const quads = describeService(origin + pathname);
  const written = writeTriples({ quads }, c.req.header('Accept') ?? '', new Map([sdPrefix]));
  if (written !== undefined) {
    const headers = { Vary: 'Accept', 'Cache-Control': 'no-cache', 'Content-Type': withCharset(written.type) };
    return c.body(bodyOf(c, written.text), 200, headers);
  }
  const message = 'there is no query; send one as the parameter "query", or ask for text/turtle to read of the service';
  return refuse(c, { status: 400, code: 'bad_request', message });
}

function withCharset(type: string): string {
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

function notAcceptable(message: string): WebRefusal {
  return { status: 406, code: 'not_acceptable', message, headers: { Vary: 'Accept' } };
}

function refuseLarge(c: Context): Response {
  return refuse(c, { status: 413, code: 'too_large', message: `a body may have ${mostBytes} bytes at most` });
}

/** A query that asks too much is the client's to change, so it is not told to come again. */
const statuses: Readonly<Record<QueryErrorCode, WebRefusal['status']>> = {
  ...{ syntax: 400, binding: 400, time: 400, memory: 400, rows: 400 },
  ...{ refused: 403, failed: 500, busy: 503, unavailable: 503, cancelled: 503 },
};

/** Seconds. */
const retryAfter: Readonly<Partial<Record<QueryErrorCode, string>>> = { busy: '1', unavailable: '5' };

function queryRefusal({ code, message, position }: QueryError): WebRefusal {
  const seconds = retryAfter[code];
  return {
    ...{ status: statuses[code], code, message },
    ...(position === undefined ? {} : { details: { ...position } }),
    ...(seconds === undefined ? {} : { headers: { 'Retry-After': seconds } }),
  };
}
