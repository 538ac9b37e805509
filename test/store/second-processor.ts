import { readFileSync } from 'node:fs';
import type { Quad } from '@rdfjs/types';
import { JsonLdParser } from 'jsonld-streaming-parser';

const published = JSON.parse(
  readFileSync(new URL('../../schemas/generated/context.jsonld', import.meta.url), 'utf8'),
) as { '@context': object };

/**
 * The quads that another JSON-LD processor than ours makes of a document with the published context as the context that it begins with.
 * It fetches nothing, and throws where a key has no meaning.
 */
export function readWithPublishedContext(document: string): Promise<Quad[]> {
  const parser = new JsonLdParser({
    context: published,
    streamingProfile: false,
    strictValues: true,
    documentLoader: { load: (url) => Promise.reject(new Error(`asks for ${url}`)) },
  });
  return new Promise((resolve, reject) => {
    const quads: Quad[] = [];
    parser.on('data', (quad: Quad) => quads.push(quad));
    parser.on('error', reject);
    parser.on('end', () => resolve(quads));
    parser.end(document);
  });
}
