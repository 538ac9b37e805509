import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonLdDocument, NodeObject, Options } from 'jsonld';
import { buildContext, contextIri } from '../../src/store/vocabulary.js';

type Processor = Pick<typeof import('jsonld'), 'toRDF'>;

/**
 * Reads every JSON file below `folder`, parses it and makes triples of it with jsonld alone, which is what ingest cannot do without.
 * Returns how many triples. The loader gives the bundled context in the form that jsonld caches best (`tag: 'static'`).
 */
export async function plainTriples(jsonld: Processor, folder: string): Promise<number> {
  let triples = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.json')) continue;
    const document = JSON.parse(readFileSync(join(folder, path), 'utf8')) as JsonLdDocument;
    triples += ((await jsonld.toRDF(document, options)) as readonly unknown[]).length;
  }
  return triples;
}

const bundled = { documentUrl: contextIri, document: buildContext() as NodeObject, tag: 'static' } as const;

const options: Options.ToRdf = {
  documentLoader: async (url) => {
    if (url !== contextIri) throw new Error(`no context but ${contextIri} is known: ${url}`);
    return bundled;
  },
};
