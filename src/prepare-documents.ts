import { availableParallelism } from 'node:os';
import type { SourceFile } from './ingest/document.js';
import type { IngestContext } from './ingest/ingest.js';
import { prepareDocument } from './prepare-document.js';
import { PreparingThread } from './preparing-thread.js';
import type { PreparedDocument } from './store/prepared-document.js';

/** Documents between two transactions: bounds memory, and lets progress be told. */
const batchSize = 250;
/** With fewer documents a thread is not worth the time in which it loads its libraries. */
const worthThreads = 2_000;
const mostThreads = 4;

/**
 * Reads, expands and lifts documents, and gives them in batches of a bounded size, in no particular order; what `take` throws ends
 * the work. Thousands of them are prepared in threads while `take` writes. Never rejects because of a document.
 */
export async function prepareDocuments(
  files: readonly SourceFile[],
  context: IngestContext,
  take: (documents: readonly PreparedDocument[]) => void,
  threads = files.length < worthThreads ? 0 : Math.min(mostThreads, availableParallelism()),
): Promise<void> {
  const batches = inBatches(files);
  let failed = false;
  const run = async (prepare: Prepare): Promise<void> => {
    const next = () => {
      const { value } = failed ? { value: undefined } : batches.next();
      return value === undefined ? undefined : prepare(value);
    };
    let coming = next();
    while (coming !== undefined) {
      const documents = await coming;
      if (failed) return;
      // Begun before the last one is taken, so that a thread need not wait for that.
      coming = next();
      try {
        take(documents);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const here: Prepare = (batch) => prepareAll(batch, context);
  if (threads === 0) return run(here);
  const started = Array.from({ length: threads }, () => new PreparingThread(context));
  try {
    // What a thread fails at is done here, and so is what would come after it.
    await Promise.all(started.map((thread) => run((batch) => thread.prepare(batch).catch(() => here(batch)))));
  } finally {
    await Promise.all(started.map((thread) => thread.end()));
  }
}

type Prepare = (batch: readonly SourceFile[]) => Promise<readonly PreparedDocument[]>;

async function prepareAll(files: readonly SourceFile[], context: IngestContext): Promise<PreparedDocument[]> {
  const documents: PreparedDocument[] = [];
  for (const file of files) documents.push(await prepareDocument(file, context));
  return documents;
}

/** One iterator, of which each thread takes the next. */
function* inBatches(files: readonly SourceFile[]): Generator<readonly SourceFile[], undefined> {
  for (let start = 0; start < files.length; start += batchSize) yield files.slice(start, start + batchSize);
  return undefined;
}
