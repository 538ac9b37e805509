import { type Diagnostic, problem } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';

/** Names that would be one file where a file system does not tell upper from lower case, beside what `check` finds. Pure. */
export function sameFileNames({ entries }: Generation): Diagnostic[] {
  const byFile = new Map<string, string>();
  return [...entries.values()].flatMap(({ name, iri, document }) => {
    const other = byFile.get(name.toLowerCase());
    byFile.set(name.toLowerCase(), name);
    if (other === undefined) return [];
    const message = `${name} and ${other} would be one file where case is not told apart; change one of the ids`;
    return [problem('name-collision', message, { document, subject: iri })];
  });
}
