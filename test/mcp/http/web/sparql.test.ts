import { DataFactory, Parser } from 'n3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { preferredType } from '../../../../src/mcp/http/web/media-type.js';
import { sparqlRoute } from '../../../../src/mcp/http/web/sparql.js';
import { createService, type Service } from '../../../../src/service.js';
import { QueryError, type QueryErrorCode } from '../../../../src/store/query/query-error.js';
import { Instance, toolNode } from '../../../e2e/instance.js';

const titles = 'SELECT ?title { ?tool a tg:Tool ; dcterms:title ?title } ORDER BY ?title';
const triples =
  'CONSTRUCT { ?tool dcterms:title ?title ; dcterms:relation [] } WHERE { ?tool a tg:Tool ; dcterms:title ?title }';
const documentOf = (id: string) => `urn:toolgraph:web-test:document/graph/tools/${id}.json`;

let instance: Instance;
let service: Service;
let app: ReturnType<typeof sparqlRoute>;

beforeAll(async () => {
  instance = await Instance.make([
    toolNode('a', { title: 'First, "quoted"\tand more' }),
    toolNode('b', { title: 'Second', tier: 'internal' }),
  ]);
  await instance.config({ name: 'web-test', limits: { queryRows: 50 } });
  service = createService({ root: instance.root, watch: false });
  await service.ready;
  app = sparqlRoute(service);
});
afterAll(async () => {
  await service.close();
  await instance.dispose();
});

function get(parameters: Record<string, string> | [string, string][], accept?: string): Promise<Response> {
  const headers = new Headers(accept === undefined ? [] : [['Accept', accept]]);
  return Promise.resolve(app.request(`/sparql?${new URLSearchParams(parameters)}`, { headers }));
}

function post(body: string | Uint8Array, type: string, search = ''): Promise<Response> {
  return Promise.resolve(app.request(`/sparql${search}`, { method: 'POST', body, headers: { 'Content-Type': type } }));
}

const both = ['First, "quoted"\tand more', 'Second'];

async function titlesOf(response: Response): Promise<string[]> {
  expect(response.status, await response.clone().text()).toBe(200);
  const { results } = (await response.json()) as { results: { bindings: { title: { value: string } }[] } };
  return results.bindings.map(({ title }) => title.value);
}

