import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Burst, type Edit, type SoakFile, toolsFolder } from './bursts.js';
import { type ExpectedTool, expectedTool } from './node-file.js';

const branches = ['main', 'other'] as const;

/** An instance in a temporary folder that is a git repository with two branches, edited as people and programs do. */
export class SoakInstance {
  readonly root: string;
  readonly #parked: string;
  #branch = 0;
  #saves = 0;

  constructor(files: readonly SoakFile[]) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-soak-')));
    // Beside the instance, on the same file system: a folder is taken away by one rename.
    this.#parked = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-soak-parked-')));
    writeFileSync(join(this.root, 'toolgraph.config.json'), JSON.stringify({ name: 'soak', keepGoing: true }));
    for (const { path, text } of files) this.#writeFile(path, text);
    this.#git('init', '--quiet', '--initial-branch', branches[0]);
    this.#commit();
    this.#git('branch', branches[1]);
  }

  /** The node files on disk, by path in code units; none when their folder is away. */
  files(): SoakFile[] {
    if (!this.#exists(toolsFolder)) return [];
    const folder = join(this.root, toolsFolder);
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .sort()
      .map((path) => ({ path: `${toolsFolder}/${path}`, text: readFileSync(join(folder, path), 'utf8') }));
  }

  /**
   * What has to be listed, by path: of a file that is sound, its tool; of one that is broken, what it gave `before`; nothing of one
   * that is gone. A node folder that is gone as a whole changes nothing (DESIGN decision 3).
   */
  expected(before: ReadonlyMap<string, ExpectedTool>): ReadonlyMap<string, ExpectedTool> {
    if (!this.#exists('graph')) return before;
    const expected = new Map<string, ExpectedTool>();
    for (const { path, text } of this.files()) {
      const tool = expectedTool(text) ?? before.get(path);
      if (tool !== undefined) expected.set(path, tool);
    }
    return expected;
  }

  async apply({ edits, gapMs }: Burst): Promise<void> {
    for (const edit of edits) {
      await this.#applyEdit(edit);
      if (gapMs > 0) await delay(gapMs);
    }
  }

  remove(): void {
    for (const folder of [this.root, this.#parked]) rmSync(folder, { recursive: true, force: true });
  }

  async #applyEdit(edit: Edit): Promise<void> {
    switch (edit.kind) {
      case 'write':
        this.#write(edit.path, edit.text, edit.how);
        break;
      case 'write-twice':
        this.#write(edit.path, edit.texts[0], 'atomic');
        await delay(edit.gapMs);
        this.#write(edit.path, edit.texts[1], 'atomic');
        break;
      case 'rename':
        mkdirSync(dirname(join(this.root, edit.to)), { recursive: true });
        renameSync(join(this.root, edit.path), join(this.root, edit.to));
        break;
      case 'delete':
        rmSync(join(this.root, edit.path));
        break;
      case 'touch':
        utimesSync(join(this.root, edit.path), new Date(), new Date());
        break;
      case 'take-away':
        this.#takeAway(edit.folder, edit.how);
        break;
      case 'bring-back':
        renameSync(join(this.#parked, 'folder'), join(this.root, edit.folder));
        break;
      case 'switch-branch':
        this.#switchBranch();
    }
  }

  #write(path: string, text: string, how: 'atomic' | 'in-place' | 'anew'): void {
    if (how === 'anew') rmSync(join(this.root, path), { force: true });
    if (how === 'atomic') {
      const temporary = `${dirname(path)}/.save-${++this.#saves}.tmp`;
      this.#writeFile(temporary, text);
      renameSync(join(this.root, temporary), join(this.root, path));
    } else {
      this.#writeFile(path, text);
    }
  }

  #takeAway(folder: string, how: 'rename' | 'delete'): void {
    const [from, to] = [join(this.root, folder), join(this.#parked, 'folder')];
    if (how === 'delete') {
      cpSync(from, to, { recursive: true });
      rmSync(from, { recursive: true });
    } else {
      renameSync(from, to);
    }
  }

  #switchBranch(): void {
    this.#commit();
    this.#branch = 1 - this.#branch;
    this.#git('checkout', '--quiet', branches[this.#branch] ?? branches[0]);
  }

  #commit(): void {
    this.#git('add', '--all');
    this.#git('commit', '--quiet', '--allow-empty', '--message', 'soak');
  }

  #git(...args: string[]): void {
    const identity = ['-c', 'user.name=soak', '-c', 'user.email=soak@example.org', '-c', 'gc.auto=0'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: this.root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  }

  #writeFile(path: string, text: string): void {
    const absolute = join(this.root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  }

  #exists(path: string): boolean {
    return existsSync(join(this.root, path));
  }
}
