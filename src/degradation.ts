import { visible } from './visible.js';

/**
 * Why a service serves less, or later, than the folders say. `folder-missing`: a node folder is not there, and what is known of it is kept.
 * `unwatched`: changes are found late. `behind`: the last changes cannot be taken in, and the generation before them is served.
 * `instance-missing`: an included instance cannot be had.
 */
export interface Degradation {
  readonly code: 'folder-missing' | 'unwatched' | 'behind' | 'instance-missing';
  /** One line, without a path of the host. */
  readonly message: string;
}

/** How an instance is followed. */
export interface Following {
  /** As the config names them. */
  readonly missingFolders: readonly string[];
  readonly isWatched: boolean;
  readonly isBehind: boolean;
}

export function followingDegradations({ missingFolders, isWatched, isBehind }: Following): Degradation[] {
  const missing = missingFolders.map((folder): Degradation => {
    return {
      code: 'folder-missing',
      message: `the node folder "${visible(folder)}" is missing; what is known of it is kept`,
    };
  });
  const unwatched =
    'the node folders cannot be watched or looked at, so changes come late; stderr of the server says why';
  const behind =
    'the last changes cannot be taken in, so the generation before them is served; stderr of the server says why';
  return [
    ...missing,
    ...(isWatched ? [] : [{ code: 'unwatched', message: unwatched } as const]),
    ...(isBehind ? [{ code: 'behind', message: behind } as const] : []),
  ];
}
