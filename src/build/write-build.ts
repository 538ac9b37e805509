import { accessSync, constants, existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../instance/signature.js';
import { BuildError, errnoWords } from './build-error.js';
import { withBuildLock } from './build-lock.js';
import { manifestOf, manifestPath, renderManifest } from './manifest.js';
import { type PlannedFile, pathsIn, planBuild, type WantedFiles } from './plan.js';
import { readBuild } from './read-build.js';

/** Where new files are written whole before the first of them takes its place. */
const stagingName = '.toolgraph-build.new';

/**
 * Brings a folder (absolute, without links; made when it is not there) to what is wanted, and gives what it had found. Everything is
 * written beside its place before anything is changed, so a disk that is full changes nothing; then each file takes its place in one
 * step. What a reader opens one after another can never be one moment, so meanwhile the manifest says that it is not complete.
 *
 * @throws BuildError that names what is in the way, and says what became of the folder.
 */
export function writeBuild(folder: string, wanted: WantedFiles): readonly PlannedFile[] {
  const made = makeFolder(folder);
  try {
    return withBuildLock(folder, () => replaceFiles(folder, wanted));
  } catch (error) {
    for (const path of made.reverse()) removeIfEmpty(path);
    throw error;
  }
}

function replaceFiles(folder: string, wanted: WantedFiles): readonly PlannedFile[] {
  const present = readBuild(folder);
  const plan = planBuild(wanted, present);
  const [foreign] = pathsIn(plan, 'foreign');
  if (foreign !== undefined) {
    throw new BuildError(
      `${join(folder, foreign)} is there, and no build has made it; move it away, or name another folder. Nothing was written`,
    );
  }
  const removed = pathsIn(plan, 'extra');
  const written = pathsIn(plan, 'missing', 'stale').filter((path) => path !== manifestPath);
  if (plan.every(({ state }) => ['fresh', 'kept', 'edited'].includes(state))) return plan;

  const after = manifestOf(wanted.built);
  const during = { complete: false, files: new Map([...(present.manifest?.files ?? []), ...after.files]) };
  const files: NewFile[] = [
    { path: manifestPath, content: renderManifest(during) },
    ...written.map((path) => ({ path, content: wanted.built.get(path) ?? wanted.scaffold.get(path) ?? '' })),
    { path: manifestPath, content: renderManifest(after) },
  ];
  try {
    stage(folder, files);
    commit(folder, files, removed);
  } finally {
    rmSync(join(folder, stagingName), { recursive: true, force: true });
  }
  return plan;
}

interface NewFile {
  readonly path: string;
  readonly content: string;
}

/** Writes each file, by its number, into the folder beside. What a build that was killed has left there is gone then. */
function stage(folder: string, files: readonly NewFile[]): void {
  const staging = join(folder, stagingName);
  let path = '';
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging);
    for (const parent of new Set(files.map((file) => dirname(join(folder, file.path))))) {
      path = parent;
      if (existsSync(parent)) accessSync(parent, constants.W_OK | constants.X_OK);
    }
    for (const [i, file] of files.entries()) {
      path = join(folder, file.path);
      writeFileSync(join(staging, String(i)), file.content, { flag: 'wx', flush: true });
    }
  } catch (error) {
    throw new BuildError(`${path} cannot be written (${errnoWords(error)}); nothing was changed`, {
      cause: error,
    });
  }
}

/** The first file is the manifest that says that the rest is under way, and the last the one that says that it is done. */
function commit(folder: string, files: readonly NewFile[], removed: readonly string[]): void {
  const last = files.length - 1;
  const place = (i: number): void => {
    const target = join(folder, files[i]?.path ?? '');
    mkdirSync(dirname(target), { recursive: true });
    renameSync(join(folder, stagingName, String(i)), target);
  };
  try {
    for (let i = 0; i < last; i++) place(i);
    for (const path of removed) {
      rmSync(join(folder, path));
      removeIfEmpty(dirname(join(folder, path)));
    }
    place(last);
  } catch (error) {
    throw new BuildError(
      `${folder} cannot be written (${errnoWords(error)}); what is in it does not belong together, as ${manifestPath} says: build again`,
      { cause: error },
    );
  }
}

/** Makes the folder and those above it that are missing, and gives the ones that it has made. */
function makeFolder(folder: string): string[] {
  const made: string[] = [];
  const missing: string[] = [];
  for (let path = folder; !existsSync(path); path = dirname(path)) missing.push(path);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path);
      made.push(path);
    } catch (error) {
      // Another build may have made it at this moment.
      if (errnoOf(error) === 'EEXIST') continue;
      for (const own of made.reverse()) removeIfEmpty(own);
      throw new BuildError(`${path} cannot be made (${errnoWords(error)}); nothing was changed`, {
        cause: error,
      });
    }
  }
  return made;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something is in it.
  }
}
