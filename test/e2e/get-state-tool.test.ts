import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import { eras, type Session } from './session.js';

const slug = 'https://w3id.org/toolgraph/types.schema.json#/$defs/Slug';
const count = 'https://w3id.org/toolgraph/types.schema.json#/$defs/Count';
const view = (id: string, fields: Record<string, unknown> = {}) => ({
  ...{ '@type': 'View', id, title: `Title of ${id}`, description: `Shows ${id}` },
  query: 'SELECT ?id { ?tool a tg:Tool ; dcterms:identifier ?id }',
  ...fields,
});
const byId = view('by-id', {
  query: 'SELECT ?id ?n { ?tool a tg:Tool ; dcterms:identifier ?id FILTER(?id = ?wanted) BIND(?n0 + 1 AS ?n) }',
  parameters: [
    { name: 'wanted', schema: slug, required: true },
    { name: 'n0', schema: count },
  ],
});
const name = 'toolgraph_get_state';
const args = ['--get-state-tool'];

async function viewInstance(...views: readonly Record<string, unknown>[]): Promise<Instance> {
  const instance = await makeInstance([toolNode('one'), toolNode('zed')]);
  for (const one of views) await instance.write(`graph/views/${one.id}.json`, one);
  return instance;
}

async function enumOf(session: Session): Promise<unknown> {
  const { tools } = await session.list();
  return tools.find((tool) => tool.name === name)?.inputSchema.properties.view?.enum;
}

describe.each(eras)('the tool that reads views, in the era %s', (era) => {
  it('is in the list when it is asked for, and answers as the resource does', async () => {
    const inner = view('inner', { tier: 'internal' });
    const instance = await viewInstance(view('all'), byId, inner, view('new', { tier: 'experimental' }));
    const session = await startServer(instance, { args }).open(era);
    expect(await session.names()).toEqual(['one', name, 'zed']);
    const tool = (await session.list()).tools[1];
    expect(tool).toMatchObject({
      annotations: { readOnlyHint: true },
      description: expect.stringContaining('Shows all'),
    });
    expect(await enumOf(session)).toEqual(['all', 'by-id']);
    const { text, generation, call } = await session.call(name, { view: 'all' });
    const { contents } = await session.result('resources/read', { uri: 'toolgraph://view/all' });
    expect(text).toBe((contents as { text: string }[])[0]?.text);
    expect(generation).toEqual((await session.list()).generation);
    expect(call).toBeUndefined();
    const one = await session.call(name, { view: 'by-id', params: { wanted: 'one', n0: 4 } });
    expect(JSON.parse(one.text)).toMatchObject({ rows: [{ id: 'one', n: 5 }] });
    const asText = await session.call(name, { view: 'by-id', params: { wanted: 'one', n0: '4' } });
    expect(asText.text).toBe(one.text);
    expect((await session.read('toolgraph://invocations')).invocations).toEqual([]);
  });

  it('refuses what is wrong by its name', async () => {
    const session = await startServer(await viewInstance(byId), { args }).open(era);
    for (const [given, words] of [
      [{ view: 'by-idd' }, 'did you mean by-id?'],
      [{}, 'expected the id of a view: by-id'],
      [{ view: 'by-id' }, 'wanted: required, but missing'],
      [{ view: 'by-id', params: { wanted: 'No Slug' } }, 'wanted: '],
      [{ view: 'by-id', params: { wanted: 'one', n0: 'x' } }, 'n0: '],
      [{ view: 'by-id', params: 'one' }, 'params: expected an object'],
      [{ view: 'by-id', param: {} }, 'unknown argument "param"'],
    ] as const) {
      const { isError, refusal } = await session.call(name, given);
      expect({ isError, refusal }).toMatchObject({ isError: true, refusal: { code: 'invalid_params' } });
      expect(refusal?.message).toContain(words);
    }
  });

  it('follows the views live, and is not there while there is none', async () => {
    const instance = await viewInstance();
    await instance.config({ getStateTool: true });
    const server = startServer(instance);
    const session = await server.open(era);
    expect(await session.names()).toEqual(['one', 'zed']);
    await server.stderr.next((line) => line.includes(`no view is served, so ${name} is not offered`));
    expect((await session.call(name, { view: 'all' })).refusal).toMatchObject({ code: 'tool_unavailable' });
    await instance.write('graph/views/all.json', view('all'));
    await session.listChanged();
    expect(await enumOf(session)).toEqual(['all']);
    await instance.write('graph/views/by-id.json', byId);
    await session.listChanged();
    expect(await enumOf(session)).toEqual(['all', 'by-id']);
    await instance.config({});
    await session.listChanged();
    expect(await session.names()).toEqual(['one', 'zed']);
    await expect(session.call(name, { view: 'all' })).rejects.toThrow();
  });
});

describe('a tool node of the name of the tool that reads views', () => {
  const rival = toolNode('toolgraph-get-state');

  it('is refused at start', async () => {
    const instance = await viewInstance(view('all'));
    await instance.write(nodePath('toolgraph-get-state'), rival);
    const server = startServer(instance, { args });
    const { code } = await within(server.exited, patienceMs, () => 'the server did not end');
    expect(code).toBe(1);
    expect(server.stderrText).toContain('name-collision');
    expect(server.stderrText).toContain(`has the MCP name ${name} of the tool that reads views`);
  });

  it('is a problem live, and serves when it was there first', async () => {
    const instance = await viewInstance(view('all'));
    const session = await startServer(instance, { args }).open('2025-11-25');
    await session.list();
    await instance.write(nodePath('toolgraph-get-state'), rival);
    const problems = async () => (await session.read('toolgraph://problems')).problems;
    await eventually(async () => JSON.stringify(await problems()).includes('name-collision'), 'it is a problem');
    expect(await enumOf(session)).toEqual(['all']);
    expect(JSON.parse((await session.call(name, { view: 'all' })).text)).toMatchObject({ id: 'all' });

    const other = await viewInstance(view('all'));
    await other.write(nodePath('toolgraph-get-state'), rival);
    const second = await startServer(other).open('2025-11-25');
    expect((await second.call(name)).text).toBe('toolgraph-get-state\n');
    await other.config({ getStateTool: true });
    await eventually(
      async () => JSON.stringify(await second.read('toolgraph://problems')).includes('name-collision'),
      'it is a problem',
    );
    expect(await second.names()).toEqual(['one', name, 'zed']);
    expect((await second.call(name)).text).toBe('toolgraph-get-state\n');
  });
});
