import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Invocation } from '../../schemas/invocation.js';
import { readCalls } from '../../src/store/record-reader.js';
import type { SeededRandom } from '../seeded-random.js';
import { editedModule, editedNode, type InstanceFile, lastingFiles } from './called-tools.js';

const editedPath = editedNode(0).path;

/** An instance in a temporary folder whose tools misbehave, and a temporary folder of its own for the servers beside it. */
export class CallInstance {
  readonly root: string;
  /** As TMPDIR it marks every process that stems from these servers. */
  readonly temporary: string;
  readonly #random: SeededRandom;
  #revision = 0;
  #saves = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-soak-calls-')));
    this.temporary = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-soak-calls-tmp-')));
    for (const file of [...lastingFiles(), editedNode(0), editedModule(0)]) this.#write(file);
  }

  /** Changes, breaks, deletes or puts back the tool that is edited, or changes the module. */
  edit(): void {
    const revision = ++this.#revision;
    const act = this.#random.pick(['change', 'change', 'delete', 'break', 'module']);
    if (act === 'delete') rmSync(join(this.root, editedPath), { force: true });
    else if (act === 'module') this.#write(editedModule(revision));
    else {
      const { path, text } = editedNode(revision);
      this.#write({ path, text: act === 'break' ? text.slice(0, text.length >> 1) : text });
    }
  }

  /** All records, checked by nobody: what a server writes is what they are. */
  records(): readonly Invocation[] {
    return readCalls(join(this.root, '.toolgraph'), { limit: Number.MAX_SAFE_INTEGER })?.records ?? [];
  }

  /** What servers have left in their temporary folder. */
  leftFiles(): string[] {
    return readdirSync(this.temporary, { recursive: true, encoding: 'utf8' });
  }

  remove(): void {
    for (const folder of [this.root, this.temporary]) rmSync(folder, { recursive: true, force: true });
  }

  /** By a rename, so that nobody reads half of it. */
  #write({ path, text, isProgram }: InstanceFile): void {
    const absolute = join(this.root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    const saved = join(dirname(absolute), `.save-${++this.#saves}.tmp`);
    writeFileSync(saved, text, { mode: isProgram === true ? 0o755 : 0o644 });
    renameSync(saved, absolute);
  }
}
