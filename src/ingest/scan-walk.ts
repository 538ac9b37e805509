import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';
import { directoryIdentity, errnoOf, fileSignature } from '../instance/signature.js';
import type { SourceFile } from './document.js';
import { formatOf, looksLikeNodes } from './document-kind.js';
import { type IgnoreRules, isIgnoredName } from './ignore.js';
import type { FoundFile } from './scan-files.js';
import { followLink } from './scan-links.js';
import { accessProblem, scanProblem, scanProblems } from './scan-problems.js';

/** A node folder that exists, with its real path. */
export interface RealFolder {
  /** Relative to the instance; `.` is the instance itself. */
  readonly path: string;
  readonly real: string;
  readonly kind?: SourceFile['folderKind'];
}

export interface WalkInput {
  readonly folder: RealFolder;
  /** All node folders of the instance. What they hold is never read through a link. */
  readonly folders: readonly RealFolder[];
  readonly realRoot: string;
  readonly ignore: IgnoreRules;
  /** Whether there is room for this document. */
  readonly admit: (path: string) => boolean;
  /** Real paths already reached through links in this scan, so that each is read once and loops end. */
  readonly reached: Set<string>;
}

export interface Walk {
  readonly files: FoundFile[];
  /** By path: what was met and is not read. */
  readonly problems: Map<string, Diagnostic>;
  /** Paths of files and folders that could not be looked at; what is known of them is kept. */
  readonly blocked: Set<string>;
  /** By path: what tells a folder that could be listed from another one made in its place. */
  readonly directories: Map<string, string>;
  /** Paths of files of data that are in no format which is read. */
  readonly unread: string[];
  /** Real paths outside the node folders that links lead to. */
  readonly linkTargets: Set<string>;
}

/** Lists every document of one node folder, without reading any. Sorted in code units, each real file once. */
export function walkFolder(input: WalkInput): Walk {
  const walk: Walk = {
    files: [],
    problems: new Map(),
    blocked: new Set(),
    directories: new Map(),
    unread: [],
    linkTargets: new Set(),
  };
  walkDirectory(input, walk, { path: input.folder.path, absolute: input.folder.real, linked: false });
  return walk;
}

interface Position {
  readonly path: string;
  readonly absolute: string;
  /** Reached through a link, so its real path is claimed. */
  readonly linked: boolean;
}

function walkDirectory(input: WalkInput, walk: Walk, at: Position): void {
  if (at.linked && !claim(input.reached, at.absolute)) return;
  let entries: Dirent[];
  try {
    const stats = lstatSync(at.absolute, { bigint: true });
    entries = readdirSync(at.absolute, { withFileTypes: true });
    walk.directories.set(at.path, directoryIdentity(stats));
  } catch (error) {
    block(walk, at.path, errnoOf(error));
    return;
  }
  for (const entry of entries.sort((a, b) => byCodeUnits(a.name, b.name))) {
    const path = at.path === '.' ? entry.name : `${at.path}/${entry.name}`;
    if (isIgnoredName(entry.name) || input.ignore.isListed(path)) continue;
    const next = { path, absolute: join(at.absolute, entry.name), linked: at.linked };
    if (entry.isDirectory()) walkDirectory(input, walk, next);
    else if (entry.isSymbolicLink()) walkLink(input, walk, next);
    else walkFile(input, walk, next);
  }
}

function walkLink(input: WalkInput, walk: Walk, at: Position): void {
  const target = followLink(at.absolute, input);
  if (target.leads === 'in-place') return;
  if (target.leads === 'astray') {
    if (formatOf(at.path) === 'other' && !target.isFolder) return;
    walk.problems.set(at.path, scanProblem(at.path, target.problem));
    // A document whose target is gone is missing, as a file is; of any other, what is known is kept.
    if (target.problem !== scanProblems.dangling) walk.blocked.add(at.path);
    return;
  }
  const next = { path: at.path, absolute: target.real, linked: true };
  if (target.isFolder) walkDirectory(input, walk, next);
  else walkFile(input, walk, next);
  walk.linkTargets.add(target.real);
}

function walkFile(input: WalkInput, walk: Walk, at: Position): void {
  if (formatOf(at.path) === 'other') {
    if (looksLikeNodes({ path: at.path, ...folderKindOf(input) })) walk.unread.push(at.path);
    return;
  }
  if (at.linked && !claim(input.reached, at.absolute)) return;
  let stats: BigIntStats | undefined;
  try {
    stats = lstatSync(at.absolute, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    block(walk, at.path, errnoOf(error));
    return;
  }
  if (stats === undefined) {
    // A name that is not UTF-8 is listed with U+FFFD and cannot be asked for.
    if (at.path.includes('\uFFFD')) walk.problems.set(at.path, scanProblem(at.path, scanProblems.name));
  } else if (!stats.isFile()) {
    walk.problems.set(at.path, scanProblem(at.path, scanProblems.irregular));
    walk.blocked.add(at.path);
  } else if (input.admit(at.path)) {
    walk.files.push({
      path: at.path,
      absolute: at.absolute,
      signature: fileSignature(stats),
      folder: input.folder.path,
      ...folderKindOf(input),
    });
  }
}

function folderKindOf({ folder: { kind } }: WalkInput): Pick<SourceFile, 'folderKind'> {
  return kind === undefined ? {} : { folderKind: kind };
}

function block(walk: Walk, path: string, errno: string): void {
  // Gone since it was listed: its files are missing, which is for the next scan to confirm.
  if (errno === 'ENOENT' || errno === 'ENOTDIR') return;
  walk.problems.set(path, accessProblem(path, errno));
  walk.blocked.add(path);
}

function claim(reached: Set<string>, real: string): boolean {
  if (reached.has(real)) return false;
  reached.add(real);
  return true;
}
