import { killGroup } from './process-group.js';
import { processIdentity } from './process-identity.js';
import { listProcesses } from './process-list.js';

/** A process that leads a group of its own, as it was noted when it was started. */
export interface NotedLeader {
  readonly pid: number;
  /** `processIdentity` of it. */
  readonly identity: string;
}

/** What became of the group of a leader whose server has gone. */
export type LeftoverEnd =
  /** Nothing of it is left. */
  | { readonly kind: 'gone' }
  /** It ran and was ended; `survivors` are the ids of what KILL did not reach. */
  | { readonly kind: 'ended'; readonly survivors: readonly number[] }
  /** The leader has gone; these processes have its group, but another one may have had the same id since: they are left alone. */
  | { readonly kind: 'uncertain'; readonly members: readonly number[] };

/** Ends the group that a call of a server left behind, if its leader is certain to be the one that was noted (X5). */
export async function endLeftover({ pid, identity }: NotedLeader): Promise<LeftoverEnd> {
  // 0 and 1 mean other groups to kill(2), and so do ids that are none.
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid) return { kind: 'gone' };
  const group = (await listProcesses()).filter((line) => line.group === pid);
  const members = group.map((line) => line.pid);
  if (members.length === 0) return { kind: 'gone' };
  const current = await processIdentity(pid);
  if (current === undefined) return { kind: 'uncertain', members };
  if (current !== identity) return { kind: 'gone' };
  return { kind: 'ended', survivors: await killGroup(pid, []) };
}
