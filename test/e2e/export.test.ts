import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRdf } from '../../src/store/read-rdf.js';
import { prefixes } from '../../src/store/vocabulary.js';
import { run } from '../cli/cli-process.js';
import { exportIri } from '../ingest/harness-export.js';
import { base, everyForm } from './every-form.js';
import { makeInstance } from './harness.js';
import { type Instance, toolNode } from './instance.js';

const formats = [
  ['jsonld', 'jsonld'],
  ['turtle', 'ttl'],
  ['trig', 'trig'],
  ['nquads', 'nq'],
] as const;

async function toolsOf(
  root: string,
): Promise<{ tools: { name: string }[]; omissions: { id: string; code: string }[] }> {
  const { code, stdout } = await run(['tools', root, '--json', '--tiers', 'stable,experimental,deprecated']);
  const { tools, omissions, problems } = JSON.parse(stdout);
  expect([code, problems]).toEqual([0, []]);
  return {
    tools,
    omissions: omissions.map(({ id, code: reason }: { id: string; code: string }) => ({ id, code: reason })),
  };
}

async function exportOf(root: string, ...options: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['export', root, ...options]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** The triples of all graphs, each as one line of N-Triples and sorted. */
async function triplesOf(root: string, ...options: string[]): Promise<string[]> {
  const lines = (await exportOf(root, '--format', 'nquads', ...options)).trimEnd().split('\n');
  return [...new Set(lines.map((line) => line.replace(/ <[^ ]*> \.$/, ' .')))].sort();
}

const checkout = fileURLToPath(new URL('../..', import.meta.url));

async function ownConfig(): Promise<Record<string, unknown>> {
  const config = JSON.parse(await readFile(`${checkout}toolgraph.config.json`, 'utf8')) as Record<string, unknown>;
  return { ...config, base: config.base ?? `urn:toolgraph:${config.name}:` };
}

/** The project's own nodes in a folder of their own, where what they need does not depend on the checkout. */
async function ownGraph(): Promise<Instance> {
  const instance = await makeInstance();
  await instance.remove('graph');
  await cp(`${checkout}graph`, instance.path('graph'), { recursive: true });
  await instance.config(await ownConfig());
  await meetConditions(instance);
  return instance;
}

/** Makes each path on which a Tool of the instance depends (`when.exists`). */
async function meetConditions(instance: Instance): Promise<void> {
  const quads = await readRdf(await exportOf(instance.root, '--format', 'nquads', '--all'), 'nquads', 64);
  if ('message' in quads) throw new Error(quads.message);
  const conditions = quads.quads.filter(({ predicate }) => predicate.value === `${prefixes.tg}when`);
  const paths = conditions.flatMap(({ object }) => (JSON.parse(object.value) as { exists: string[] }).exists);
  // The longest first: one that is a folder may be made by what lies in it.
  for (const path of [...new Set(paths)].sort((a, b) => b.length - a.length)) {
    if (!existsSync(instance.path(path))) await instance.write(path, '');
  }
}

/** An instance of which the text is the only document. */
async function onlyWith(text: string, extension: string, config: object): Promise<Instance> {
  const instance = await makeInstance();
  await instance.remove('graph');
  await instance.write(`graph/export.${extension}`, text);
  await instance.config({ base, ...config });
  return instance;
}

describe('toolgraph export', () => {
  it.each(formats)(
    'as %s is a whole instance: the same tools, byte for byte, and the same triples',
    async (format, extension) => {
      const instance = await everyForm();
      const original = await toolsOf(instance.root);
      expect(original.tools.map(({ name }) => name)).toEqual([
        'foreign',
        'in_turtle',
        'in_yaml',
        'linked',
        'one',
        'plain',
        'two',
      ]);
      const text = await exportOf(instance.root, '--format', format);
      const copy = await onlyWith(text, extension, { allowIris: [exportIri] });
      expect(JSON.stringify(await toolsOf(copy.root))).toBe(JSON.stringify(original));
      expect(await triplesOf(copy.root)).toEqual(await triplesOf(instance.root));
      // Once more through the same format: nothing is lost or spelt otherwise the second time either.
      const again = await onlyWith(await exportOf(copy.root, '--format', format), extension, {
        allowIris: [exportIri],
      });
      expect(await triplesOf(again.root)).toEqual(await triplesOf(instance.root));
    },
  );

  it.each(formats)("as %s of the project's own graph gives its tools", async (format, extension) => {
    const original = await ownGraph();
    const { base: ownBase } = await ownConfig();
    const text = await exportOf(original.root, '--format', format);
    const copy = await onlyWith(text, extension, { base: ownBase, folders: [{ path: 'graph', kind: 'export' }] });
    await meetConditions(copy);
    const tools = await toolsOf(original.root);
    expect(tools.omissions).toEqual([{ id: 'release', code: 'manual-only' }]);
    expect(JSON.stringify(await toolsOf(copy.root))).toBe(JSON.stringify(tools));
    expect(await triplesOf(copy.root)).toEqual(await triplesOf(original.root));
  });

  it('says the same in all formats', async () => {
    const { root } = await everyForm();
    const expected = await triplesOf(root);
    for (const format of ['turtle', 'trig', 'nquads'] as const) {
      const read = await readRdf(await exportOf(root, '--format', format), format, 64);
      if ('message' in read) throw new Error(read.message);
      expect(new Set(read.quads.map(({ graph }) => graph.value)).size).toBe(format === 'turtle' ? 1 : 9);
      expect(
        new Set(
          read.quads.map(({ subject, predicate, object }) => `${subject.value} ${predicate.value} ${object.value}`),
        ).size,
      ).toBe(expected.length);
    }
  });

  it('adds what the service derives with --all, which changes none of the tools either', async () => {
    const instance = await everyForm();
    const documents = await triplesOf(instance.root);
    const all = await triplesOf(instance.root, '--all');
    const derived = all.filter((triple) => !documents.includes(triple));
    expect(derived).toContain(`<${exportIri}#tool/foreign> <${prefixes.rdf}type> <${prefixes.tg}Tool> .`);
    expect(all).toEqual(expect.arrayContaining(documents));
    const copy = await onlyWith(await exportOf(instance.root, '--all'), 'jsonld', { allowIris: [exportIri] });
    expect(await toolsOf(copy.root)).toEqual(await toolsOf(instance.root));
  });

  it('has the documents of included instances too', async () => {
    const other = await makeInstance([toolNode('theirs')]);
    await other.config({ base: 'urn:other:' });
    const instance = await makeInstance([toolNode('ours')]);
    await instance.config({ base, include: [other.root] });
    const graphs = (JSON.parse(await exportOf(instance.root)) as { '@id': string }[]).map((graph) => graph['@id']);
    expect(graphs).toEqual([
      `${base}document/graph/tools/ours.json`,
      `${base}document/graph/types.json`,
      'urn:other:document/graph/tools/theirs.json',
      'urn:other:document/graph/types.json',
    ]);
  });
});
