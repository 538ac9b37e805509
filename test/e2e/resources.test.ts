import { tmpdir } from 'node:os';
import { Client as CurrentClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as CurrentTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeInstance, serveCommand, serveEnv, startHttpServer, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { WireMessage } from './raw-client.js';
import { eras, isUpdated, type Session } from './session.js';

const slug = 'https://w3id.org/toolgraph/types.schema.json#/$defs/Slug';
const bySkill = {
  '@type': 'View',
  id: 'by-skill',
  title: 'Tools by skill',
  description: 'Which tools satisfy each skill',
  query:
    'SELECT ?name ?id { ?tool tg:satisfies ?skill ; dcterms:identifier ?id BIND(REPLACE(STR(?skill), "^.*/", "") AS ?name) }',
};
const ofSkill = {
  ...bySkill,
  id: 'of-skill',
  query: 'SELECT ?skill ?id { ?tool tg:satisfies/schema:name ?skill ; dcterms:identifier ?id }',
  parameters: [{ name: 'skill', schema: slug, required: true }],
};
const testing = '---\nname: testing\ntitle: Testing\n---\n';

async function viewInstance(): Promise<Instance> {
  const instance = await makeInstance([toolNode('one'), toolNode('hidden', { tier: 'internal' })]);
  await instance.write('graph/views/by-skill.json', bySkill);
  await instance.write('graph/views/of-skill.json', ofSkill);
  await instance.write('graph/skills/testing.md', testing);
  return instance;
}

const isResourceListChanged = ({ method }: WireMessage) => method === 'notifications/resources/list_changed';

async function uris(session: Session): Promise<string[]> {
  return ((await session.result('resources/list')).resources as { uri: string }[]).map(({ uri }) => uri);
}

async function templates(session: Session): Promise<string[]> {
  const { resourceTemplates } = await session.result('resources/templates/list');
  return (resourceTemplates as { uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate);
}

async function completed(session: Session, uri: string, name: string, value: string): Promise<unknown> {
  const { completion } = await session.result('completion/complete', {
    ref: { type: 'ref/resource', uri },
    argument: { name, value },
  });
  return (completion as { values: unknown }).values;
}

describe.each(eras)('the resources in the era %s', (era) => {
  it('are listed, read in both forms, and completed', async () => {
    const session = await startServer(await viewInstance()).open(era);
    expect(await uris(session)).toEqual(expect.arrayContaining(['toolgraph://status', 'toolgraph://view/by-skill']));
    expect(await templates(session)).toContain('toolgraph://view/of-skill{?skill,format}');
    expect(await session.read('toolgraph://tool/one')).toMatchObject({ id: 'one', state: { state: 'projected' } });
    expect(await session.read('toolgraph://skill/testing')).toMatchObject({ satisfiedBy: [{ id: 'one' }] });
    const { contents } = await session.result('resources/read', { uri: 'toolgraph://tool/one?format=markdown' });
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('# Title of one') }]);
    await session.call('one');
    expect(await session.read('toolgraph://invocations?tool=one')).toMatchObject({
      invocations: [{ tool: 'one', outcome: 'ran' }],
    });
    expect(await completed(session, 'toolgraph://tool/{id}{?format}', 'id', 'o')).toEqual(['one']);
    expect(await completed(session, 'toolgraph://tool/{id}{?format}', 'id', 'hid')).toEqual([]);
    expect(await completed(session, 'toolgraph://skill/{name}{?format}', 'name', '')).toEqual(['testing']);
    expect(await completed(session, 'toolgraph://view/{id}{?format}', 'id', 'of')).toEqual(['of-skill']);
    expect(await completed(session, 'toolgraph://view/of-skill{?skill,format}', 'skill', 'te')).toEqual(['testing']);
  });

  it('answer a view with its values as terms, with the generation, and refuse a value that is wrong by its name', async () => {
    const session = await startServer(await viewInstance()).open(era);
    const { generation } = await session.list();
    const { contents } = await session.result('resources/read', { uri: 'toolgraph://view/of-skill?skill=testing' });
    const [content] = contents as { text: string; _meta: unknown }[];
    expect(content?._meta).toEqual({ 'toolgraph/generation': generation });
    expect(JSON.parse(content?.text ?? '')).toMatchObject({
      variables: ['skill', 'id'],
      rows: expect.arrayContaining([{ skill: 'testing', id: 'one' }]),
    });
    expect(await session.read('toolgraph://view/of-skill?skill=never')).toMatchObject({ rows: [] });
    for (const [uri, words] of [
      ['toolgraph://view/of-skill', 'skill: required, but missing'],
      ['toolgraph://view/of-skill?skill=%22%20%7D%20DROP', 'skill: '],
      ['toolgraph://view/of-skill?skill=testing&skil=x', 'unknown parameter "skil"; did you mean skill?'],
    ] as const) {
      const { error } = await session.request('resources/read', { uri });
      expect(error).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
      expect(error?.message).toContain(words);
    }
  });

  it('that are not there are the error of the revision', async () => {
    const session = await startServer(await viewInstance()).open(era);
    const code = era === '2025-11-25' ? -32002 : -32602;
    for (const uri of [
      'toolgraph://nothing',
      'toolgraph://tool/hidden',
      'toolgraph://view/never',
      'file:///etc/passwd',
    ]) {
      const { error } = await session.request('resources/read', { uri });
      expect(error).toMatchObject({ code, data: { uri } });
    }
  });

  it('tell of a view only when its result changed, and of the list when a view comes', async () => {
    const instance = await viewInstance();
    const server = startServer(instance);
    const uri = 'toolgraph://view/by-skill';
    const session = await server.open(era, [uri]);
    if (era === '2026-07-28') await session.listen({ resourcesListChanged: true });
    await session.read(uri);
    await instance.replace(nodePath('one'), toolNode('one', { description: 'Does it otherwise' }));
    await session.listChanged();
    await session.read(uri);
    await instance.write(nodePath('two'), toolNode('two'));
    await session.resourceUpdated(uri);
    expect(await session.read(uri)).toMatchObject({ rows: expect.arrayContaining([{ name: 'testing', id: 'two' }]) });
    expect(session.wire.notifications.take(isUpdated)).toEqual([]);
    expect(session.wire.notifications.take(isResourceListChanged)).toEqual([]);
    await instance.write('graph/views/third.json', { ...bySkill, id: 'third' });
    await session.wire.notifications.next(isResourceListChanged);
    expect(await uris(session)).toContain('toolgraph://view/third');
  });

  it('are read at the URIs that views state: texts, bytes, templates; and tell when the document of their content changes', async () => {
    const instance = await viewInstance();
    const text = (words: string) =>
      `@prefix schema: <https://schema.org/> . <urn:toolgraph:notes:note/today> schema:text "${words}" ; schema:encoding "AP8="^^<http://www.w3.org/2001/XMLSchema#base64Binary> .`;
    const note = { ...bySkill, id: 'today', uri: 'notes://today', mediaType: 'text/plain' };
    await instance.config({ name: 'notes' });
    await instance.write('graph/notes.ttl', text('Rain'));
    await instance.write('graph/views/today.json', { ...note, query: 'SELECT ?text { ?note schema:text ?text }' });
    const image = { ...note, id: 'image', uri: 'notes://image', mediaType: 'image/png' };
    await instance.write('graph/views/image.json', {
      ...image,
      query: 'SELECT ?bytes { ?note schema:encoding ?bytes }',
    });
    const titles = { ...ofSkill, id: 'title', uri: 'notes://{id}/title', mediaType: 'text/plain' };
    await instance.write('graph/views/title.json', {
      ...titles,
      query: 'SELECT ?title { ?tool dcterms:identifier ?id ; dcterms:title ?title ; a tg:Tool }',
      parameters: [{ name: 'id', schema: slug, required: true }],
    });
    await instance.write('graph/views/rows.json', { ...ofSkill, id: 'rows', uri: 'notes://skills/{skill}' });

    const session = await startServer(instance).open(era, ['notes://today']);
    const contentsOf = async (uri: string) => (await session.result('resources/read', { uri })).contents;
    expect(await uris(session)).toEqual(expect.arrayContaining(['notes://today', 'notes://image']));
    expect(await uris(session)).not.toContain('toolgraph://view/today');
    expect(await templates(session)).toEqual(expect.arrayContaining(['notes://{id}/title', 'notes://skills/{skill}']));
    expect(await contentsOf('notes://today')).toMatchObject([
      { uri: 'notes://today', mimeType: 'text/plain', text: 'Rain' },
    ]);
    expect(await contentsOf('notes://image')).toMatchObject([{ mimeType: 'image/png', blob: 'AP8=' }]);
    expect(await contentsOf('notes://one/title')).toMatchObject([{ uri: 'notes://one/title', text: 'Title of one' }]);
    expect(await session.read('notes://skills/testing')).toMatchObject({
      rows: expect.arrayContaining([{ id: 'one', skill: 'testing' }]),
    });
    expect(await session.read('toolgraph://view/today')).toMatchObject({ rows: [{ text: 'Rain' }] });
    const missing = await session.request('resources/read', { uri: 'notes://two/title' });
    expect(missing.error).toMatchObject({ data: { uri: 'notes://two/title' } });
    const wrong = await session.request('resources/read', { uri: 'notes://Not%20a%20slug/title' });
    expect(wrong.error).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
    expect(await completed(session, 'notes://skills/{skill}', 'skill', 'te')).toEqual(['testing']);

    await instance.replace('graph/notes.ttl', text('Sun'));
    await session.resourceUpdated('notes://today');
    expect(await contentsOf('notes://today')).toMatchObject([{ text: 'Sun' }]);
  });

  it('tell of the calls when one is recorded', async () => {
    const uri = 'toolgraph://invocations?tool=one';
    const session = await startServer(await viewInstance()).open(era, [uri]);
    await session.read(uri);
    await session.call('one');
    await session.resourceUpdated(uri);
    expect(await session.read(uri)).toMatchObject({ invocations: [{ tool: 'one' }] });
  });
});

