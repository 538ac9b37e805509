import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';

/** Each problem once, sorted by document, pointer, code and message. */
export function sortedProblems(problems: Iterable<Diagnostic>): Diagnostic[] {
  const keyed = Array.from(problems, (found) => ({ found, key: keyOf(found) }));
  const unique = [...new Map(keyed.map((item) => [item.key, item])).values()];
  unique.sort(({ found: a, key: keyA }, { found: b, key: keyB }) => {
    const byPlace = byCodeUnits(a.document ?? '', b.document ?? '') || byCodeUnits(a.pointer ?? '', b.pointer ?? '');
    return byPlace || byCodeUnits(a.code, b.code) || byCodeUnits(a.message, b.message) || byCodeUnits(keyA, keyB);
  });
  return unique.map(({ found }) => found);
}

const keys = new WeakMap<Diagnostic, string>();

function keyOf(found: Diagnostic): string {
  const key = keys.get(found) ?? JSON.stringify(Object.entries(found).sort());
  keys.set(found, key);
  return key;
}
