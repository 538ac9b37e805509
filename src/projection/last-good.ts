import type { Diagnostic } from '../diagnostic.js';
import type { Entry, Projection } from './generation.js';

/** What is known of the nodes that have no determinable state now. */
export interface Undetermined {
  /** IRIs that are projected or omitted now: nothing of them is kept. */
  readonly determined: ReadonlySet<string>;
  /** Documents that hold a Tool now, whatever its state. */
  readonly documents: ReadonlySet<string>;
  readonly problems: readonly Diagnostic[];
  /** Nodes that are in a document but could not be read: their IRIs, or `all` when that itself is unknown. */
  readonly broken: ReadonlyMap<string, readonly string[] | 'all'>;
}

/**
 * The entries of the generation before that stay (DESIGN decision 3): those whose node is still there and is a problem now. A
 * node is still there when a problem is about it, or its document says that it, or everything in it, could not be read; so a
 * deleted node, or a deleted document, keeps nothing.
 */
export function lastGoodEntries(previous: Projection | undefined, now: Undetermined): Entry[] {
  if (previous === undefined) return [];
  const { determined, documents, problems, broken } = now;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const subjects = new Set(errors.flatMap(({ subject }) => subject ?? []));
  for (const iris of broken.values()) if (iris !== 'all') for (const iri of iris) subjects.add(iri);
  // A document that tells only that it has a problem, and not of which node.
  const unclear = new Set(
    errors.flatMap(({ document, subject }) => (document === undefined || subject !== undefined ? [] : [document])),
  );
  const isUnreadable = (document: string): boolean => {
    const unread = broken.get(document);
    return unread === undefined ? unclear.has(document) && !documents.has(document) : unread === 'all';
  };
  return [...previous.entries.values()]
    .filter(({ iri, document }) => !determined.has(iri) && (subjects.has(iri) || isUnreadable(document)))
    .map((entry) => ({ ...entry, lastGood: true }));
}
