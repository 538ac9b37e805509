import { distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely stands for: at most a third of its letters differ. */
export function nearestName(mistyped: string, known: Iterable<string>): string | undefined {
  if (mistyped.length > 64) return undefined;
  let best: { name: string; edits: number } | undefined;
  for (const name of [...known].sort()) {
    const edits = editsBetween(mistyped.toLowerCase(), name.toLowerCase());
    if (edits <= Math.max(1, Math.floor(name.length / 3)) && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) {
      best = { name, edits };
    }
  }
  return best?.name;
}

/** Levenshtein, but two neighbouring letters in each other's place are one slip of the fingers, not two. */
function editsBetween(mistyped: string, name: string): number {
  const at = [...mistyped].findIndex((_, i) => mistyped[i] !== name[i]);
  const swapped =
    mistyped.slice(0, at) +
    mistyped
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    mistyped.slice(at + 2);
  return at >= 0 && swapped === name ? 1 : distance(mistyped, name);
}
