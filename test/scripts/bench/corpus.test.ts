import { createHash } from 'node:crypto';
import { join } from 'node:path';
import jsonld from 'jsonld';
import { describe, expect, it, onTestFinished } from 'vitest';
import { corpus, corpusBase, withDescription } from '../../../scripts/bench/corpus.js';
import { InstanceFolder } from '../../../scripts/bench/instance-folder.js';
import { plainTriples } from '../../../scripts/bench/plain-jsonld.js';
import { ingestDocument } from '../../../src/ingest/ingest.js';
import { createService } from '../../../src/service.js';

interface Node {
  readonly id: string;
  readonly description: string;
  readonly io: { readonly inputs: readonly { readonly arg: object }[] };
  readonly satisfies: readonly string[];
  readonly selection?: object;
}

const files = corpus(200, 1);
const nodes = files.map(({ text }) => JSON.parse(text) as Node);

describe('The corpus of the bench', () => {
  it('is the same for the same seed, another for another, and a longer one begins with a shorter one', () => {
    expect(corpus(20, 1)).toEqual(files.slice(0, 20));
    expect(corpus(20, 2)).not.toEqual(files.slice(0, 20));
  });

  it('varies as real nodes do', () => {
    const lengths = nodes.map(({ description }) => description.length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(100);
    // The sentence with which a length is reached ends after it.
    expect(Math.max(...lengths)).toBeLessThan(720);
    const ports = nodes.map(({ io }) => io.inputs.length);
    expect(ports.reduce((sum, count) => sum + count) / ports.length).toBeGreaterThan(3);
    expect(nodes.every(({ io }) => io.inputs.every(({ arg }) => arg !== undefined))).toBe(true);
    expect(new Set(nodes.map(({ satisfies }) => satisfies.length))).toEqual(new Set([1, 2, 3]));
    const selected = nodes.filter(({ selection }) => selection !== undefined).length / nodes.length;
    expect(selected).toBeGreaterThan(0.15);
    expect(selected).toBeLessThan(0.45);
  });

  it('is served whole: each node is a tool, none is omitted and none is a problem', async () => {
    const { root } = folder();
    const service = createService({ root, watch: false });
    onTestFinished(() => service.close());
    const { entries, omissions, problems } = await service.ready;
    expect([entries.size, omissions, problems]).toEqual([files.length, [], []]);
  });

  it('gives jsonld alone as many triples as toolgraph makes of it', async () => {
    let quads = 0;
    for (const { path, text } of files) {
      const bytes = Buffer.from(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const context = { base: corpusBase, allowIris: [], contexts: new Map() };
      quads += (await ingestDocument({ path, bytes, sha256, signature: '' }, context)).quads.length;
    }
    expect(quads).toBeGreaterThan(files.length * 20);
    expect(await plainTriples(jsonld, join(folder().root, 'graph'))).toBe(quads);
  });

  it('is edited by another description, and in nothing else', () => {
    const [first] = files;
    const before = JSON.parse(first?.text ?? '') as object;
    expect(JSON.parse(withDescription(first?.text ?? '', 'new'))).toEqual({ ...before, description: 'new' });
  });
});

function folder(): InstanceFolder {
  const instance = new InstanceFolder(files);
  onTestFinished(() => instance.remove());
  return instance;
}