describe('A query over HTTP', () => {
  it('is answered the same in each way of sending it, on a generation that the headers name', async () => {
    for (const response of [
      await get({ query: titles }),
      await post(new URLSearchParams({ query: titles }).toString(), 'application/x-www-form-urlencoded; charset=UTF-8'),
      await post(titles, 'application/sparql-query'),
    ]) {
      expect(response.headers.get('Content-Type')).toBe('application/sparql-results+json');
      expect(response.headers.get('Toolgraph-Generation')).toBe(String(service.current?.number));
      expect(response.headers.get('Toolgraph-Digest')).toBe(service.current?.digest);
      expect(response.headers.get('Vary')).toBe('Accept');
      expect(await titlesOf(response)).toEqual(both);
    }
  });

  it('sees what Service.query sees, tools of the tier internal too', async () => {
    expect(service.current?.entries.has('b')).toBe(false);
    expect(await titlesOf(await get({ query: titles }))).toContain('Second');
  });

  it('is asked of the dataset that the request names, in place of that of the query', async () => {
    const from = `SELECT ?title FROM <${documentOf('b')}> { ?tool dcterms:title ?title }`;
    expect(await titlesOf(await get({ query: from }))).toEqual(['Second']);
    const ofA = { 'default-graph-uri': documentOf('a') };
    expect(await titlesOf(await get({ query: from, ...ofA }))).toEqual([both[0]]);
    const direct = await post(from, 'application/sparql-query', `?${new URLSearchParams(ofA)}`);
    expect(await titlesOf(direct)).toEqual([both[0]]);
    const two = new URLSearchParams([
      ['query', titles],
      ['default-graph-uri', documentOf('a')],
      ['default-graph-uri', documentOf('b')],
    ]);
    expect(await titlesOf(await post(two.toString(), 'application/x-www-form-urlencoded'))).toEqual(both);
    expect(await titlesOf(await get({ query: titles, 'default-graph-uri': 'urn:not-here' }))).toEqual([]);
    const named = 'SELECT ?title { GRAPH ?g { ?tool dcterms:title ?title } }';
    expect(await titlesOf(await get({ query: named, 'named-graph-uri': documentOf('b') }))).toEqual(['Second']);
    expect(await titlesOf(await get({ query: titles, 'named-graph-uri': documentOf('b') }))).toEqual([]);
    const relative = await get({ query: titles, 'default-graph-uri': 'b.json' });
    expect([relative.status, await relative.json()]).toEqual([400, expect.objectContaining({ code: 'binding' })]);
  });

  it('gives rows as JSON, XML, CSV and TSV', async () => {
    const query = 'SELECT ?tool ?title ?none { ?tool dcterms:identifier "a" ; dcterms:title ?title }';
    const as = async (accept: string) => {
      const response = await get({ query }, accept);
      return [response.headers.get('Content-Type'), await response.text()];
    };
    const iri = 'urn:toolgraph:web-test:tool/a';
    expect(await as('text/csv')).toEqual([
      'text/csv; charset=utf-8',
      `tool,title,none\r\n${iri},"First, ""quoted""\tand more",\r\n`,
    ]);
    expect(await as('text/tab-separated-values')).toEqual([
      'text/tab-separated-values; charset=utf-8',
      `?tool\t?title\t?none\n<${iri}>\t"First, \\"quoted\\"\\u0009and more"\t\n`,
    ]);
    const [type, xml] = await as('application/sparql-results+xml');
    expect(type).toBe('application/sparql-results+xml');
    expect(xml).toContain('<variable name="tool"/><variable name="title"/><variable name="none"/>');
    expect(xml).toContain(`<binding name="tool"><uri>${iri}</uri></binding>`);
    expect(xml).toContain('<literal>First, &#34;quoted&#34;&#9;and more</literal>');
    expect((await as('application/json'))[0]).toBe('application/json');
    const ask = await get({ query: 'ASK { ?tool a tg:Tool }' }, 'application/sparql-results+xml');
    expect(await ask.text()).toContain('<boolean>true</boolean>');
  });

  it('gives triples as Turtle, N-Triples, N-Quads, TriG and JSON-LD, all the same', async () => {
    const { default: jsonld } = await import('jsonld');
    const texts = new Map<string, string>();
    for (const type of ['text/turtle', 'application/n-triples', 'application/n-quads', 'application/trig']) {
      const response = await get({ query: triples }, type);
      expect(response.headers.get('Content-Type')?.split(';')[0]).toBe(type);
      const quads = new Parser({ format: type }).parse(await response.text());
      texts.set(type, canonical(quads.map((quad) => DataFactory.quad(quad.subject, quad.predicate, quad.object))));
      expect(quads).toHaveLength(4);
    }
    const response = await get({ query: triples }, 'application/ld+json');
    const nquads = await jsonld.toRDF(JSON.parse(await response.text()), { format: 'application/n-quads' });
    texts.set('jsonld', canonical(new Parser({ format: 'N-Quads' }).parse(String(nquads))));
    expect(new Set(texts.values()).size).toBe(1);
  });

  it('refuses what no acceptable type can have', async () => {
    const none = await get({ query: titles }, 'text/html, image/*');
    expect([none.status, await none.json()]).toEqual([406, expect.objectContaining({ code: 'not_acceptable' })]);
    expect((await get({ query: titles }, 'text/turtle')).status).toBe(406);
    expect((await get({ query: 'ASK {}' }, 'text/csv')).status).toBe(406);
    const control = await get({ query: 'SELECT ("\\u0001" AS ?x) {}' }, 'application/sparql-results+xml');
    expect(control.status).toBe(406);
    expect(await control.text()).toContain('XML cannot hold');
  });

  it('refuses updates, with the reason', async () => {
    const insert = 'INSERT DATA { <urn:a> <urn:b> <urn:c> }';
    for (const response of [
      await get({ update: insert }),
      await get({ query: insert }),
      await post(insert, 'application/sparql-update'),
      await post(new URLSearchParams({ update: insert }).toString(), 'application/x-www-form-urlencoded'),
      await get({ query: 'SELECT * { SERVICE <https://example.org/> { ?s ?p ?o } }' }),
    ]) {
      expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ code: 'refused' })]);
    }
    expect(await titlesOf(await get({ query: titles }))).toEqual(both);
  });

  it('says where a query is wrong, and what is wrong with a request', async () => {
    const wrong = await get({ query: 'SELECT ?x {\n ?x ?p }' });
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      { code: 'syntax', message: expect.any(String), details: { line: 2, column: expect.any(Number) } },
    ]);
    expect(
      (
        await get([
          ['query', titles],
          ['query', titles],
        ])
      ).status,
    ).toBe(400);
    expect((await post('', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await post(titles, 'application/sparql-query', '?query=ASK%7B%7D')).status).toBe(400);
    expect((await post(new Uint8Array([0xff, 0xfe]), 'application/sparql-query')).status).toBe(400);
    const other = await post(titles, 'text/plain');
    expect([other.status, other.headers.get('Accept-Post')]).toEqual([415, expect.stringContaining('sparql-query')]);
    expect((await post(titles, 'application/sparql-query; charset=utf-16')).status).toBe(415);
    expect((await post(' '.repeat(4 * 1_048_576 + 1), 'application/sparql-query')).status).toBe(413);
    const put = await app.request('/sparql', { method: 'PUT' });
    expect([put.status, put.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('tells of a limit, and when to come again', async () => {
    const rows = await get({ query: 'SELECT * { ?s ?p ?o }' });
    expect([rows.status, await rows.json()]).toEqual([400, expect.objectContaining({ code: 'rows' })]);
    const failing = async (code: QueryErrorCode) => {
      const query = () => Promise.reject(new QueryError(code, 'words'));
      const response = await sparqlRoute({ query, instances: [] }).request('/sparql?query=ASK%7B%7D');
      return [response.status, response.headers.get('Retry-After')];
    };
    expect(await failing('time')).toEqual([400, null]);
    expect(await failing('memory')).toEqual([400, null]);
    expect(await failing('busy')).toEqual([503, '1']);
    expect(await failing('unavailable')).toEqual([503, '5']);
  });

  it('is cancelled when its client goes away', async () => {
    const going = new AbortController();
    const heavy = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }';
    const answered = app.request(
      new Request(`http://localhost/sparql?query=${encodeURIComponent(heavy)}`, { signal: going.signal }),
    );
    going.abort();
    const response = await answered;
    expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ code: 'cancelled' })]);
    expect(await titlesOf(await get({ query: titles }))).toEqual(both);
  });

  it('has a service that describes itself', async () => {
    const response = await app.request('http://localhost:8080/sparql', { headers: { Accept: 'text/turtle' } });
    const quads = new Parser({ format: 'text/turtle' }).parse(await response.text());
    const endpoint = quads.find(({ predicate }) => predicate.value.endsWith('#endpoint'));
    expect(endpoint?.object.value).toBe('http://localhost:8080/sparql');
    const asked = await app.request('/sparql', { headers: { Accept: 'application/sparql-results+json' } });
    expect([asked.status, await asked.json()]).toEqual([400, expect.objectContaining({ code: 'bad_request' })]);
  });
});

describe('The type of an answer', () => {
  const offered = ['application/json', 'text/turtle', 'text/csv'] as const;
  it.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['text/*', 'text/turtle'],
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/csv, */*', 'text/csv'],
    ['application/json;q=0.3, text/csv;q=0.8, text/turtle;q=0.5', 'text/csv'],
    ['*/*;q=0.9, application/json;q=0.1', 'text/turtle'],
    ['*/*, application/json;q=0, text/turtle;q=0', 'text/csv'],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['text/html, text/*;q=0', undefined],
  ])('is, for the Accept header %s, %s', (accept, type) => {
    expect(preferredType(accept, offered)).toBe(type);
  });
});

/** Sorted lines, blank nodes without their names: enough to tell these triples apart. */
function canonical(
  quads: readonly {
    subject: { termType: string; value: string };
    predicate: { value: string };
    object: { termType: string; value: string };
  }[],
): string {
  const text = ({ termType, value }: { termType: string; value: string }) => (termType === 'BlankNode' ? '_' : value);
  return quads
    .map(({ subject, predicate, object }) => [text(subject), predicate.value, text(object)].join(' '))
    .sort()
    .join('\n');
}
