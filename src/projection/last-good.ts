/** What is served of one node. */
interface Served {
  readonly iri: string;
  readonly document: string;
  readonly lastGood?: true;
}

/** What is known of the nodes of an entry that have no determinable state now. */
export interface Undetermined {
  /** IRIs that are projected or omitted now: nothing of them is kept. */
  readonly determined: ReadonlySet<string>;
  /** Whether an error is about the node with this IRI, or its document tells that it could not be read. */
  isAtFault(iri: string): boolean;
  /** Whether the document is there and it is not known what is in it. */
  isUnreadable(document: string): boolean;
}

/**
 * The entries of the generation before that stay (DESIGN decision 3): those whose node is still there and is a problem now. A
 * node is still there when a problem is about it, or its document says that it, or everything in it, could not be read; so a
 * deleted node, or a deleted document, keeps nothing.
 */
export function lastGoodEntries<E extends Served>(
  before: readonly E[],
  { determined, isAtFault, isUnreadable }: Undetermined,
): E[] {
  return before
    .filter(({ iri, document }) => !determined.has(iri) && (isAtFault(iri) || isUnreadable(document)))
    .map((entry) => (entry.lastGood === true ? entry : { ...entry, lastGood: true }));
}
