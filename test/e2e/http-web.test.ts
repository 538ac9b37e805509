import { describe, expect, it } from 'vitest';
import { run } from '../cli/cli-process.js';
import { eventually } from './deadline.js';
import { type HttpServerProcess, makeInstance, startHttpServer } from './harness.js';
import { nodePath, toolNode } from './instance.js';

/** Takes longer than any test waits. */
const endless = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o . ?p ?q ?r }';

const titles = 'SELECT ?id ?title { ?tool a tg:Tool ; dcterms:identifier ?id ; dcterms:title ?title } ORDER BY ?id';

function at({ url }: HttpServerProcess, path: string, parameters: Record<string, string> = {}): URL {
  const there = new URL(path, url);
  for (const [name, value] of Object.entries(parameters)) there.searchParams.set(name, value);
  return there;
}

async function metrics(server: HttpServerProcess): Promise<Map<string, string>> {
  const text = await (await fetch(at(server, '/metrics'))).text();
  return new Map(
    text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
}

describe('toolgraph serve --http, beside MCP', () => {
  it('tells what the command line tells, of the generation that MCP serves', async () => {
    const instance = await makeInstance([toolNode('a'), toolNode('b', { title: 'Second "b"', tier: 'internal' })]);
    const server = await startHttpServer(instance);
    const session = await server.open('2026-07-28');
    expect(await session.names()).toEqual(['a']);

    const listed = await run(['tools', instance.root, '--json']);
    expect(await (await fetch(at(server, '/tools.json'))).json()).toEqual(JSON.parse(listed.stdout));

    const queried = await run(['query', titles, instance.root, '--format', 'json']);
    const answered = await fetch(at(server, '/sparql', { query: titles }));
    expect(await answered.json()).toEqual(JSON.parse(queried.stdout));
    expect(answered.headers.get('toolgraph-generation')).toBe(String(JSON.parse(listed.stdout).generation));

    for (const format of ['jsonld', 'turtle']) {
      const exported = await run(['export', instance.root, '--format', format]);
      const sent = await fetch(at(server, '/graph', { format }));
      expect((await sent.text()) === exported.stdout, format).toBe(true);
    }

    await session.call('a', {});
    const counted = await metrics(server);
    expect(counted.get('toolgraph_calls_total{tool="a",outcome="ran"}')).toBe('1');
    expect(counted.get('toolgraph_listeners')).toBe('1');
    expect(counted.get('toolgraph_tools')).toBe('1');
    expect(counted.get('toolgraph_generations_total')).toBe('1');

    await instance.write(nodePath('c'), toolNode('c'));
    await session.listChanged();
    const after = (await (await fetch(at(server, '/healthz'))).json()) as { status: string; tools: number };
    expect(after).toMatchObject({ status: 'ready', tools: 2 });
    const refused = await fetch(at(server, '/sparql'), {
      method: 'POST',
      headers: { 'content-type': 'application/sparql-update' },
      body: 'CLEAR ALL',
    });
    expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'refused' })]);
    const none = await fetch(at(server, '/nothing'));
    expect([none.status, none.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  it('ends the query of a client that goes away, and answers the next', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.config({ limits: { queryMs: 3_600_000, waitingQueries: 0 } });
    const server = await startHttpServer(instance);
    const going = new AbortController();
    const left = fetch(at(server, '/sparql', { query: endless }), { signal: going.signal }).catch(
      (error: Error) => error.name,
    );
    await eventually(async () => (await metrics(server)).get('toolgraph_queries_running') === '1', 'the query runs');
    const busy = await fetch(at(server, '/sparql', { query: titles }));
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
    going.abort();
    expect(await left).toBe('AbortError');
    await eventually(
      async () => (await metrics(server)).get('toolgraph_queries_running') === '0',
      'the query has ended',
    );
    const next = await fetch(at(server, '/sparql', { query: titles }), { headers: { accept: 'text/csv' } });
    expect(await next.text()).toBe('id,title\r\na,Title of a\r\n');
  });

  it('tells nothing but that it lives without the token, where there is one', async () => {
    const instance = await makeInstance([toolNode('a')]);
    const { stdout } = await run(['token', instance.root]);
    const server = await startHttpServer(instance);
    for (const path of ['/', '/sparql', '/graph', '/tools.json', '/metrics', '/nothing']) {
      expect((await fetch(at(server, path))).status, path).toBe(401);
    }
    expect(await (await fetch(at(server, '/healthz'))).json()).toEqual({ status: 'live' });
    const authorization = `Bearer ${stdout.trim()}`;
    const health = await fetch(at(server, '/healthz'), { headers: { authorization } });
    expect(await health.json()).toMatchObject({ status: 'ready', reasons: [] });
    const foreign = await fetch(at(server, '/graph'), { headers: { authorization, origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
    const own = await fetch(at(server, '/sparql', { query: titles }), {
      headers: { authorization, origin: server.url.origin },
    });
    expect(own.headers.get('vary')?.toLowerCase().split(/, */).sort()).toEqual(['accept', 'origin']);
    expect(own.headers.get('access-control-expose-headers')).toContain('Toolgraph-Generation');
  });
});
