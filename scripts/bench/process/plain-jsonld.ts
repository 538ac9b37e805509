/** The peer of `ingest`: a process that makes triples of the files below the folder in argv[2] with jsonld alone. */
import type { IngestMeasurement } from '../ingest.js';

const begun = performance.now();
const [{ default: jsonld }, { plainTriples }] = await Promise.all([import('jsonld'), import('../plain-jsonld.js')]);
const imported = performance.now();
const count = await plainTriples(jsonld, process.argv[2] ?? '');
const ready = performance.now();
const measured: IngestMeasurement = {
  importMs: imported - begun,
  readyMs: ready - imported,
  rssBytes: process.memoryUsage.rss(),
  count,
};
console.log(JSON.stringify(measured));
