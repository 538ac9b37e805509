import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { termOf } from '../src/mcp/resources/view-parameters.js';
import { createService, type Service } from '../src/service.js';
import { Instance, nodePath, toolNode, typeIri } from './e2e/instance.js';
import { nextGeneration } from './next-generation.js';

const views = fileURLToPath(new URL('../graph/views', import.meta.url));
const base = 'urn:x:';

let instance: Instance;
let service: Service;

const path = { name: 'path', schema: typeIri('Word'), required: true, arg: { positional: 0 } };
const port = (name: string) => ({ name, schema: typeIri('Word'), arg: { flag: `--${name}` } });
const page = { name: 'page', schema: typeIri('Text'), from: { stdout: 'text' } };

/** Two tools that can stand in for each other, others that nearly can, and one of each state. */
const nodes = [
  toolNode('lint-a', {
    satisfies: ['lint'],
    io: { inputs: [path], outputs: [page] },
    selection: { cost: 'little' },
    maintains: [
      { source: 'src', artefact: 'docs/api', format: 'html' },
      { source: 'src/list.ts', artefact: 'docs/list.md' },
    ],
    renders: ['page', 'graph'],
  }),
  toolNode('lint-b', {
    satisfies: ['lint', 'docs'],
    io: { inputs: [{ ...path, required: true, arg: { flag: '--path' } }], outputs: [page] },
    selection: { when: 'in CI' },
    alternativeTo: ['lint-a'],
    maintains: [{ source: 'docs', artefact: 'docs/' }],
  }),
  toolNode('lint-c', { satisfies: ['lint'], io: { inputs: [{ ...path, required: false }], outputs: [page] } }),
  toolNode('lint-d', { satisfies: ['lint'], io: { inputs: [path], outputs: [] } }),
  toolNode('order-a', { satisfies: ['order'], io: { inputs: [port('p'), port('q')], outputs: [] } }),
  toolNode('order-b', { satisfies: ['order'], io: { inputs: [port('q'), port('p')], outputs: [] } }),
  toolNode('docs-x', { satisfies: ['site'], invoke: { shell: 'cat a | b' }, renders: ['page'] }),
  toolNode('secret', {
    ...{ satisfies: ['site'], tier: 'internal', alternativeTo: ['nothing'], renders: ['page'] },
    io: { inputs: [path], outputs: [] },
    maintains: [{ source: 'src', artefact: 'docs' }],
    remedies: [{ host: 'example.org', error: '429', tool: 'lint-a' }],
  }),
  toolNode('old', {
    satisfies: ['gone'],
    tier: 'deprecated',
    deprecated: { reason: 'its "replacedBy":"no" is told', replacedBy: 'nowhere' },
    alternativeTo: ['missing', 'lint-a'],
    remedies: [
      { host: 'example.org', error: '429 Too Many', tool: 'wait' },
      { host: 'Example.org', error: '429', tool: 'lint-a' },
      { error: '404', none: 'nothing helps' },
    ],
  }),
  toolNode('broken', { satisfies: ['deploy'], io: { inputs: [{ ...path, schema: typeIri('Nothing') }], outputs: [] } }),
];

beforeAll(async () => {
  instance = await Instance.make(nodes);
  await instance.writeTypes({ Text: { type: 'string' } });
  await instance.config({ base, tiers: ['stable'] });
  for (const name of ['lint', 'docs', 'site', 'deploy', 'idle', 'order']) {
    await instance.write(`graph/skills/${name}.md`, `---\nname: ${name}\ndescription: To ${name}\n---\n`);
  }
  await cp(views, instance.path('graph/views'), { recursive: true });
  service = createService({ root: instance.root });
  await service.ready;
});

afterAll(async () => {
  await service.close();
  await instance.dispose();
});

