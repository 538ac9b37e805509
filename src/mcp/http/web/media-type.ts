import { parseAccept } from 'hono/utils/accept';

/**
 * Which of the offered media types an Accept header prefers (RFC 9110 §12.5.1): the highest q-value, where that of the most specific range
 * that covers a type is its own; then the type that is named more specifically; then the first in the offer. Without a header it is the first.
 * Undefined: none is acceptable. Types are in lower case, without parameters.
 */
export function preferredType<T extends string>(accept: string | undefined, offered: readonly T[]): T | undefined {
  const ranges = parseAccept(accept ?? '').map(({ type, q }) => ({ type: type.toLowerCase(), q }));
  if (ranges.length === 0) return offered[0];
  let best: { readonly type: T; readonly q: number; readonly rank: number } | undefined;
  for (const type of offered) {
    const covering = ranges.map((range) => ({ type, q: range.q, rank: specificity(range.type, type) }));
    const own = covering.reduce((a, b) => (b.rank > a.rank ? b : a));
    if (own.rank === 0 || own.q === 0) continue;
    if (best === undefined || own.q > best.q || (own.q === best.q && own.rank > best.rank)) best = own;
  }
  return best?.type;
}

/** 0 when the range does not cover the type. */
function specificity(range: string, type: string): 0 | 1 | 2 | 3 {
  if (range === type) return 3;
  if (range === `${type.slice(0, type.indexOf('/'))}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}