it('the arguments of every template are completed over HTTP, in both eras, and nothing else is', async () => {
  const instance = await viewInstance();
  await instance.write('graph/views/skills.json', { ...ofSkill, id: 'skills', uri: 'notes://skills/{skill}' });
  const server = await startHttpServer(instance);
  for (const era of eras) {
    const session = await server.open(era);
    await session.call('one');
    const answers = new Map<string, unknown>();
    for (const template of await templates(session)) {
      const names = Array.from(template.matchAll(/\{\??([^}]+)\}/g), ([, list = '']) => list.split(',')).flat();
      for (const name of names) answers.set(`${template} ${name}`, await completed(session, template, name, ''));
    }
    expect(Object.fromEntries(answers)).toMatchObject({
      'toolgraph://tool/{id}{?format} id': ['one'],
      'toolgraph://tool/{id}{?format} format': ['jsonld', 'markdown'],
      'toolgraph://skill/{name}{?format} name': ['testing'],
      'toolgraph://view/{id}{?format} id': ['by-skill', 'of-skill', 'skills'],
      'toolgraph://view/of-skill{?skill,format} skill': ['testing'],
      'toolgraph://invocations{?tool,limit,format} tool': ['one'],
      'notes://skills/{skill} skill': ['testing'],
    });
    const ask = (ref: object, name: string) => {
      return session.request('completion/complete', { ref, argument: { name, value: '' } });
    };
    const wrong = [
      await ask({ type: 'ref/resource', uri: 'notes://nothing/{id}' }, 'id'),
      await ask({ type: 'ref/resource', uri: 'notes://skills/{skill}' }, 'other'),
      await ask({ type: 'ref/prompt', name: 'none' }, 'id'),
    ];
    expect(wrong.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602]);
  }
});

