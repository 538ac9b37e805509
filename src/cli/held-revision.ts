import { readRevisions } from '../store/provenance/revision-reader.js';
import { stateFolders } from '../store/state-folder.js';

/** Since when a node is as it is. */
export interface HeldRevision {
  /** ISO 8601, in UTC. */
  readonly since: string;
  /** A commit that has the document with these bytes, where one is known. */
  readonly commit?: string;
}

/** What the history has of a Tool whose node has this digest; undefined where it has another, or none. Throws a StoreError. */
export function heldRevision(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
  { iri, revision }: { readonly iri: string; readonly revision?: string },
): HeldRevision | undefined {
  const [kept] = stateFolders(root, env).flatMap((folder) => readRevisions(folder, iri, 1)?.revisions ?? []);
  if (kept === undefined || kept.sha256 !== revision) return undefined;
  const { commit } = kept.document;
  return { since: kept.since, ...(commit === null ? {} : { commit }) };
}
