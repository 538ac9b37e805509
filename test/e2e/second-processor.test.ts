import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Quad } from '@rdfjs/types';
import { DataFactory } from 'n3';
import { canonize } from 'rdf-canonize';
import { describe, expect, it } from 'vitest';
import { prefixes } from '../../src/store/vocabulary.js';
import { run } from '../cli/cli-process.js';
import { ingest, base as ingestBase } from '../ingest/ingest-source.js';
import { readWithPublishedContext } from '../store/second-processor.js';
import { everyForm } from './every-form.js';
import { makeInstance } from './harness.js';
import type { Instance } from './instance.js';
import { quadLine, storedQuads } from './store-content.js';

/**
 * The quads that are stored, after a look at whether another processor reads the same in the export. `--all` has further graphs, which are
 * made when it asks.
 */
async function checked(instance: Instance): Promise<string[]> {
  const { code, stdout, stderr } = await run(['export', instance.root, '--format', 'jsonld', '--all']);
  expect([code, stderr]).toEqual([0, '']);
  const stored = storedQuads(instance);
  const graphs = new Set(stored.map(graphOf));
  const lines = (await readWithPublishedContext(stdout)).map(quadLine);
  expect(lines.filter((line) => graphs.has(graphOf(line))).sort()).toEqual(stored);
  return stored;
}

function graphOf(line: string): string {
  return (JSON.parse(line) as string[]).at(-1) ?? '';
}

describe('What export writes as JSON-LD', () => {
  it('is for another processor, with the published context, the quads that are stored', async () => {
    const instance = await everyForm();
    await instance.write(
      'graph/literals.jsonld',
      JSON.stringify({
        '@context': {
          '@vocab': 'urn:x:',
          day: { '@id': 'urn:x:day', '@type': `${prefixes.xsd}date` },
          order: { '@id': 'urn:x:order', '@container': '@list' },
          data: { '@id': 'urn:x:data', '@type': '@json' },
        },
        '@id': 'https://example.org/instance/thing',
        '@type': 'Thing',
        whole: [0, -7, 1_000_000],
        fraction: [1.5, -0.25],
        truth: [true, false],
        day: '2026-12-01',
        said: [
          { '@value': 'colour', '@language': 'en-GB' },
          { '@value': 'Farbe', '@language': 'de' },
          { '@value': 'as it is', '@type': 'urn:x:spelling' },
        ],
        order: ['b', 'a', { '@id': 'urn:x:c' }, 'a'],
        data: { z: [1, 1e-7, null, 'é"\\'], a: { '@id': 'is no IRI here' } },
      }),
    );
    const quads = await checked(instance);
    const text = quads.join('\n');
    for (const datatype of ['integer', 'double', 'decimal', 'boolean', 'date'])
      expect(text).toContain(`^^${prefixes.xsd}${datatype}"`);
    for (const part of [`^^${prefixes.rdf}JSON"`, '"en-gb^^', `"${prefixes.rdf}rest"`]) expect(text).toContain(part);
  });

  it("is that for the project's own graph", async () => {
    const checkout = fileURLToPath(new URL('../..', import.meta.url));
    const instance = await makeInstance();
    await instance.remove('graph');
    for (const name of ['graph', 'toolgraph.config.json'])
      await cp(`${checkout}${name}`, instance.path(name), { recursive: true });
    expect((await checked(instance)).length).toBeGreaterThan(300);
  });
});

describe('A node as it is written', () => {
  const type = 'https://example.org/types#/$defs/';
  const node = {
    '@id': `${ingestBase}tool/all-keys`,
    '@type': 'Tool',
    id: 'all-keys',
    title: 'All keys',
    description: 'Has each key of a Tool',
    version: '1.0.0',
    tier: 'deprecated',
    deprecated: { reason: 'slow' },
    effect: 'read',
    idempotent: true,
    openWorld: false,
    requiresConfirmation: false,
    install: { none: true },
    invoke: { shell: 'all-keys --n 1' },
    io: {
      inputs: [
        { name: 'only', schema: `${type}Slug`, repeated: true, arg: { flag: '--only', joined: true } },
        { name: 'root', schema: `${type}Path`, required: true, description: 'Where', arg: { positional: 0 } },
        { name: 'list', schema: `${type}Text`, arg: { stdin: true } },
      ],
      outputs: [{ name: 'report', schema: `${type}Json`, from: { stdout: 'json', pointer: '/report' } }],
    },
    satisfies: ['https://example.org/skills/links'],
    requires: { os: ['linux'], network: true },
    when: { exists: ['site'] },
    limits: { timeoutMs: 60_000 },
    selection: { when: 'before a release' },
    alternativeTo: ['https://example.org/tools/other'],
    remedies: [{ host: 'example.org', error: '429', tool: 'https://example.org/tools/wait' }, { none: 'nothing' }],
    maintains: [{ source: 'site', artefact: 'docs', format: 'html' }],
    renders: ['page', 'graph'],
    subprocesses: ['fetch'],
    downstream: { z: [1, 1e-7, 1e21, null], a: { 'é"\\': '\u2028' } },
  };

  it('is with the published context the same graph for another processor, but for the names that its parts are given', async () => {
    const document = await ingest('graph/tools/all-keys.json', node);
    expect(document.diagnostics).toEqual([]);
    const theirs = await readWithPublishedContext(JSON.stringify(node));
    expect(theirs).toHaveLength(document.quads.length);
    expect(await canonical(theirs)).toBe(await canonical(document.quads));
  });
});

/** Without graphs, and with a blank node for each part of the Tool, which ingest names by its place. */
function canonical(quads: readonly Quad[]): Promise<string> {
  const { quad, blankNode, defaultGraph } = DataFactory;
  const unnamed = <T extends Quad['subject'] | Quad['object']>(term: T): T =>
    term.value.startsWith(`${ingestBase}tool/all-keys/`)
      ? (blankNode(encodeURIComponent(term.value)) as unknown as T)
      : term;
  const bare = quads.map(({ subject, predicate, object }) =>
    quad(unnamed(subject), predicate, unnamed(object), defaultGraph()),
  );
  return canonize(bare, { algorithm: 'RDFC-1.0', maxWorkFactor: 2, format: 'application/n-quads' });
}
