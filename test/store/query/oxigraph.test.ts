import { initSync } from 'oxigraph/web.js';
import { expect, it } from 'vitest';
import { loadOxigraph } from '../../../src/store/query/oxigraph.js';
import { QueryDataset } from '../../../src/store/query/query-dataset.js';

it('grows once, when it is loaded, and leaves some of what it may have', async () => {
  const dataset = new QueryDataset(await loadOxigraph(96));
  // It gives the engine that is there.
  const { memory } = initSync({ module: Buffer.of() });
  const megabytes = () => memory.buffer.byteLength / 2 ** 20;
  const before = megabytes();
  expect(before).toBeGreaterThan(64);
  expect(before).toBeLessThan(96);
  dataset.load(Array.from({ length: 10_000 }, (_, i) => ['<urn:s>', '<urn:p>', `"text ${i}"`, '<urn:g>'] as const));
  expect(dataset.size).toBe(20_000);
  expect(megabytes()).toBe(before);
});
