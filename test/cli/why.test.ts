import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinType } from '../../schemas/define-tool.js';
import type { Explanation } from '../../src/cli/explain.js';
import { makeInstance } from '../e2e/harness.js';
import { Instance, toolNode, typeIri } from '../e2e/instance.js';
import { run } from './cli-process.js';

const word = { schema: typeIri('Word') };

let made: Instance;
afterAll(() => made.dispose());

beforeAll(async () => {
  made = await Instance.make([
    toolNode('say-hello', {
      io: {
        inputs: [
          { name: 'name', ...word, arg: { flag: '--name' } },
          { name: 'note', ...word },
        ],
        outputs: [],
      },
      requires: { os: ['linux', 'darwin'] },
    }),
    toolNode('late', { tier: 'experimental', alternativeTo: ['say-hello'] }),
  ]);
  await made.write('graph/skills/testing/SKILL.md', '---\nname: testing\ndescription: Tests.\n---\n');
});

describe('toolgraph why', () => {
  it.each(['say-hello', 'say_hello'])('tells everything of a served tool, by id or by name: %s', async (wanted) => {
    const { root } = made;
    const { code, stdout, stderr } = await run(['why', wanted, root, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'say-hello',
      name: 'say_hello',
      state: 'projected',
      document: 'graph/tools/say-hello.json',
      line: 1,
      arm: 'shell',
      words: ['echo', 'say-hello'],
      definition: expect.stringMatching(/^[0-9a-f]{64}$/),
      skills: [{ name: 'testing', known: true }],
      requirements: [{ kind: 'os', needs: expect.any(Array), met: 'yes' }],
      inputs: [
        { name: 'name', required: false, reaches: '--name <name>' },
        { name: 'note', reaches: expect.stringContaining('left out of the inputSchema') },
      ],
      alternatives: [{ id: 'late', state: 'tier', named: true }],
    });
    expect(stdout).not.toContain(root);
  });

  it('tells of an omitted tool why, and what its node says', async () => {
    const { root } = made;
    const { code, stdout } = await run(['why', 'late', root]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^late\n {2}state {8}omitted: tier$/m);
    expect(stdout).toContain('  to do        Serve its tier too: with --tiers stable,experimental, or for good in');
    expect(stdout).toContain('  at           graph/tools/late.json:16\n  now          "tier": "experimental"');
    expect(stdout).toContain(`  next         toolgraph why late ${relative(tmpdir(), root)}\n`);
    expect(stdout).toContain('  arm          shell: echo late');
    expect(stdout).toContain('  alternatives say-hello (projected)');
  });

  it('gives a word of the pattern of a required input, and masks what check masks', async () => {
    const instance = await makeInstance([
      toolNode('bed', {
        effect: 'read',
        invoke: { shell: 'echo --token 4f9a1c77e0b2' },
        io: {
          inputs: [{ name: 'bed', schema: 'https://t.example/t#/$defs/Bed', required: true, arg: { positional: 0 } }],
          outputs: [],
        },
      }),
    ]);
    await instance.write('graph/bed.json', {
      $id: 'https://t.example/t',
      $defs: { Bed: { type: 'string', pattern: '^bed-[0-9]{1,3}$' } },
    });
    const { stdout } = await run(['why', 'bed', instance.root]);
    expect(stdout).toContain(`--args '{"bed":"bed-0"}'`);
    expect(stdout).toMatch(/^ {2}check {8}error TG216: /m);
    expect(stdout).not.toContain('1c77');
  });

  it('tells the revision that the record of a call names', async () => {
    const { root } = made;
    await run(['call', 'say-hello', root, '--args', '{"name":"ann"}']);
    const { revision, held, calls } = JSON.parse((await run(['why', 'say-hello', root, '--json'])).stdout);
    expect(calls).toMatchObject([{ outcome: 'ran', revision }]);
    expect(held).toEqual({ since: expect.stringMatching(/^20\d\d-.*Z$/) });
    const { stdout } = await run(['why', 'say-hello', root]);
    expect(stdout).toContain(`  revision     ${revision}\n  since        ${held.since}\n`);
  });

  it('tells of a view its state, parameters and query, and of one that is wrong what', async () => {
    const instance = await makeInstance([toolNode('one')]);
    const view = (id: string, fields: object) => ({ '@type': 'View', id, title: 'T', description: 'D', ...fields });
    const query = 'SELECT ?tool\nWHERE { ?tool a ?kind }\n';
    const parameters = [{ name: 'kind', schema: builtinType('Url'), required: true }];
    await instance.write('graph/views/good.json', view('good', { query, parameters }));
    await instance.write('graph/views/early.json', view('early', { query: 'ASK {}', tier: 'experimental' }));
    await instance.write('graph/views/wrong.json', view('wrong', { query: 'SELECT' }));
    const { code, stdout } = await run(['why', 'good', instance.root]);
    expect(code).toBe(0);
    expect(stdout).toContain(`  parameters   kind (required, ${builtinType('Url')})`);
    expect(stdout).toContain('  query        SELECT ?tool\n               WHERE { ?tool a ?kind }\n');
    const of = async (id: string) => JSON.parse((await run(['why', id, instance.root, '--json'])).stdout);
    expect(await of('good')).toMatchObject({
      kind: 'view',
      id: 'good',
      state: 'projected',
      query,
      document: 'graph/views/good.json',
    });
    expect(await of('early')).toMatchObject({ kind: 'view', state: 'omitted', code: 'tier', line: 1 });
    expect(await of('wrong')).toMatchObject({
      kind: 'view',
      state: 'problem',
      code: 'invalid-query',
      document: 'graph/views/wrong.json',
    });
    const { stdout: listed } = await run(['tools', instance.root]);
    expect(
      listed
        .split('\n')
        .map((line) => line.split('\t').slice(0, 3).join(' '))
        .slice(0, 3),
    ).toEqual(['tool one shell', 'view good select', 'view omission early tier']);
    const json = JSON.parse((await run(['tools', instance.root, '--json'])).stdout);
    expect(json.views).toEqual([
      { id: 'good', title: 'T', description: 'D', tier: 'stable', form: 'select', parameters },
    ]);
  });

  it('exits 1 on an id that is unknown, with the one that may have been meant', async () => {
    const { root } = made;
    expect(await run(['why', 'say-helo', root])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'toolgraph: unknown tool say-helo; did you mean say-hello?\n',
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a placeholder', { invoke: { shell: 'echo <word> again' } }],
    ['an optional part', { invoke: { shell: 'echo [-n]' } }],
    ['a required input without an arg', { io: { inputs: [{ name: 'note', ...word, required: true }] } }],
    ['a text in argv', { io: { inputs: [{ name: 'branch', schema: builtinType('Text'), arg: { flag: '-b' } }] } }],
    ['a type that is not there', { io: { inputs: [{ name: 'a', schema: typeIri('Wrod'), arg: { flag: '-a' } }] } }],
    ['another tier', { tier: 'experimental' }],
    ['only an mcp arm', { invoke: { mcp: { tool: 'x' } } }],
  ])('gives a change that makes the tool one that is served: %s', async (_, fields) => {
    const instance = await makeInstance([toolNode('wrong', fields)]);
    const ask = async () => JSON.parse((await run(['why', 'wrong', instance.root, '--json'])).stdout) as Explanation;
    const { state, advice } = await ask();
    expect([state, advice?.document]).toEqual([expect.stringMatching(/omitted|problem/), 'graph/tools/wrong.json']);
    const [change = ''] = advice?.change ?? [];
    // What is only meant as an example is filled in as a person would.
    const said = JSON.parse(`{${change.replace('the command and its fixed words', 'echo')}}`) as Record<
      string,
      unknown
    >;
    const lines = readFileSync(instance.path('graph/tools/wrong.json'), 'utf8').split('\n');
    expect(lines[(advice?.line ?? 0) - 1]).toMatch(/[{"]/);
    await instance.write('graph/tools/wrong.json', changed(toolNode('wrong', fields), advice?.pointer ?? '', said));
    expect(await ask()).toMatchObject({ state: 'projected' });
  });

  it('names the documents that add to a tool, and the ids that are near or hold what was typed', async () => {
    const instance = await makeInstance([toolNode('word-count'), toolNode('word-list'), toolNode('other')]);
    await instance.config({ name: 'demo' });
    await instance.write(
      'graph/more.ttl',
      '<urn:toolgraph:demo:tool/other> <https://w3id.org/toolgraph/ns#renders> "graph" .\n',
    );
    const { stdout } = await run(['why', 'other', instance.root]);
    expect(stdout).toMatch(/^ {2}source {7}graph\/tools\/other\.json:1\n {2}also in {6}graph\/more\.ttl$/m);
    expect((await run(['why', 'word', instance.root])).stderr).toBe(
      'toolgraph: unknown tool word; did you mean word-count or word-list?\n',
    );
  });

  it('knows the skills of a whole-graph export', async () => {
    const instance = await makeInstance();
    const iri = 'https://example.org/export.jsonld';
    await instance.config({ allowIris: [iri] });
    const ns = 'https://w3id.org/cat-harness/ns#';
    await instance.write('graph/export.jsonld', {
      '@context': {
        ns,
        label: 'http://www.w3.org/2000/01/rdf-schema#label',
        json: { '@id': `${ns}io`, '@type': '@json' },
      },
      '@graph': [
        {
          ...{
            '@id': `${iri}#tool/a`,
            '@type': 'ns:Tool',
            label: 'A',
            'http://purl.org/dc/terms/description': 'Does a',
          },
          ...{ json: {}, [`${ns}invoke`]: { '@type': '@json', '@value': { shell: 'echo' } } },
          [`${ns}satisfies`]: { '@id': `${iri}#skill/strength` },
        },
        { '@id': `${iri}#skill/strength`, '@type': 'ns:Skill', label: 'strength' },
      ],
    });
    const { stdout } = await run(['why', 'a', instance.root]);
    expect(stdout).toMatch(/^ {2}skills {7}strength$/m);
  });
});

/** The node with what a change says in place of the member that the pointer ends in, or in the object that it leads to. */
function changed(node: Record<string, unknown>, pointer: string, said: Record<string, unknown>): unknown {
  const copy = structuredClone(node);
  const steps = pointer.split('/').slice(1);
  const parent = steps.slice(0, -1).reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], copy);
  const last = steps.at(-1) ?? '';
  const target = last in said ? parent : (parent as Record<string, unknown>)[last];
  Object.assign(target as object, said);
  return copy;
}