describe.each(['first', 'current, auto', 'current, legacy'] as const)(
  'the resources as the client of the SDK has them: %s',
  (which) => {
    it('are listed, read, completed and missed', async () => {
      const instance = await viewInstance();
      const [command, ...args] = serveCommand(instance);
      const spawn = { command, args, cwd: tmpdir(), env: serveEnv(), stderr: 'ignore' as const };
      const clientInfo = { name: 'test', version: '0.0.0' };
      const client =
        which === 'first'
          ? new FirstClient(clientInfo)
          : new CurrentClient(clientInfo, {
              versionNegotiation: { mode: which === 'current, auto' ? 'auto' : 'legacy' },
            });
      onTestFinished(() => client.close());
      await client.connect((which === 'first' ? new FirstTransport(spawn) : new CurrentTransport(spawn)) as never);
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toContain('toolgraph://view/by-skill');
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.length).toBeGreaterThan(5);
      const { contents } = await client.readResource({ uri: 'toolgraph://view/of-skill?skill=testing' });
      expect(contents).toMatchObject([{ mimeType: 'application/ld+json' }]);
      const ref = { type: 'ref/resource' as const, uri: 'toolgraph://view/of-skill{?skill,format}' };
      const { completion } = await client.complete({ ref, argument: { name: 'skill', value: '' } });
      expect(completion.values).toEqual(['testing']);
      const missed = client.readResource({ uri: 'toolgraph://nothing' });
      await expect(missed).rejects.toMatchObject({ data: { uri: 'toolgraph://nothing' } });
    });
  },
);
