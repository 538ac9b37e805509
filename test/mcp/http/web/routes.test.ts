import { dirname } from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportServed } from '../../../../src/mcp/generation-report.js';
import { openHealth } from '../../../../src/mcp/http/web/health.js';
import { createWeb, refusePath, type Web } from '../../../../src/mcp/http/web/routes.js';
import { createService, type Service } from '../../../../src/service.js';
import { patienceMs } from '../../../e2e/deadline.js';
import { Instance, nodePath, toolNode } from '../../../e2e/instance.js';
import { nextGeneration } from '../../../next-generation.js';

let instance: Instance;
let service: Service;
let web: Web;
let app: Hono;

beforeAll(async () => {
  instance = await Instance.make([toolNode('a'), toolNode('secret-one', { tier: 'internal' })]);
  await instance.config({ name: 'web-test' });
  service = createService({ root: instance.root });
  await service.ready;
  web = createWeb(service, { sessions: () => 3, listeners: () => 4 });
  app = new Hono().route('/', web.routes).notFound(refusePath);
});
afterAll(async () => {
  web.close();
  await service.close();
  await instance.dispose();
});

const get = async (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });

async function changing(act: () => Promise<void>): Promise<void> {
  const changed = nextGeneration(service);
  await act();
  await service.lookAgain();
  await changed;
}

async function metric(line: string): Promise<string | undefined> {
  const text = await (await get('/metrics')).text();
  return text
    .split('\n')
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length + 1);
}

