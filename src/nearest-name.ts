import { distance } from 'fastest-levenshtein';

/** The known name that a mistyped one most likely stands for: at most a third of its letters differ. */
export function nearestName(mistyped: string, known: Iterable<string>): string | undefined {
  if (mistyped.length > 64) return undefined;
  let best: { name: string; edits: number } | undefined;
  for (const name of [...known].sort()) {
    const edits = distance(mistyped.toLowerCase(), name.toLowerCase());
    if (edits <= Math.max(1, Math.floor(name.length / 3)) && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) {
      best = { name, edits };
    }
  }
  return best?.name;
}
