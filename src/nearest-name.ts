import { distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely stands for: at most a third of its letters differ, or one of a shorter name. */
export function nearestName(mistyped: string, known: Iterable<string>): string | undefined {
  return nearestNames(mistyped, known, 1)[0];
}

/** As `nearestName`, the most likely first, and no more than `most`. */
export function nearestNames(mistyped: string, known: Iterable<string>, most: number): string[] {
  if (mistyped.length > 64) return [];
  return [...new Set(known)]
    .sort()
    .map((name) => ({ name, edits: editsBetween(mistyped.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits < name.length && edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, most)
    .map(({ name }) => name);
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
