/**
 * A process that opens the instance in argv[2] and prints how long its imports took, and then how long it is from `createService` to the
 * first generation. What would be imported on the way is imported first, so that the two are told apart.
 */
import type { IngestMeasurement } from '../ingest.js';

const begun = performance.now();
const { createService } = await import('../../../src/service.js');
await import('jsonld');
const imported = performance.now();
const service = createService({ root: process.argv[2] ?? '' });
const { entries } = await service.ready;
const ready = performance.now();
const measured: IngestMeasurement = {
  importMs: imported - begun,
  readyMs: ready - imported,
  rssBytes: process.memoryUsage.rss(),
  count: entries.size,
};
await service.close();
console.log(JSON.stringify(measured));
