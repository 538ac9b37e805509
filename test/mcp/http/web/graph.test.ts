import type { JsonLdDocument } from 'jsonld';
import { Parser } from 'n3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphRoute } from '../../../../src/mcp/http/web/graph.js';
import { createService, type Service } from '../../../../src/service.js';
import type { exportFormats } from '../../../../src/store/export-format.js';
import { Instance, nodePath, toolNode } from '../../../e2e/instance.js';
import { nextGeneration } from '../../../next-generation.js';

let instance: Instance;
let service: Service;
let app: ReturnType<typeof graphRoute>;

beforeAll(async () => {
  instance = await Instance.make([toolNode('a'), toolNode('b', { tier: 'internal' })]);
  await instance.config({ name: 'web-test' });
  service = createService({ root: instance.root });
  await service.ready;
  app = graphRoute(service);
});
afterAll(async () => {
  await service.close();
  await instance.dispose();
});

const get = async (search = '', headers: Record<string, string> = {}) => app.request(`/graph${search}`, { headers });

async function exported(format: (typeof exportFormats)[number]): Promise<string> {
  let text = '';
  for await (const piece of service.export({ format, all: false })) text += piece;
  return text;
}

describe('The graph over HTTP', () => {
  it.each([
    ['jsonld', 'application/ld+json', 'application/ld+json'],
    ['turtle', 'text/turtle', 'text/turtle; charset=utf-8'],
    ['trig', 'application/trig', 'application/trig'],
    ['nquads', 'application/n-quads', 'application/n-quads'],
  ] as const)('is in %s what toolgraph export writes', async (format, accept, type) => {
    const text = await exported(format);
    for (const response of [
      await get('', { Accept: accept }),
      await get(`?format=${format}`, { Accept: 'text/html' }),
    ]) {
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
      expect(response.headers.get('Toolgraph-Digest')).toBe(service.current?.digest);
      expect(await response.text()).toBe(text);
    }
  });

  it('is JSON-LD where a client says nothing', async () => {
    const response = await get();
    expect(response.headers.get('Content-Type')).toBe('application/ld+json');
    expect(await response.json()).toBeInstanceOf(Array);
  });

  it('is not sent again while it is the same, and is after a change that no client of MCP is told', async () => {
    const first = await get('?format=nquads');
    await first.text();
    const tag = first.headers.get('ETag') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{64}-nquads"$/);
    const again = await get('?format=nquads', { 'If-None-Match': `"x", W/${tag}` });
    expect([again.status, again.headers.get('ETag'), await again.text()]).toEqual([304, tag, '']);
    const other = await get('?format=turtle', { 'If-None-Match': tag });
    expect([other.status, (await other.text()) === '']).toEqual([200, false]);
    const { digest } = service.status().generation ?? {};
    await instance.replace(nodePath('a'), toolNode('a', { satisfies: ['other'] }));
    await service.lookAgain();
    expect(service.status().generation?.digest).toBe(digest);
    const changed = await get('?format=nquads', { 'If-None-Match': tag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('skill/other');
  });

  it('has headers alone for HEAD', async () => {
    const head = await app.request('/graph?format=trig', { method: 'HEAD' });
    const got = await get('?format=trig');
    await got.text();
    expect(head.status).toBe(200);
    expect([...head.headers]).toEqual([...got.headers]);
    expect(await head.text()).toBe('');
  });

  it('is one graph of it, or the merge of all, where that is asked for', async () => {
    const graph = 'urn:toolgraph:web-test:document/graph/tools/b.json';
    const one = await get(`?graph=${encodeURIComponent(graph)}`, { Accept: 'application/n-triples' });
    expect(one.headers.get('Content-Type')).toBe('application/n-triples');
    const all = new Parser({ format: 'N-Quads' }).parse(await exported('nquads'));
    const ofB = all.filter((quad) => quad.graph.value === graph);
    const parsed = new Parser({ format: 'N-Triples' }).parse(await one.text());
    expect(parsed.length).toBe(ofB.length);
    expect(parsed.length).toBeGreaterThan(5);
    expect(await (await get('?default', { Accept: 'text/turtle' })).text()).toBe(await exported('turtle'));
    const { default: jsonld } = await import('jsonld');
    const merged = await jsonld.toRDF((await (await get('?default&format=jsonld')).json()) as JsonLdDocument, {
      format: 'application/n-quads',
    });
    const triples = await (await get('?default', { Accept: 'application/n-triples' })).text();
    expect(String(merged).split('\n').sort()).toEqual(triples.split('\n').sort());
    const none = await get('?graph=urn:not-here');
    expect([none.status, await none.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })]);
    expect((await app.request('/graph?graph=urn:not-here', { method: 'HEAD' })).status).toBe(404);
  });

  it('is refused in plain words otherwise', async () => {
    expect((await get('', { Accept: 'text/html' })).status).toBe(406);
    expect((await get('', { Accept: 'application/n-triples' })).status).toBe(406);
    expect((await get('?format=rdfxml')).status).toBe(400);
    expect((await get('?default&graph=urn:a')).status).toBe(400);
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      const response = await app.request('/graph', { method });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('is that of one moment, however slowly it is read', async () => {
    for (let i = 0; i < 30; i += 1)
      await instance.write(nodePath(`many-${i}`), toolNode(`many-${i}`, { description: 'x'.repeat(9_000) }));
    await service.lookAgain();
    const text = await exported('nquads');
    const response = await get('?format=nquads');
    const changed = nextGeneration(service);
    for (let i = 0; i < 30; i += 1)
      await instance.replace(nodePath(`many-${i}`), toolNode(`many-${i}`, { description: 'Changed' }));
    await service.lookAgain();
    await changed;
    expect((await response.text()) === text).toBe(true);
    expect(text.length).toBeGreaterThan(2 * 64 * 1024);
  });

  it('is written for two at once, and for others when they have gone', async () => {
    const [first, second] = [await get('?format=nquads'), await get('?format=nquads')];
    const third = await get('?format=nquads');
    expect([third.status, third.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(await third.json()).toMatchObject({ code: 'busy' });
    expect((await get('?format=nquads', { 'If-None-Match': '*' })).status).toBe(304);
    await first.body?.cancel();
    const free = async () => {
      const response = await get('?format=nquads');
      await response.text();
      return response.status;
    };
    expect(await free()).toBe(200);
    await second.text();
    expect(await Promise.all([free(), free()])).toEqual([200, 200]);
  });
});
