/** The thread in which documents are prepared: a batch comes in, the same documents go out prepared. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SourceFile } from './ingest/document.js';
import type { IngestContext } from './ingest/ingest.js';
import { prepareDocument } from './prepare-document.js';
import type { PreparedDocument } from './store/prepared-document.js';

const context = workerData as IngestContext;

parentPort?.on('message', async (files: readonly SourceFile[]) => {
  const documents: PreparedDocument[] = [];
  for (const file of files) documents.push(await prepareDocument(file, context));
  parentPort?.postMessage(documents);
});
