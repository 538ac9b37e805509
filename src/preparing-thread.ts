import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { SourceFile } from './ingest/document.js';
import type { IngestContext } from './ingest/ingest.js';
import type { PreparedDocument } from './store/prepared-document.js';

/** A thread is a file of its own, which Node 20 runs only when it is built; so the sources, too, name the built one. */
const packageFile = createRequire(import.meta.url).resolve('toolgraph/package.json');
const workerFile = new URL('./dist/src/preparing-worker.js', pathToFileURL(packageFile));

/** One worker thread that prepares documents; it starts at once, and goes on until it is ended. */
export class PreparingThread {
  readonly #worker: Worker;
  readonly #ended: Promise<never>;

  constructor(context: IngestContext) {
    this.#worker = new Worker(workerFile, { workerData: context });
    this.#ended = new Promise((_resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => reject(new Error('the thread that prepares documents has ended')));
    });
    this.#ended.catch(() => {});
  }

  /** One batch at a time. Rejects when the thread fails, and from then on. */
  prepare(files: readonly SourceFile[]): Promise<readonly PreparedDocument[]> {
    const answered = new Promise<readonly PreparedDocument[]>((resolve) => this.#worker.once('message', resolve));
    this.#worker.postMessage(files);
    return Promise.race([answered, this.#ended]);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
