import { byCodeUnits } from '../code-units.js';
import { type Manifest, manifestOf, manifestPath, renderManifest, sha256Of } from './manifest.js';

/** What a build is to leave in a folder, each content by its path there. */
export interface WantedFiles {
  /** Made from the graph alone, and written whenever they differ. */
  readonly built: ReadonlyMap<string, string>;
  /** For a person to go on with: written only where nothing has their path. */
  readonly scaffold: ReadonlyMap<string, string>;
}

/** What a folder holds, as far as a build asks. */
export interface PresentFiles {
  /** Undefined where no build has been. */
  readonly manifest: Manifest | undefined;
  /** Undefined for a path that nothing has. */
  readonly contentOf: (path: string) => string | undefined;
}

/**
 * What is found at a path. `fresh`: as it would be made. `missing`: nothing. `stale`: made by an earlier build, and would be made
 * differently. `extra`: made by an earlier build, and would not be made. `edited`: as `extra`, and changed since by someone else.
 * `kept`: a file of the scaffold, whatever it holds. `foreign`: in the way, and no build has made it.
 */
export type FileState = 'fresh' | 'missing' | 'stale' | 'extra' | 'edited' | 'kept' | 'foreign';

export interface PlannedFile {
  readonly path: string;
  readonly state: FileState;
}

/** Every path that a build is about, its manifest among them, in the order of the paths. */
export function planBuild(
  { built, scaffold }: WantedFiles,
  { manifest, contentOf }: PresentFiles,
): readonly PlannedFile[] {
  const made = manifest?.files ?? new Map<string, string>();
  const planned: PlannedFile[] = [];
  for (const [path, content] of built) {
    const present = contentOf(path);
    const other = made.has(path) ? 'stale' : 'foreign';
    planned.push({ path, state: present === undefined ? 'missing' : present === content ? 'fresh' : other });
  }
  for (const [path, digest] of made) {
    const present = built.has(path) ? undefined : contentOf(path);
    if (present !== undefined) planned.push({ path, state: sha256Of(present) === digest ? 'extra' : 'edited' });
  }
  for (const path of scaffold.keys()) {
    planned.push({ path, state: contentOf(path) === undefined ? 'missing' : 'kept' });
  }
  const manifestNow = contentOf(manifestPath);
  const isFresh = manifestNow === renderManifest(manifestOf(built));
  planned.push({ path: manifestPath, state: manifestNow === undefined ? 'missing' : isFresh ? 'fresh' : 'stale' });
  return planned.sort((a, b) => byCodeUnits(a.path, b.path));
}

/** The paths that are in one of the states. */
export function pathsIn(plan: readonly PlannedFile[], ...states: readonly FileState[]): string[] {
  return plan.flatMap(({ path, state }) => (states.includes(state) ? [path] : []));
}
