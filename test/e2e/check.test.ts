import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../cli/cli-process.js';
import { makeInstance } from './harness.js';
import { type Instance, toolNode, typeIri } from './instance.js';

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  readonly document?: string;
  readonly instance?: string;
  readonly line?: number;
  readonly subject?: string;
}

async function findingsOf({ root }: Pick<Instance, 'root'>): Promise<readonly Finding[]> {
  const { stdout } = await run(['check', root, '--format', 'json']);
  return (JSON.parse(stdout) as { findings: Finding[] }).findings;
}

function rulesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ rule, message }) => `${rule} ${message}`);
}

const prefixes = `@prefix tg: <https://w3id.org/toolgraph/ns#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix schema: <https://schema.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
`;

/** A Tool in Turtle that is served; `more` are statements of it, each ended with `;`. */
function turtle(id: string, more = '', description = `Does ${id}`): string {
  return `${prefixes}<urn:toolgraph:demo:tool/${id}> a tg:Tool ; ${more}
  dcterms:title "Title of ${id}" ; dcterms:description "${description}" ; tg:outputs () ;
  tg:inputs ( [ schema:name "word" ; tg:schema <${typeIri('Word')}> ; rdfs:comment "What to say" ; tg:arg [ tg:positional 0 ] ] ) ;
  tg:invoke "{\\"shell\\":\\"echo\\"}"^^rdf:JSON ; tg:satisfies <urn:toolgraph:demo:skill/testing> .
`;
}

describe("Forge's verification rules", () => {
  it('every required tool is present', async () => {
    const instance = await makeInstance([toolNode('a')]);
    await instance.config({ require: ['a', 'deploy'] });
    expect(rulesOf(await findingsOf(instance))).toEqual([
      'TG202 the required Tool "deploy" is not served: no document describes it',
    ]);
  });

  it('schemas are valid JSON Schema 2020-12', async () => {
    const port = (name: string) => ({ name, schema: typeIri(name), required: true, arg: { stdin: true } });
    const instance = await makeInstance([
      toolNode('a', { io: { inputs: [port('Short')] } }),
      toolNode('b', { io: { inputs: [port('Old')] } }),
    ]);
    await instance.writeTypes({
      Short: { type: 'string', minLength: 'one' },
      Old: { type: 'object', dependencies: 5 },
    });
    expect(rulesOf(await findingsOf(instance))).toEqual([
      'TG008 input "Short": the type Short (graph/types.json) at /minLength: expected an integer of 0 or more',
      'TG221 b: its inputSchema, at /properties/Old/dependencies: must be object',
    ]);
  });

  it('hints are consistent with what the tool does', async () => {
    const instance = await makeInstance([
      toolNode('a', { effect: 'read', invoke: { shell: 'rm -r build' } }),
      toolNode('b', { openWorld: false, requires: { network: true } }),
    ]);
    await instance.config({ host: { network: true } });
    expect(rulesOf(await findingsOf(instance))).toEqual([
      'TG209 a: its effect is "read", and rm destroys something',
      'TG210 b: openWorld is false, and it requires the network',
    ]);
  });

  it('gated tools carry user_confirmed', async () => {
    const input = { name: 'user_confirmed', schema: 'https://w3id.org/toolgraph/types.schema.json#/$defs/Flag' };
    const instance = await makeInstance([
      toolNode('a', { requiresConfirmation: true }),
      toolNode('b', { io: { inputs: [input] } }),
    ]);
    expect(rulesOf(await findingsOf(instance))).toEqual([
      'TG212 b: it takes user_confirmed without "requiresConfirmation": true, so nothing refuses a call without it',
    ]);
  });
});

describe('toolgraph check, on what nothing else tells of', () => {
  it('finds an addition to a Tool that no document describes', async () => {
    const instance = await makeInstance([toolNode('deploy')]);
    await instance.config({ name: 'demo' });
    await instance.write(
      'graph/more.ttl',
      `${prefixes}<urn:toolgraph:demo:tool/deplyo> tg:requiresConfirmation true .
<urn:toolgraph:demo:tool/deploy> tg:effect "write" .`,
    );
    const wanted = { rule: 'TG217', document: 'graph/more.ttl', subject: 'urn:toolgraph:demo:tool/deplyo' };
    expect(await findingsOf(instance)).toMatchObject([wanted]);
    await instance.write(
      'graph/more.ttl',
      `${prefixes}<urn:toolgraph:demo:tool/deploy> tg:requiresConfirmation true .`,
    );
    expect(await findingsOf(instance)).toEqual([]);
  });

  it('finds a namespace that is almost ours, and a description that no model reads', async () => {
    const instance = await makeInstance();
    await instance.config({ name: 'demo' });
    await instance.write(
      'graph/say.ttl',
      turtle('say', '<http://w3id.org/toolgraph/ns#effect> "read" ; <https://example.org/weight> 3 ;'),
    );
    expect(rulesOf(await findingsOf(instance))).toEqual([
      'TG218 <http://w3id.org/toolgraph/ns#effect> is not in the namespace <https://w3id.org/toolgraph/ns#>, so it is not read',
      'TG219 say: its input "word" is described with <http://www.w3.org/2000/01/rdf-schema#comment>, which no model reads',
    ]);
  });

  it('finds Markdown among skills that is no skill, and a skill that is not there', async () => {
    const instance = await makeInstance([toolNode('a', { satisfies: ['testing', 'release'] })]);
    await instance.write('graph/skills/testing.md', '---\nname: testing\n---\nHow to test.\n');
    await instance.write('graph/skills/release.md', '# Release\n');
    await instance.write('graph/skills/README.md', '# Skills\n');
    await instance.write('graph/notes.md', '# Notes\n');
    expect(await findingsOf(instance)).toMatchObject([
      { rule: 'TG203', document: 'graph/tools/a.json', line: expect.any(Number) },
      { rule: 'TG220', document: 'graph/skills/release.md', line: 1 },
    ]);
  });
});

