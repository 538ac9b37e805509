/** How many there are of each code, in the order in which the codes come first. */
export function countByCode(found: readonly { readonly code: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
