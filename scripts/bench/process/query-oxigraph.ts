/**
 * The peer of `query-service`: oxigraph alone, which loads the N-Quads in the file argv[2] at the first request: each into its graph, and into the
 * default graph, where queries look. Prints `ready` first. Ends with its stdin.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Store } from 'oxigraph';
import type { QueryRequest } from '../asked-queries.js';
import type { QueryMeasurement } from '../queries.js';

let loaded: Promise<Store> | undefined;

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { sparql } = JSON.parse(line) as QueryRequest;
  const before = performance.now();
  loaded ??= load();
  const rows = (await loaded).query(sparql);
  const ms = performance.now() - before;
  const measured: QueryMeasurement = {
    ms,
    rows: Array.isArray(rows) ? rows.length : Number.NaN,
    rssBytes: process.memoryUsage.rss(),
  };
  console.log(JSON.stringify(measured));
});
console.log('ready');

/** With the import of the engine, which a service leaves to its first query too. */
async function load(): Promise<Store> {
  const { oxigraphOf } = await import('../plain-oxigraph.js');
  return oxigraphOf(inBothGraphs(createInterface({ input: createReadStream(process.argv[2] ?? '') })));
}

/** Each statement as it is, and without the graph that ends its line. */
async function* inBothGraphs(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    yield line;
    yield line.replace(/ <[^<>]*> \.$/, ' .');
  }
}
