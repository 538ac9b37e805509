/**
 * Reads the instance in argv[2], writes all that a query sees of it to the file argv[3], in N-Quads, and prints the query of the view that is
 * measured.
 */
import { createWriteStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createService } from '../../../src/service.js';
import { iriText, tripleLine } from '../../../src/store/query/nquads-line.js';
import { serviceIri, serviceStatements } from '../../../src/store/query/service-statements.js';
import { benchedView } from '../asked-queries.js';
import { corpusBase } from '../corpus.js';

const [root = '', file = ''] = process.argv.slice(2);
const service = createService({ root, watch: false });
const { key, number, digest, views } = await service.ready;
await pipeline(Readable.from(stated()), createWriteStream(file));
await service.close();
console.log(JSON.stringify({ sparql: views.get(basename(benchedView, '.yaml'))?.query }));

async function* stated(): AsyncGenerator<string> {
  yield* service.export({ format: 'nquads', all: true });
  const graph = iriText(serviceIri(corpusBase));
  for (const triple of serviceStatements({ base: corpusBase, key, number, digest })) yield tripleLine(...triple, graph);
}
