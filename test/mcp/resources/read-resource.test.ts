import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';
import { type Diagnostic, problem } from '../../../src/diagnostic.js';
import { readResource } from '../../../src/mcp/resources/read-resource.js';
import { buildResourcesList } from '../../../src/mcp/resources/resource-list.js';
import { ResourceFailure, ResourceRequestError } from '../../../src/mcp/resources/resource-text.js';
import { buildContext, contextIri } from '../../../src/store/vocabulary.js';
import { base, knownService, sampleGeneration, servedView, withViews } from './known-service.js';

const context = contextIri;
const problems: readonly Diagnostic[] = [
  {
    ...problem('invalid-node', 'expected a title', { document: 'graph/x.json', pointer: '/title', line: 3, column: 5 }),
    subject: 'urn:toolgraph:test:tool/a%2Fb',
  },
  problem('invalid-config', 'expected an array'),
];

async function read(uri: string, { service } = knownService({}, sampleGeneration({ problems }))) {
  const contents = await readResource(service, uri);
  if (contents === undefined || !('text' in contents)) throw new Error(`no text at ${uri}`);
  return contents;
}

async function readJson(uri: string, of?: Parameters<typeof read>[1]): Promise<Record<string, unknown>> {
  return JSON.parse((await read(uri, of)).text);
}

/** The quads that another JSON-LD processor than a client's eye makes of a resource. */
async function quadsOf(uri: string, of?: Parameters<typeof read>[1]): Promise<string> {
  const documentLoader = async (url: string) => {
    expect(url).toBe(contextIri);
    return { contextUrl: undefined, document: buildContext(), documentUrl: url };
  };
  const document = (await readJson(uri, of)) as jsonld.JsonLdDocument;
  return String(
    await jsonld.toRDF(document, { format: 'application/n-quads', documentLoader: documentLoader as never }),
  );
}

