/**
 * Whether an If-None-Match header has the entity tag, or is `*` (RFC 9110 §13.1.2, weak comparison). The tags of toolgraph hold no comma and
 * no quote.
 */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}
