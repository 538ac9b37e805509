import type { IngestedDocument, SourceFile } from './ingest/document.js';
import { type IngestContext, ingestDocument } from './ingest/ingest.js';
import { lift } from './store/lift.js';
import { encodeDocument, type PreparedDocument } from './store/prepared-document.js';

/** What one file becomes, up to where it is stored: expand → lift. Never rejects. */
export async function prepareDocument(file: SourceFile, context: IngestContext): Promise<PreparedDocument> {
  const document = await ingestDocument(file, context);
  return encodeDocument(document, lift(allQuads(document), context.base, document.path, document.pointers));
}

/** A Tool that is described in ours only in the derived graph is a Tool of the document all the same. */
function allQuads({ quads, derived = [] }: IngestedDocument): IngestedDocument['quads'] {
  return derived.length === 0 ? quads : [...quads, ...derived];
}
