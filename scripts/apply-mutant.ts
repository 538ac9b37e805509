import type { Mutant } from './mutants-table.js';

/** The changed source, or why the mutant does not fit the source any more. Pure. */
export function applyMutant(source: string, mutant: Mutant): { source: string } | { why: string } {
  const { find, replace, file } = mutant;
  if (find.includes('\n') || replace.includes('\n')) return { why: 'find and replace are parts of one line' };
  if (find === replace) return { why: 'it changes nothing' };
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined) return { why: `its line no longer occurs in ${file}` };
  if (more.length > 0) return { why: `its line occurs ${more.length + 1} times in ${file}` };
  return { source: before + replace + after };
}