/** Rows of a view with these parameters, IRIs without the base: what its resource gives. */
async function rows(
  id: string,
  parameters: Readonly<Record<string, string | number>> = {},
): Promise<(string | undefined)[][]> {
  const view = service.current?.views.get(id);
  if (view === undefined) throw new Error(`the view ${id} is not served`);
  const bindings = new Map(
    view.parameters.flatMap((parameter) => {
      const value = parameters[parameter.name];
      return value === undefined ? [] : [[parameter.name, termOf(parameter, value)] as const];
    }),
  );
  expect([...bindings.keys()].sort()).toEqual(Object.keys(parameters).sort());
  const result = await service.query(view.query, { bindings });
  if (result.kind !== 'bindings') throw new Error(`${id} is no SELECT`);
  return result.rows.map((row) => result.variables.map((name) => row.get(name)?.value.replace(base, '')));
}

describe('The bundled views', () => {
  it('are served, each with a test below', () => {
    const known = [
      ...['alternatives', 'call-definition', 'calls', 'changes', 'dangling-edges', 'maintainers', 'omissions'],
      ...['remedies', 'renderers', 'skills-without-tool', 'tools-by-skill', 'tools-by-type'],
    ];
    expect([...(service.current?.views.keys() ?? [])].sort()).toEqual(known);
    expect(service.current?.problems.map(({ code }) => code)).toEqual(['unresolved-schema']);
  });

  it('alternatives: a shared skill, and the same inputs and outputs', async () => {
    const [a, b] = ['{"cost":"little"}', '{"when":"in CI"}'];
    expect(await rows('alternatives')).toEqual([
      ['lint-a', 'lint-b', 'lint', a, b, 'true'],
      ['lint-b', 'lint-a', 'lint', b, a, 'true'],
      ['order-a', 'order-b', 'order', undefined, undefined, 'false'],
      ['order-b', 'order-a', 'order', undefined, undefined, 'false'],
    ]);
    expect(await rows('alternatives', { tool: 'lint-b' })).toEqual([['lint-b', 'lint-a', 'lint', b, a, 'true']]);
    expect(await rows('alternatives', { tool: 'lint-c' })).toEqual([]);
  });

  it('maintainers: who keeps an artefact, or the folder that holds it', async () => {
    const api = ['docs/api', 'src', 'html', 'tool/lint-a'];
    const list = ['docs/list.md', 'src/list.ts', undefined, 'tool/lint-a'];
    const docs = ['docs/', 'docs', undefined, 'tool/lint-b'];
    expect(await rows('maintainers')).toEqual([docs, api, list]);
    expect(await rows('maintainers', { path: 'docs/list.md' })).toEqual([docs, list]);
    expect(await rows('maintainers', { path: 'docs/api/a.html' })).toEqual([docs, api]);
    expect(await rows('maintainers', { path: 'docs/apiary' })).toEqual([docs]);
    expect(await rows('maintainers', { path: 'src' })).toEqual([]);
  });

  it('renderers: which tools show a kind', async () => {
    expect(await rows('renderers')).toEqual([
      ['graph', 'tool/lint-a', 'Title of lint-a'],
      ['page', 'tool/docs-x', 'Title of docs-x'],
      ['page', 'tool/lint-a', 'Title of lint-a'],
    ]);
    expect(await rows('renderers', { kind: 'graph' })).toEqual([['graph', 'tool/lint-a', 'Title of lint-a']]);
  });

  it('remedies: by host, and by a text that contains the error', async () => {
    const none = ['tool/old', undefined, '404', undefined, 'nothing helps'];
    const lint = ['tool/old', 'Example.org', '429', 'tool/lint-a', undefined];
    const wait = ['tool/old', 'example.org', '429 Too Many', 'tool/wait', undefined];
    expect(await rows('remedies')).toEqual([none, lint, wait]);
    expect(await rows('remedies', { error: 'HTTP 404: not found' })).toEqual([none]);
    expect(await rows('remedies', { error: 'status 429', host: 'EXAMPLE.org' })).toEqual([lint]);
    expect(await rows('remedies', { error: '429 too many requests' })).toEqual([lint, wait]);
    expect(await rows('remedies', { host: 'other.org' })).toEqual([none]);
  });

  it('tools-by-type: each use of a type, by its name or IRI', async () => {
    const word = typeIri('Word');
    const uses = [
      [word, 'tool/lint-a', 'input', 'path', 'true', 'position 0'],
      [word, 'tool/lint-b', 'input', 'path', 'true', '--path'],
      [word, 'tool/lint-c', 'input', 'path', 'false', 'position 0'],
      [word, 'tool/lint-d', 'input', 'path', 'true', 'position 0'],
      ...['a p', 'a q', 'b p', 'b q'].map((use) => {
        const [letter, name] = use.split(' ');
        return [word, `tool/order-${letter}`, 'input', name, undefined, `--${name}`];
      }),
    ];
    expect(await rows('tools-by-type', { type: 'Word' })).toEqual(uses);
    expect(await rows('tools-by-type', { type: word })).toEqual(uses);
    expect(await rows('tools-by-type', { type: 'ord' })).toEqual([]);
    const nothing = [typeIri('Nothing'), 'tool/broken', 'input', 'path', 'true', 'position 0'];
    const texts = ['a', 'b', 'c'].map((letter) => [
      typeIri('Text'),
      `tool/lint-${letter}`,
      'output',
      'page',
      undefined,
      undefined,
    ]);
    expect(await rows('tools-by-type')).toEqual([nothing, ...texts, ...uses]);
  });

  it('dangling-edges: references that lead nowhere', async () => {
    expect(await rows('dangling-edges')).toEqual([
      ['tool/broken', 'type of an input', typeIri('Nothing')],
      ['tool/old', 'alternativeTo', 'tool/missing'],
      ['tool/old', 'remedies', 'tool/wait'],
      ['tool/old', 'replacedBy', 'tool/nowhere'],
      ['tool/old', 'satisfies', 'skill/gone'],
    ]);
  });

  it('tools-by-skill: with the state of each now', async () => {
    const titled = (id: string) => [`tool/${id}`, `Title of ${id}`];
    const docs = ['docs', ...titled('lint-b'), 'served', undefined];
    expect(await rows('tools-by-skill')).toEqual([
      ['deploy', ...titled('broken'), 'problem', 'unresolved-schema'],
      docs,
      ['gone', ...titled('old'), 'omitted', 'tier'],
      ...['a', 'b', 'c', 'd'].map((letter) => ['lint', ...titled(`lint-${letter}`), 'served', undefined]),
      ...['a', 'b'].map((letter) => ['order', ...titled(`order-${letter}`), 'served', undefined]),
      ['site', ...titled('docs-x'), 'omitted', 'shell-syntax'],
    ]);
    expect(await rows('tools-by-skill', { skill: 'docs' })).toEqual([docs]);
    expect(await rows('tools-by-skill', { skill: 'idle' })).toEqual([]);
  });

  it('skills-without-tool: and why', async () => {
    const found = await rows('skills-without-tool');
    expect(found.map((row) => row.slice(0, 4))).toEqual([
      ['deploy', 'tool/broken', 'problem', 'unresolved-schema'],
      ['gone', 'tool/old', 'omitted', 'tier'],
      ['idle', undefined, undefined, undefined],
      ['site', 'tool/docs-x', 'omitted', 'shell-syntax'],
    ]);
    expect(found.map((row) => row[4])).toEqual([
      expect.stringContaining('Nothing'),
      expect.stringContaining('deprecated'),
      undefined,
      expect.stringContaining('|'),
    ]);
  });

  it('omissions: by the code of the reason, without those of the tier internal', async () => {
    const tier = ['tier', 'tool/old', expect.any(String), 'graph/tools/old.json'];
    const syntax = ['shell-syntax', 'tool/docs-x', expect.any(String), 'graph/tools/docs-x.json'];
    expect(await rows('omissions')).toEqual([syntax, tier]);
    expect(await rows('omissions', { code: 'tier' })).toEqual([tier]);
    expect(await rows('omissions', { code: 'internal' })).toEqual([]);
  });

  it('calls and call-definition: who called what, and what served it', async () => {
    const generation = await service.ready;
    const by = { 'toolgraph/actor': { name: 'ann', role: 'writer' }, 'toolgraph/skill': 'docs' };
    const first = await service.call(generation, 'lint_b', { path: 'a' }, { meta: by });
    const second = await service.call(generation, 'lint_c', { path: 'no word' });
    const refusal = { code: 'unknown_tool', message: 'Unknown tool: secret', iri: `${base}tool/secret` } as const;
    await service.refuse(generation, 'secret', {}, refusal);
    await service.refuse(generation, 'nothing', {}, { code: 'unknown_tool', message: 'Unknown tool: nothing' });
    const [a, b] = [first.id, second.id];
    const ran = [a, expect.any(String), 'tool/lint-b', 'lint_b', 'docs', 'ann', 'ran', undefined, undefined];
    const calls = await rows('calls');
    expect(calls.map((row) => [row[3], row[6], row[7]])).toEqual([
      ['nothing', 'unavailable', 'unknown_tool'],
      ['lint_c', 'refused-input', 'invalid_params'],
      ['lint_b', 'ran', undefined],
    ]);
    for (const only of ['tool lint-b', 'tool lint_b', 'skill docs', 'actor ann']) {
      expect(await rows('calls', Object.fromEntries([only.split(' ')]))).toEqual([ran]);
    }
    expect(await rows('calls', { actor: 'bob' })).toEqual([]);

    const [definition] = await rows('call-definition', { call: a ?? '' });
    const [node] = nodes.filter(({ id }) => id === 'lint-b');
    expect(JSON.parse(definition?.[1] ?? '')).toMatchObject({
      id: 'lint-b',
      io: node?.io,
      satisfies: ['docs', 'lint'],
    });
    expect(await rows('call-definition', { call: a ?? '' })).toEqual(
      ['skill/docs', 'skill/lint'].map((skill) => [
        ...['lint_b', definition?.[1], 'graph/tools/lint-b.json', expect.stringMatching(/^[0-9a-f]{64}$/)],
        ...[undefined, 'unavailable', skill, '["echo","lint-b","--path","a"]', 'ran', undefined, undefined],
      ]),
    );
    expect(await rows('call-definition', { call: b ?? '' })).toMatchObject([
      { 0: 'lint_c', 7: undefined, 8: 'refused-input', 9: 'invalid_params' },
    ]);
    expect(await rows('call-definition', { call: 'none' })).toEqual([]);
  });

  it('changes: what begins and ends after a generation or a time', async () => {
    const { number = 0 } = service.current ?? {};
    const before = new Date().toISOString();
    expect(await rows('changes', { generation: number })).toEqual([]);
    const changed = nextGeneration(service);
    await instance.replace(nodePath('lint-a'), toolNode('lint-a', { satisfies: ['lint'], tier: 'deprecated' }));
    await changed;
    const n = String(number + 1);
    const at = expect.stringMatching(/^20\d\d-.*Z$/);
    const news = [
      ['begins', 'omission', 'tool/lint-a', 'lint_a', 'tier', expect.any(String), n, at],
      ['ends', 'declaration', 'tool/lint-a', 'lint_a', undefined, undefined, n, at],
    ];
    expect(await rows('changes', { generation: number })).toEqual(news);
    expect(await rows('changes', { time: before })).toEqual(news);
    expect(await rows('changes', { time: '2099-01-01T00:00:00Z' })).toEqual([]);
    const all = await rows('changes');
    expect(all).toHaveLength(news.length + 6 + 2 + 1);
    expect(all.flat()).not.toContain('tool/secret');
    expect((await rows('tools-by-skill', { skill: 'lint' })).map((row) => row.slice(1, 4))).toContainEqual([
      'tool/lint-a',
      'Title of lint-a',
      'omitted',
    ]);
  });
});
