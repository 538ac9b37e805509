import { type Diagnostic, problem } from '../diagnostic.js';
import type { NodeFolder } from '../instance/config.js';
import { isInFolder } from '../instance/containment.js';
import type { FileRead } from '../instance/signature.js';
import type { ScanResult } from './scan.js';

/** Why a path that a scan met is not read. One message each, for the person who can change the file. */
export const scanProblems = {
  outside:
    'the link leads outside the instance; copy what it leads to into the instance, or, if that belongs to another instance, name that one under "include" in toolgraph.config.json',
  dangling: 'the link leads to nothing; correct or remove it',
  loop: 'the link leads to itself; remove it',
  aroundFolders: 'the link leads to a folder that holds a node folder, so it would be read twice; remove the link',
  irregular: 'expected a regular file; devices, sockets and pipes are not read',
  name: 'the file name is not UTF-8; rename the file',
  notAFolder: 'the config names it as a folder, and it is a file; correct "folders" in toolgraph.config.json',
  overlap: 'through a link this is the same place as another folder of the config; name it once',
} as const;

export function scanProblem(path: string, message: string): Diagnostic {
  return problem('unreadable', message, { document: path });
}

export function tooManyDocuments(path: string, limit: number): Diagnostic {
  return scanProblem(
    path,
    `the node folders hold more than ${limit} documents, and from this one on they are not read; raise limits.documents`,
  );
}

export function accessProblem(path: string, errno: string): Diagnostic {
  const denied = errno === 'EACCES' || errno === 'EPERM';
  return scanProblem(path, denied ? 'no permission to read it; correct its permissions' : `cannot be read (${errno})`);
}

/** The problem of a file that is there and cannot be read. */
export function readProblem(
  path: string,
  read: Extract<FileRead, { state: 'too-large' | 'irregular' | 'failed' }>,
  maxBytes: number,
): Diagnostic {
  switch (read.state) {
    case 'too-large':
      return scanProblem(
        path,
        `${read.size} bytes, and the limit is ${maxBytes}; split it or raise limits.documentBytes`,
      );
    case 'irregular':
      return scanProblem(path, scanProblems.irregular);
    case 'failed':
      return accessProblem(path, read.errno);
  }
}

/** Folders that should be there: one that need not be is missed only when something is known of it. */
export function missedFolders(
  scan: Pick<ScanResult, 'missingFolders' | 'kept'> | undefined,
  folders: readonly NodeFolder[],
): readonly string[] {
  if (scan === undefined) return [];
  const optional = new Set(folders.flatMap(({ path, optional }) => (optional === true ? [path] : [])));
  return scan.missingFolders.filter(
    (folder) => !optional.has(folder) || scan.kept.some((path) => isInFolder(folder, path)),
  );
}

/** Of a scan: why folders and files of the instance cannot be read now. */
export function folderProblems(
  scan: Pick<ScanResult, 'missingFolders' | 'unreadable' | 'kept'> | undefined,
  folders: readonly NodeFolder[],
): Diagnostic[] {
  if (scan === undefined) return [];
  const missing = missedFolders(scan, folders)
    .filter((folder) => !scan.unreadable.has(folder))
    .map((folder) => {
      const message = `the node folder "${folder}" is missing; make it, or change "folders" in toolgraph.config.json`;
      return scanProblem(folder, message);
    });
  return [...missing, ...scan.unreadable.values()];
}