describe('the resources of a generation', () => {
  it('can all be read, as JSON-LD and as Markdown', async () => {
    const { service } = knownService();
    const list = buildResourcesList(service);
    expect(list.map(({ uri }) => uri)).toEqual([
      'toolgraph://tools',
      'toolgraph://omissions',
      'toolgraph://problems',
      'toolgraph://status',
      'toolgraph://invocations',
    ]);
    for (const { uri, mimeType, description } of list) {
      expect(description).toContain('test');
      expect(await read(uri)).toMatchObject({ uri, mimeType });
      expect(await readJson(uri)).toBeTypeOf('object');
      const page = await read(`${uri}?format=markdown`);
      expect(page).toMatchObject({ uri: `${uri}?format=markdown`, mimeType: 'text/markdown' });
      expect(page.text).toMatch(/^# \S/);
    }
  });

  it('are not found under any other URI', async () => {
    const { service } = knownService();
    const uris = ['toolgraph://nothing', '__proto__', 'toString', '', 'toolgraph://tools/x', 'toolgraph://constructor'];
    for (const uri of [...uris, 'toolgraph://tool/never', 'toolgraph://skill/never', 'toolgraph://view/never']) {
      expect(await readResource(service, uri)).toBeUndefined();
    }
  });

  it('show the declarations', async () => {
    const { service } = knownService();
    const tools = Array.from(service.current?.entries.values() ?? [], ({ declaration }) => declaration);
    expect(await readJson('toolgraph://tools')).toEqual({ '@context': [context, { tools: '@graph' }], tools });
  });

  it('show the omissions with code, reason and document, and those of views', async () => {
    const viewOmissions = (['tier', 'internal'] as const).map((code) => {
      return { id: `v-${code}`, iri: 'urn:v', code, reason: 'no', document: 'v.json', pointer: '' };
    });
    const { omissions, views } = await readJson(
      'toolgraph://omissions',
      knownService({}, sampleGeneration({ viewOmissions })),
    );
    expect(omissions).toMatchObject([{ id: 'by-hand', code: 'manual-only', reason: 'by a person' }, { id: 'secret' }]);
    expect(views).toEqual([{ id: 'v-tier', code: 'tier', reason: 'no', document: 'v.json' }]);
  });

  it('show the problems with their places, and the id of the tool', async () => {
    expect((await readJson('toolgraph://problems')).problems).toEqual([
      {
        ...{ code: 'invalid-node', message: 'expected a title', document: 'graph/x.json', line: 3, column: 5 },
        ...{ subject: 'urn:toolgraph:test:tool/a%2Fb', id: 'a/b' },
      },
      { code: 'invalid-config', message: 'expected an array' },
    ]);
    expect((await read('toolgraph://problems?format=markdown')).text).toContain('| graph/x.json:3:5 | invalid-node |');
  });

  it('show the status', async () => {
    const { service } = knownService({}, sampleGeneration({ problems }));
    expect(await readJson('toolgraph://status')).toEqual({ '@context': context, ...service.status() });
  });

  it('are empty before the first generation', async () => {
    const early = knownService({ current: undefined });
    expect(await readJson('toolgraph://tools', early)).toMatchObject({ tools: [] });
  });

  it('refuse a parameter or a form that they do not have, by its name', async () => {
    for (const [uri, words] of [
      ['toolgraph://tools?formt=markdown', '"formt"'],
      ['toolgraph://status?format=html', 'expected "jsonld" or "markdown", found "html"'],
      ['toolgraph://invocations?limit=0', 'limit: expected a whole number from 1 to 1000'],
      ['toolgraph://tool/greet?x=1', 'unknown parameter "x"'],
    ] as const) {
      await expect(read(uri)).rejects.toThrow(ResourceRequestError);
      await expect(read(uri)).rejects.toThrow(words);
    }
  });

  it('fail in words when they are larger than a message', async () => {
    const reason = 'r'.repeat(200_000);
    const [first] = sampleGeneration().omissions;
    const omissions = Array.from({ length: 50 }, (_, n) => ({ ...first, id: `o${n}`, reason })) as never;
    const large = knownService({}, sampleGeneration({ omissions }));
    await expect(read('toolgraph://omissions', large)).rejects.toThrow(ResourceFailure);
    await expect(read('toolgraph://omissions', large)).rejects.toThrow(
      /takes 10\d{6} bytes, and a message at most 8388608/,
    );
  });
});

describe('the resource of a tool', () => {
  it('is its node as the graph has it, and its state', async () => {
    const tool = await readJson('toolgraph://tool/greet');
    expect(tool).toMatchObject({
      ...{ '@context': context, '@id': `${base}tool/greet`, '@type': 'Tool', id: 'greet' },
      ...{ satisfies: [`${base}skill/demo-skill`], alternativeTo: [`${base}tool/by-hand`] },
      state: { state: 'projected', name: 'greet', arm: 'shell', declaration: { name: 'greet' } },
    });
    const quads = await quadsOf('toolgraph://tool/greet');
    expect(quads).toContain(
      `<${base}tool/greet> <https://w3id.org/toolgraph/ns#satisfies> <${base}skill/demo-skill> .`,
    );
    expect(quads).toContain('<http://purl.org/dc/terms/identifier> "greet"');
    expect(quads).not.toContain('projected');
  });

  it('is found by its id, its MCP name and its IRI, and says why it is not served', async () => {
    for (const name of ['by-hand', 'by_hand', encodeURIComponent(`${base}tool/by-hand`)]) {
      expect(await readJson(`toolgraph://tool/${name}`)).toMatchObject({
        id: 'by-hand',
        state: { state: 'omitted', code: 'manual-only', reason: 'by a person' },
      });
    }
    expect((await read('toolgraph://tool/by-hand?format=markdown')).text).toContain('state: omitted as by\\_hand');
  });

  it('is not there for an internal one', async () => {
    const { service } = knownService();
    for (const name of ['secret', encodeURIComponent(`${base}tool/secret`)]) {
      expect(await readResource(service, `toolgraph://tool/${name}`)).toBeUndefined();
    }
    expect(await readResource(service, 'toolgraph://skill/hiding')).toBeUndefined();
  });
});

describe('the resource of a skill', () => {
  it('has the tools that satisfy it, with their states, as triples of the graph', async () => {
    expect(await readJson('toolgraph://skill/demo-skill')).toMatchObject({
      ...{ '@id': `${base}skill/demo-skill`, '@type': 'Skill', name: 'demo-skill', title: 'Testing' },
      satisfiedBy: [
        { '@id': `${base}tool/greet`, id: 'greet', state: 'projected' },
        { '@id': `${base}tool/by-hand`, id: 'by-hand', state: 'omitted', code: 'manual-only' },
      ],
    });
    const quads = await quadsOf('toolgraph://skill/demo-skill');
    expect(quads).toContain(
      `<${base}tool/by-hand> <https://w3id.org/toolgraph/ns#satisfies> <${base}skill/demo-skill> .`,
    );
    expect((await read('toolgraph://skill/demo-skill?format=markdown')).text).toContain('Tests \\| it');
  });

  it('is there when only tools name it', async () => {
    const bare = knownService({ skills: [] });
    expect(await readJson('toolgraph://skill/demo-skill', bare)).toMatchObject({ '@id': `${base}skill/demo-skill` });
    expect((await read('toolgraph://skill/demo-skill?format=markdown', bare)).text).toContain(
      'No document of the instance',
    );
  });
});

describe('the resource of the calls', () => {
  it('has the records that are asked for, without those of internal tools', async () => {
    const asked: unknown[] = [];
    const call = (id: string, tool: string) => ({
      id,
      name: tool,
      tool,
      iri: `${base}tool/${tool}`,
      by: { identity: 'none' },
    });
    const records = [call('1', 'greet'), call('2', 'secret')] as never;
    const recording = knownService({
      recordedCalls: async (query) => {
        asked.push(query);
        return { records };
      },
    });
    const { invocations } = await readJson('toolgraph://invocations?tool=greet&limit=5', recording);
    expect(invocations).toEqual([call('1', 'greet')]);
    await read('toolgraph://invocations', recording);
    expect(asked).toEqual([{ tool: 'greet', limit: 5 }, { limit: 100 }]);
  });
});

describe('the resource of a view', () => {
  it('is listed when it needs nothing, and else a template', async () => {
    const { buildResourceTemplatesList } = await import('../../../src/mcp/resources/resource-list.js');
    const type = { type: 'string' } as const;
    const optional = { name: 'skill', schema: 'urn:t', type };
    const required = { ...optional, name: 'tool', required: true };
    const { service } = knownService(
      {},
      withViews(
        servedView({ id: 'all' }),
        servedView({ id: 'some', parameters: [optional] }),
        servedView({ id: 'x/y', parameters: [required, optional] }),
      ),
    );
    const uris = buildResourcesList(service).map(({ uri }) => uri);
    expect(uris.slice(-2)).toEqual(['toolgraph://view/all', 'toolgraph://view/some']);
    const templates = buildResourceTemplatesList(service).map(({ uriTemplate }) => uriTemplate);
    expect(templates).toContain('toolgraph://view/some{?skill,format}');
    expect(templates).toContain('toolgraph://view/x%2Fy{?tool,skill,format}');
  });
});
