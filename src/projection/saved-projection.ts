import { jcsDigest } from './digest.js';
import { EntryMap } from './entry-map.js';
import type { Entry, Projection } from './generation.js';
import { answerKinds, type HostFacts } from './host.js';
import type { ServedView } from './view-state.js';

/** A projection as text, and what it is the result of beside options and program. */
export interface SavedProjection {
  readonly head: string;
  /** UTF-8 JSON. */
  readonly entries: () => Uint8Array;
}

/** What a saved projection was made of, so that it is used only where a new one would be the same. */
export interface SavedBasis {
  /** `documentsDigest` of the documents. */
  readonly documents: string;
  readonly host: HostFacts;
}

interface Head extends Pick<Projection, 'omissions' | 'viewOmissions' | 'getStateTool' | 'digest' | 'listDigest'> {
  readonly views: readonly ServedView[];
  readonly documents: string;
  readonly host: Omit<HostFacts, Answers | 'failedModules'> & Record<Answers, [string, boolean][]>;
  readonly size: number;
}

type Answers = (typeof answerKinds)[number];

/**
 * Writes a projection down, or returns undefined for one that only this process may serve: with a problem it can depend on what was
 * served before (DESIGN decision 3), and a module that does not load may do so at the next start.
 */
export function saveProjection(projection: Projection, { documents, host }: SavedBasis): SavedProjection | undefined {
  const { entries, omissions, views, viewOmissions, getStateTool, problems, digest, listDigest } = projection;
  if (problems.length > 0 || (host.failedModules?.size ?? 0) > 0) return undefined;
  const facts = Object.fromEntries(answerKinds.map((kind) => [kind, [...host[kind]]])) as Record<
    Answers,
    [string, boolean][]
  >;
  const { failedModules: _none, ...stated } = host;
  const head: Head = {
    ...{ documents, host: { ...stated, ...facts }, size: entries.size, omissions, digest, listDigest },
    ...{ views: [...views.values()], viewOmissions },
    ...(getStateTool === true ? { getStateTool } : {}),
  };
  const text = () => new TextEncoder().encode(JSON.stringify([...entries.values()]));
  return { head: JSON.stringify(head), entries: text };
}

/** Reads what `saveProjection` wrote. The entries are decoded at first use. */
export function readProjection({ head, entries }: SavedProjection): { projection: Projection; basis: SavedBasis } {
  const { documents, host, size, views, ...told } = JSON.parse(head) as Head;
  const facts = Object.fromEntries(answerKinds.map((kind) => [kind, new Map(host[kind])])) as Record<
    Answers,
    Map<string, boolean>
  >;
  const decoded = EntryMap.later(size, () => JSON.parse(new TextDecoder().decode(entries())) as Entry[]);
  return {
    projection: { ...told, entries: decoded, views: new Map(views.map((view) => [view.id, view])), problems: [] },
    basis: { documents, host: { ...host, ...facts } },
  };
}

/** One text for the content of an instance: paths with the sha-256 of their bytes, in any order. */
export function documentsDigest(documents: Iterable<readonly [path: string, sha256: string]>): string {
  return jcsDigest(Array.from(documents, ([path, sha256]) => `${sha256} ${path}`).sort());
}
