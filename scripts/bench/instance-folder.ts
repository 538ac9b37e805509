import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type CorpusFile, corpusBase } from './corpus.js';

/** A generated instance in a temporary folder. */
export class InstanceFolder {
  readonly root: string;
  readonly files: readonly CorpusFile[];
  #saves = 0;

  constructor(files: readonly CorpusFile[]) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-bench-')));
    this.files = files;
    writeFileSync(join(this.root, 'toolgraph.config.json'), JSON.stringify({ name: 'bench', base: corpusBase }));
    for (const { path, text } of files) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  /** Forgets what toolgraph has stored. */
  dropState(): void {
    rmSync(join(this.root, '.toolgraph'), { recursive: true, force: true });
  }

  /**
   * Saves a file as editors do, by a temporary file that is renamed over it, and returns the moment just before that: a
   * `performance.now()` in ms.
   */
  save(path: string, text: string): number {
    const target = join(this.root, path);
    const temporary = join(dirname(target), `.${basename(target)}.${++this.#saves}.tmp`);
    writeFileSync(temporary, text);
    const before = performance.now();
    renameSync(temporary, target);
    return before;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
