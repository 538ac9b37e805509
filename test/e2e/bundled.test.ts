import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';

async function viewIds(session: Session): Promise<string[]> {
  const { completion } = await session.result('completion/complete', {
    ref: { type: 'ref/resource', uri: 'toolgraph://view/{id}{?format}' },
    argument: { name: 'id', value: '' },
  });
  return (completion as { values: string[] }).values;
}

it('An instance that includes the bundled views answers them about its own tools', async () => {
  const instance = await makeInstance([toolNode('one')]);
  await instance.config({ include: ['toolgraph:views'] });
  const session = await startServer(instance, { args: ['--get-state-tool'] }).open('2025-11-25');
  expect(await session.names()).toEqual(['one', 'toolgraph_get_state']);
  const files = await readdir(new URL('../../graph/views', import.meta.url));
  const expected = files.filter((name) => name.endsWith('.yaml')).map((name) => name.replace('.yaml', ''));
  expect(await viewIds(session)).toEqual(expected.sort());
  const { rows } = await session.read('toolgraph://view/tools-by-skill?skill=testing');
  expect(JSON.stringify(rows)).toContain(':tool/one"');
  const { text } = await session.call('toolgraph_get_state', { view: 'tools-by-skill', params: { skill: 'testing' } });
  expect(JSON.parse(text)).toMatchObject({ rows });
  const { problems } = await session.read('toolgraph://problems');
  expect(problems).toEqual([]);
  // Its state lies in that of the instance, and nothing is written into the package.
  expect(existsSync(instance.path('.toolgraph/views/graph.db'))).toBe(true);
  expect(existsSync(new URL('../../graph/views/.toolgraph', import.meta.url))).toBe(false);
});

it('A name of a bundled instance that there is not is a problem with those that there are', async () => {
  const instance = await makeInstance([toolNode('one')]);
  await instance.config({ include: ['toolgraph:vews'] });
  const server = startServer(instance);
  const { code } = await within(server.exited, patienceMs, () => 'the server did not end');
  expect(code).toBe(1);
  expect(server.stderrText).toContain('there is no "toolgraph:vews"; toolgraph has "toolgraph:views"');
});

it('An instance that includes the query tools asks its own graph with them', async () => {
  const instance = await makeInstance([toolNode('one'), toolNode('other', { satisfies: ['cooking'] })]);
  await instance.config({ name: 'asked', include: [{ path: 'toolgraph:query-tools', prefix: 'graph' }] });
  const session = await startServer(instance).open('2025-11-25');
  const names = ['graph_describe_node', 'graph_find_tools', 'graph_query_graph'];
  expect(await session.names()).toEqual([...names, 'one', 'other']);
  const found = await session.call('graph_find_tools', { skill: 'cooking' });
  expect(JSON.parse(found.text)).toMatchObject([
    { iri: 'urn:toolgraph:asked:tool/other', id: 'other', skills: ['cooking'] },
  ]);
  const asked = await session.call('graph_query_graph', { sparql: 'ASK { tool:one tg:satisfies skill:testing }' });
  expect(JSON.parse(asked.text)).toEqual({ boolean: true });
  const node = await session.call('graph_describe_node', { iri: 'urn:toolgraph:asked:skill/cooking' });
  const subjects = (JSON.parse(node.text).referredToBy as { subject: { value: string } }[]).map(
    ({ subject }) => subject.value,
  );
  expect(subjects).toContain('urn:toolgraph:asked:tool/other');
  await instance.write(nodePath('third'), toolNode('third', { satisfies: ['cooking'] }));
  await session.listChanged();
  expect(JSON.parse((await session.call('graph_find_tools', { skill: 'cooking' })).text)).toHaveLength(2);
  const { isError, refusal } = await session.call('graph_query_graph', { sparql: 'SELECT * WHERE {' });
  expect({ isError, refusal }).toMatchObject({ isError: true, refusal: { code: 'module_failed' } });
  expect(refusal?.message).toContain('line 1, column');
  expect((await session.call('graph_query_graph', { sparql: 'DROP ALL' })).refusal?.message).toContain(
    'would change the graph',
  );
  expect((await session.read('toolgraph://problems')).problems).toEqual([]);
});
