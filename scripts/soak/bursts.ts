import type { SeededRandom } from '../seeded-random.js';
import { breakages, brokenText, expectedTool, nodeText } from './node-file.js';

/** One act on the instance. Paths are relative to it, with `/`. */
export type Edit =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly text: string;
      readonly how: 'atomic' | 'in-place' | 'anew';
    }
  /** Two saves so close that a watcher may tell only of the first. */
  | {
      readonly kind: 'write-twice';
      readonly path: string;
      readonly texts: readonly [string, string];
      readonly gapMs: number;
    }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'touch'; readonly path: string }
  /** Takes a folder away by renaming it, or file by file. */
  | { readonly kind: 'take-away'; readonly folder: string; readonly how: 'rename' | 'delete' }
  | { readonly kind: 'bring-back'; readonly folder: string }
  | { readonly kind: 'switch-branch' };

/** Edits that are made without waiting in between, and what they are called in a report. */
export interface Burst {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Pause between two edits, in ms. */
  readonly gapMs: number;
  /** What a client sees must not change, so nobody may be told of anything. */
  readonly isSilent: boolean;
}

/** A file of the instance as it is on disk. */
export interface SoakFile {
  readonly path: string;
  readonly text: string;
}

export const toolsFolder = 'graph/tools';
/** So many files are edited at once in the largest bursts. */
const manyFiles = 300;

/**
 * Decides the next burst from what is on disk: the same seed and files give the same bursts. The number of files goes up and down and
 * has no trend, so neither has what a server has to hold.
 */
export class BurstPlan {
  readonly #random: SeededRandom;
  /** Makes ids, and texts, that never were before. */
  #serial = 0;
  #away: string | undefined;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** The files that the instance begins with. */
  firstFiles(count: number): SoakFile[] {
    return Array.from({ length: count }, () => this.#newFile());
  }

  next(files: readonly SoakFile[]): Burst {
    if (this.#away !== undefined) return this.#bringBack(this.#away);
    const chance = this.#random.next();
    if (chance < 0.55) return this.#mixed(files);
    if (chance < 0.63) return this.#named('touch', this.#some(files, 40).map(touch), true);
    if (chance < 0.71) return this.#named('satisfies only', this.#some(sound(files), 20).map(this.#otherSkills), true);
    if (chance < 0.77) return this.#named('rename', this.#some(sound(files), 10).map(this.#rename), true);
    if (chance < 0.86) return this.#many(files);
    if (chance < 0.93) return this.#switchBranch(files);
    return this.#takeAway();
  }

  #mixed(files: readonly SoakFile[]): Burst {
    const chosen = this.#random.sample(files, this.#random.between(1, 8));
    const edits = chosen.map((file) => this.#anyEdit(file, expectedTool(file.text) !== undefined));
    return { name: 'mixed', edits, gapMs: this.#random.pick([0, 0, 3, 15]), isSilent: false };
  }

  #anyEdit(file: SoakFile, isSound: boolean): Edit {
    const act = this.#random.pick([
      'create',
      'delete',
      'change',
      'change',
      'twice',
      'break',
      'rename',
      'touch',
      'skills',
    ]);
    if (act === 'create') return this.#write(this.#newFile());
    if (act === 'delete') return remove(file);
    if (act === 'touch') return touch(file);
    // A broken node says nothing by which to know it again, so whatever else is to become of it, it is mended.
    if (act === 'change' || !isSound) return this.#change(file);
    if (act === 'break') return this.#write({ ...file, text: brokenText(file.text, this.#random.pick(breakages)) });
    if (act === 'rename') return this.#rename(file);
    if (act === 'skills') return this.#otherSkills(file);
    const texts = [this.#newText(idIn(file)), this.#newText(idIn(file))] as const;
    return { kind: 'write-twice', path: file.path, texts, gapMs: this.#random.between(1, 25) };
  }

  #many(files: readonly SoakFile[]): Burst {
    if (files.length < manyFiles)
      return this.#named(`create ${manyFiles}`, this.firstFiles(manyFiles).map(this.#write));
    const chosen = this.#random.sample(files, manyFiles);
    if (this.#random.chance(0.5)) return this.#named(`change ${manyFiles}`, chosen.map(this.#change));
    return this.#named(`delete ${manyFiles}`, chosen.map(remove));
  }

  /** What is broken is mended first: what is last-good of a node may depend on the branch that was seen before. */
  #switchBranch(files: readonly SoakFile[]): Burst {
    const broken = files.filter(({ text }) => expectedTool(text) === undefined).map(this.#change);
    return this.#named('switch branches', [...broken, { kind: 'switch-branch' }]);
  }

  /** The node folder itself: everything is kept. A folder in it: its tools are deleted. */
  #takeAway(): Burst {
    const folder = this.#random.pick(['graph', toolsFolder]);
    const how = this.#random.pick(['rename', 'delete'] as const);
    this.#away = folder;
    return this.#named(`take ${folder} away (${how})`, [{ kind: 'take-away', folder, how }], folder === 'graph');
  }

  #bringBack(folder: string): Burst {
    this.#away = undefined;
    return this.#named(`bring ${folder} back`, [{ kind: 'bring-back', folder }], folder === 'graph');
  }

  #named(name: string, edits: readonly Edit[], isSilent = false): Burst {
    return { name, edits, gapMs: 0, isSilent };
  }

  #some(files: readonly SoakFile[], atMost: number): SoakFile[] {
    return this.#random.sample(files, this.#random.between(1, atMost));
  }

  readonly #change = (file: SoakFile): Edit => this.#write({ ...file, text: this.#newText(idIn(file)) });

  readonly #write = (file: SoakFile): Edit => {
    return { kind: 'write', ...file, how: this.#random.pick(['atomic', 'atomic', 'in-place', 'anew']) };
  };

  readonly #rename = ({ path }: SoakFile): Edit => {
    const folder = `group-${this.#random.between(0, 9)}`;
    return { kind: 'rename', path, to: `${toolsFolder}/${folder}/${idIn({ path })}.${++this.#serial}.json` };
  };

  readonly #otherSkills = (file: SoakFile): Edit => {
    const { description } = expectedTool(file.text) ?? { description: '' };
    return this.#write({ ...file, text: nodeText(idIn(file), description, [`skill-${++this.#serial}`]) });
  };

  #newFile(): SoakFile {
    const id = `soak-${++this.#serial}`;
    const path = `${toolsFolder}/group-${this.#random.between(0, 9)}/${id}.json`;
    return { path, text: this.#newText(id) };
  }

  #newText(id: string): string {
    const filling = 'Counts what is there and says so. '.repeat(this.#random.between(1, 12));
    return nodeText(id, `Revision ${++this.#serial} of ${id}. ${filling.trim()}`, ['soaking']);
  }
}

/** The id of the node in a file, broken or not: it is the beginning of the file's name. */
function idIn({ path }: Pick<SoakFile, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
}

function sound(files: readonly SoakFile[]): SoakFile[] {
  return files.filter(({ text }) => expectedTool(text) !== undefined);
}

function remove({ path }: SoakFile): Edit {
  return { kind: 'delete', path };
}

function touch({ path }: SoakFile): Edit {
  return { kind: 'touch', path };
}
