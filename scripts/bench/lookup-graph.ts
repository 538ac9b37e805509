import { createHash } from 'node:crypto';
import { ingestDocument } from '../../src/ingest/ingest.js';
import { type GraphStore, openGraphStore } from '../../src/store/graph-store.js';
import type { Lifted } from '../../src/store/lift.js';
import { corpus, corpusBase } from './corpus.js';

/** More than the corpus has at least in a document, so that so many documents have `quads` quads. */
const fewestQuads = 40;
/** Documents that are stored together, as ingest does. */
const batch = 256;

/** What nodes could be read from the quads is none of this: only the quads are asked. */
const nothing: Lifted = {
  ...{ tools: [], skills: [], types: [], views: [] },
  ...{ diagnostics: [], broken: [], parts: [], extends: [] },
};

/** Opens the store of the graph of lookups, in this folder. */
export function openLookupGraph(folder: string): GraphStore {
  return openGraphStore(folder, 'bench');
}

/**
 * Puts documents of the corpus into an empty store until it has `quads` quads, as a first ingest does. Returns how many documents and how
 * many quads there are then.
 */
export async function fillLookupGraph(store: GraphStore, quads: number, seed: number) {
  const done = { documents: 0, quads: 0 };
  await store.filling(async (sink) => {
    let last: Promise<unknown> = Promise.resolve();
    for (const { path, text } of corpus(Math.ceil(quads / fewestQuads), seed)) {
      const bytes = Buffer.from(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const file = { path, bytes, sha256, signature: '' };
      const document = await ingestDocument(file, { base: corpusBase, allowIris: [], contexts: new Map() });
      sink.add({ document, lifted: nothing, signature: '', expected: undefined });
      done.documents += 1;
      done.quads += document.quads.length;
      const isFull = done.quads >= quads;
      if (isFull || done.documents % batch === 0) {
        await last;
        last = sink.flush();
      }
      if (isFull) break;
    }
    await last;
  });
  await store.settled();
  return done;
}