describe('toolgraph check', () => {
  it('finds hidden text in a node of every form, with a line where the form has lines', async () => {
    const instance = await makeInstance();
    await instance.config({ name: 'demo' });
    const text = 'Does\u200b it';
    await instance.write('graph/tools/a.json', toolNode('a', { description: text }));
    await instance.write('graph/b.jsonld', {
      '@context': 'https://w3id.org/toolgraph/v1.jsonld',
      '@graph': [toolNode('b', { description: text })],
    });
    const { '@type': type, description, ...rest } = toolNode('c');
    await instance.write('graph/tools/c.yaml', `description: "Does\\u200b it"\n${yamlOf(rest)}`);
    await instance.write('graph/d.ttl', turtle('d', '', 'Does\\u200B it'));
    const found = (await findingsOf(instance)).filter(({ rule }) => rule === 'TG205');
    expect(found.map(({ document, line, message }) => [document, typeof line, message])).toEqual(
      [
        ['graph/b.jsonld', 'number', 'b'],
        ['graph/d.ttl', 'undefined', 'd'],
        ['graph/tools/a.json', 'number', 'a'],
        ['graph/tools/c.yaml', 'number', 'c'],
      ].map(([document, line, id]) => [
        document,
        line,
        `${id}: its description has U+200B ZERO WIDTH SPACE at character 5`,
      ]),
    );
  });

  it('decides with automata what a pattern lets into argv, at the start that takes over an earlier one too', async () => {
    const inputs = [
      { name: 'dir', schema: typeIri('Dir'), required: true, arg: { positional: 0 } },
      { name: 'tag', schema: typeIri('Tag'), arg: { flag: '--tag' } },
    ];
    const instance = await makeInstance([toolNode('a', { io: { inputs } })]);
    await instance.writeTypes({
      Dir: { type: 'string', pattern: '^[a-z][a-z./]*$' },
      Tag: { type: 'string', pattern: '^[a-z-]+$' },
    });
    const expected = [
      'TG207 the type Dir admits "a/..", a path that can lead out of the instance, in argv: input "dir" of a',
      'TG208 the type Tag admits "-", and a call with such a value is refused: input "tag" of a',
    ];
    expect(rulesOf(await findingsOf(instance))).toEqual(expected);
    expect(rulesOf(await findingsOf(instance))).toEqual(expected);
  });

  it('runs every other rule over an instance that has problems', async () => {
    const instance = await makeInstance([toolNode('a', { title: 'A\u200b' })]);
    await instance.write('graph/tools/b.json', '{ "id": "b", ');
    await instance.write('graph/tools/c.json', toolNode('c', { invok: {} }));
    await instance.config({ require: ['b'], rules: { nonsense: 'warn' } });
    const rules = (await findingsOf(instance)).map(({ rule }) => rule);
    expect(rules).toEqual(['TG001', 'TG002', 'TG009', 'TG205']);
  });

  it('names the documents of an included instance as from the root, and takes its own config for it', async () => {
    const outer = await makeInstance([toolNode('a', { title: 'A\u200b' })]);
    const inner = await makeInstance([toolNode('b', { title: 'B\u200b' }), toolNode('c', { description: 'Does,' })]);
    const label = `../${basename(inner.root)}`;
    await outer.config({ include: [label], rules: { TG205: 'warn' } });
    await inner.config({ require: ['gone'], rules: { TG214: { severity: 'off', reason: 'a sample' } } });
    expect(await findingsOf(outer)).toMatchObject([
      { rule: 'TG202', severity: 'error', document: `${label}/toolgraph.config.json`, instance: label, line: 3 },
      { rule: 'TG205', severity: 'error', document: `${label}/graph/tools/b.json`, instance: label, line: 4 },
      { rule: 'TG205', severity: 'warning', document: 'graph/tools/a.json', line: 4 },
    ]);
    expect((await run(['check', outer.root])).stdout).toMatch(
      /^2 errors, 1 warning, 1 silenced by the config; 3 tools served$/m,
    );
  });
});

/** Enough of YAML for the fields of a node: JSON is YAML. */
function yamlOf(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
}