describe('/tools.json', () => {
  it('is the report of the current generation, and is sent again only when that is another', async () => {
    const first = await get('/tools.json');
    expect(first.headers.get('Content-Type')).toBe('application/json');
    expect(await first.json()).toEqual(reportServed(await service.ready));
    const tag = first.headers.get('ETag') ?? '';
    const again = await get('/tools.json', { 'If-None-Match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await changing(() => instance.write(nodePath('b'), toolNode('b')));
    const changed = await get('/tools.json', { 'If-None-Match': tag });
    expect(changed.status).toBe(200);
    const { tools } = (await changed.json()) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(changed.headers.get('Toolgraph-Generation')).toBe(String(service.current?.number));
  });
});

describe('/healthz', () => {
  const health = async (path = '/healthz') => {
    const response = await get(path);
    const { status, reasons } = (await response.json()) as {
      status: string;
      reasons?: { code: string; message: string }[];
    };
    return { code: response.status, status, reasons: reasons?.map((reason) => reason.code) };
  };

  it('is ready while all is well, and 503 before there is a generation', async () => {
    expect(await health()).toEqual({ code: 200, status: 'ready', reasons: [] });
    expect(await health('/healthz/live')).toEqual({ code: 200, status: 'live', reasons: undefined });
    const early = createService({ root: instance.root, watch: false });
    const routes = createWeb(early, { sessions: () => 0, listeners: () => 0 });
    const codes = await Promise.all(
      ['/healthz', '/healthz/ready', '/healthz/live'].map(async (path) => (await routes.routes.request(path)).status),
    );
    expect(codes).toEqual([503, 503, 200]);
    routes.close();
    await early.ready;
    await early.close();
  });

  it('tells of problems, of modules that do not load and of a missing folder, and is not down for them', async () => {
    await instance.write('broken.mjs', 'throw new Error("no");');
    const module = toolNode('module', { invoke: { inProcess: { module: 'broken.mjs', register: 'run' } } });
    await instance.write(nodePath('module'), module);
    await instance.write(nodePath('wrong'), '{');
    await expect
      .poll(health, { timeout: patienceMs })
      .toEqual({ code: 200, status: 'degraded', reasons: ['problems', 'module-failed'] });
    expect(await metric('toolgraph_degraded')).toBe('1');
    expect(await metric('toolgraph_omissions{code="module-failed"}')).toBe('1');
    expect((await health('/healthz/ready')).code).toBe(200);
    await instance.remove(nodePath('module'));
    await instance.remove(nodePath('wrong'));
    await expect.poll(health, { timeout: patienceMs }).toEqual({ code: 200, status: 'ready', reasons: [] });
    await instance.remove('graph');
    await expect
      .poll(health, { timeout: patienceMs })
      .toMatchObject({ status: 'degraded', reasons: ['folder-missing', 'problems'] });
    expect(await (await get('/healthz')).text()).not.toContain(instance.root);
    await instance.writeTypes();
    for (const node of [toolNode('a'), toolNode('b'), toolNode('secret-one', { tier: 'internal' })])
      await instance.write(nodePath(String(node.id)), node);
    await expect.poll(health, { timeout: patienceMs }).toEqual({ code: 200, status: 'ready', reasons: [] });
  });

  it('tells of an included instance that cannot be had, without a path of the host', async () => {
    await instance.config({ name: 'web-test', include: ['../not-here'] });
    const degraded = { code: 200, status: 'degraded', reasons: ['instance-missing', 'problems'] };
    await expect.poll(health, { timeout: patienceMs }).toEqual(degraded);
    expect(await (await get('/healthz')).text()).not.toContain(dirname(instance.root));
    await instance.config({ name: 'web-test' });
    await expect.poll(health, { timeout: patienceMs }).toEqual({ code: 200, status: 'ready', reasons: [] });
  });

  it('says no more than that it lives to a request without a token', async () => {
    const open = new Hono().all('*', (c) => openHealth(c) ?? c.text('', 401));
    for (const path of ['/healthz', '/healthz/live', '/healthz/ready']) {
      expect(await (await open.request(path)).json()).toEqual({ status: 'live' });
    }
    expect((await open.request('/metrics')).status).toBe(401);
    expect((await open.request('/healthz', { method: 'POST' })).status).toBe(401);
  });
});

describe('/metrics', () => {
  it('counts calls by tool and outcome, and those of no tool that is served as _other', async () => {
    const generation = service.current ?? (await service.ready);
    const before = Number((await metric('toolgraph_calls_total{tool="_other",outcome="unavailable"}')) ?? 0);
    await service.call(generation, 'a', {});
    await service.call(generation, 'a', {});
    await service.call(generation, 'a', { none: 1 });
    for (const name of ['no-such', 'secret_one', '{}\n"']) {
      await service.refuse(generation, name, {}, { code: 'unknown_tool', message: 'no' });
    }
    expect(await metric('toolgraph_calls_total{tool="a",outcome="ran"}')).toBe('2');
    expect(await metric('toolgraph_calls_total{tool="a",outcome="refused-input"}')).toBe('1');
    expect(await metric('toolgraph_call_seconds_count{outcome="ran"}')).toBe('2');
    const text = await (await get('/metrics')).text();
    const others = text.split('\n').filter((line) => line.startsWith('toolgraph_calls_total{tool="_other"'));
    expect(others.map((line) => Number(line.split(' ').at(-1)))).toEqual([before + 3]);
    expect(text).not.toMatch(/secret.one|no-such/);
  });

  it('tells the calls of a tool that is called other from those of no tool', async () => {
    await changing(() => instance.write(nodePath('other'), toolNode('other')));
    const generation = service.current ?? (await service.ready);
    await service.refuse(generation, 'no-such', {}, { code: 'unknown_tool', message: 'no' });
    await service.call(generation, 'other', {});
    const counted = (await (await get('/metrics')).text()).split('\n').filter((line) => line.includes('tool="other"'));
    expect(counted).toEqual(['toolgraph_calls_total{tool="other",outcome="ran"} 1']);
    await changing(() => instance.remove(nodePath('other')));
    expect(await (await get('/metrics')).text()).not.toContain('tool="other"');
  });

  it('forgets the counts of a tool that is not served any more', async () => {
    await changing(() => instance.write(nodePath('going'), toolNode('going')));
    const generation = service.current ?? (await service.ready);
    for (const name of ['a', 'going']) await service.call(generation, name, {});
    expect(await metric('toolgraph_calls_total{tool="going",outcome="ran"}')).toBe('1');
    const ofA = await metric('toolgraph_calls_total{tool="a",outcome="ran"}');
    await changing(() => instance.replace(nodePath('going'), toolNode('going', { tier: 'internal' })));
    expect(await (await get('/metrics')).text()).not.toContain('tool="going"');
    expect(await metric('toolgraph_calls_total{tool="a",outcome="ran"}')).toBe(ofA);
  });

  it('tells of generations, projections, clients, queries and the process', async () => {
    const response = await get('/metrics');
    expect(response.headers.get('Content-Type')).toContain('text/plain; version=0.0.4');
    await response.text();
    const generations = Number(await metric('toolgraph_generations_total'));
    const projections = Number(await metric('toolgraph_projection_seconds_count'));
    await changing(() => instance.replace(nodePath('a'), toolNode('a', { description: 'Another' })));
    expect(Number(await metric('toolgraph_generations_total'))).toBe(generations + 1);
    expect(Number(await metric('toolgraph_projection_seconds_count'))).toBeGreaterThan(projections);
    expect(await metric('toolgraph_sessions')).toBe('3');
    expect(await metric('toolgraph_listeners')).toBe('4');
    expect(await metric('toolgraph_ready')).toBe('1');
    expect(await metric('toolgraph_calls_running')).toBe('0');
    expect(await metric('toolgraph_generation_number')).toBe(String(service.current?.number));
    expect(await metric(`toolgraph_generation_info{digest="${service.current?.digest}"}`)).toBe('1');
    await service.query('ASK {}');
    expect(await metric('toolgraph_query_thread')).toBe('1');
    expect(await metric('toolgraph_queries_running')).toBe('0');
    expect(Number(await metric('process_start_time_seconds'))).toBeGreaterThan(0);
    const text = await (await get('/metrics')).text();
    expect(text.match(/^toolgraph_generation_info\{/gm)).toHaveLength(1);
  });

  it('counts a second service of the process apart, and nothing after its end', async () => {
    const other = createWeb(service, { sessions: () => 0, listeners: () => 0 });
    const lines = async () => (await (await other.routes.request('/metrics')).text()).split('\n');
    expect(await lines()).toContain('toolgraph_generations_total 1');
    other.close();
    await changing(() => instance.replace(nodePath('a'), toolNode('a', { description: 'Once more' })));
    expect((await lines()).filter((line) => line.startsWith('toolgraph_'))).toEqual([]);
    expect((await lines()).some((line) => line.startsWith('process_'))).toBe(true);
  });
});

describe('Every path of the web', () => {
  it('is told where nothing is, and at the root', async () => {
    const paths = ['/mcp', '/sparql', '/graph', '/tools.json', '/healthz', '/metrics'];
    const none = await get('/nothing');
    expect([none.status, await none.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found', details: { paths } }),
    ]);
    const root = await (await get('/')).text();
    expect(
      root
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(paths);
  });

  it.each(['/', '/sparql', '/graph', '/tools.json', '/healthz', '/healthz/live', '/healthz/ready', '/metrics'])(
    'refuses other methods at %s, and lets no browser guess a type',
    async (path) => {
      const response = await app.request(path, { method: 'DELETE' });
      expect([response.status, response.headers.get('Allow')?.startsWith('GET, HEAD')]).toEqual([405, true]);
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
      const got = await app.request(path, { method: 'HEAD' });
      expect([got.status, await got.text()]).toEqual([200, '']);
      for (const { headers } of [response, got]) expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    },
  );
});
