/** Opens the instance in argv[2], and prints `ready`; then, for each request of stdin, a line of what became of it. Ends with its stdin. */
import { createInterface } from 'node:readline';
import { createService } from '../../../src/service.js';
import { bindingsOf, type QueryRequest } from '../asked-queries.js';
import type { QueryMeasurement } from '../queries.js';

const service = createService({ root: process.argv[2] ?? '', watch: false });
await service.ready;

createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { sparql, values } = JSON.parse(line) as QueryRequest;
    const before = performance.now();
    const result = await service.query(sparql, { bindings: bindingsOf(values) });
    const ms = performance.now() - before;
    const rows = result.kind === 'bindings' ? result.rows.length : Number.NaN;
    const measured: QueryMeasurement = { ms, rows, rssBytes: process.memoryUsage.rss() };
    console.log(JSON.stringify(measured));
  })
  .once('close', () => void service.close());
console.log('ready');
