import { definitionKey } from '../../../schemas/declaration.js';
import type { Diagnostic } from '../../diagnostic.js';
import { differingEntries } from '../../projection/entry-map.js';
import type { Entry, Generation, Omission } from '../../projection/generation.js';
import { visible } from '../../visible.js';
import { omissionLine, problemLine } from './generation.js';
import { count, listNames } from './style.js';

/** What two generations differ in, as a person wants to hear it. */
interface GenerationDiff {
  /** MCP names. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Served as they were, as their nodes became problems. */
  readonly kept: readonly string[];
  /** They were kept, and their nodes, cured, say the same again. */
  readonly restored: readonly string[];
  readonly newOmissions: readonly Omission[];
  readonly newProblems: readonly Diagnostic[];
  readonly curedProblems: readonly Diagnostic[];
}

/** A line that says what changed, then one line for each new omission and each new problem. */
export function printChange(previous: Generation, generation: Generation): string[] {
  const diff = compareGenerations(previous, generation);
  return [
    `toolgraph: generation ${generation.number}: ${changeWords(diff)}`,
    ...diff.newOmissions.map(omissionLine),
    ...diff.newProblems.map(problemLine),
  ];
}

function compareGenerations(previous: Generation, generation: Generation): GenerationDiff {
  const { gone, added } = differingEntries(previous.entries, generation.entries);
  const before = new Map(gone.map((entry) => [entry.name, entry]));
  const both = added.filter(({ name }) => before.has(name));
  const same = both.filter((entry) => isSame(before.get(entry.name), entry));
  const wasKept = ({ name }: Entry) => before.get(name)?.lastGood === true;
  return {
    added: namesOf(added.filter(({ name }) => !before.has(name))),
    removed: namesOf(gone.filter(({ name }) => !generation.entries.has(name))),
    changed: namesOf(both.filter((entry) => !isSame(before.get(entry.name), entry))),
    kept: namesOf(same.filter((entry) => entry.lastGood === true && !wasKept(entry))),
    restored: namesOf(same.filter((entry) => entry.lastGood !== true && wasKept(entry))),
    newOmissions: notIn(previous.omissions, generation.omissions, ({ iri, code, reason }) => [iri, code, reason]),
    newProblems: notIn(previous.problems, generation.problems, problemKey),
    curedProblems: notIn(generation.problems, previous.problems, problemKey),
  };
}

function changeWords(diff: GenerationDiff): string {
  const { added, removed, changed, kept, restored, newOmissions, newProblems, curedProblems } = diff;
  const words = [
    ...nameWords('added', added),
    ...nameWords('removed', removed),
    ...nameWords('changed', changed),
    ...nameWords('kept the last good', kept),
    ...nameWords('restored', restored),
    ...(newOmissions.length > 0 ? [count(newOmissions.length, 'new omission')] : []),
    ...(newProblems.length > 0 ? [count(newProblems.length, 'new problem')] : []),
    ...(curedProblems.length > 0 ? [`${count(curedProblems.length, 'problem')} cured`] : []),
  ];
  return words.length === 0 ? 'the tools are the same' : words.join('; ');
}

function nameWords(word: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${word} ${listNames(names.map(visible))}`];
}

/** The definition digest covers the declaration and what will run (P17). */
function isSame(before: Entry | undefined, entry: Entry): boolean {
  return before?.declaration._meta[definitionKey] === entry.declaration._meta[definitionKey];
}

function namesOf(entries: readonly Entry[]): string[] {
  return entries.map(({ name }) => name);
}

/** Lines and columns are not in the key: a problem that moved is the same problem. */
function problemKey({ code, message, document, pointer, subject }: Diagnostic): unknown[] {
  return [code, message, document, pointer, subject];
}

function notIn<T>(others: readonly T[], items: readonly T[], keyOf: (item: T) => unknown[]): T[] {
  const kept = new Set(others);
  const fresh = items.filter((item) => !kept.has(item));
  if (fresh.length === 0) return [];
  const known = new Set(others.map((item) => JSON.stringify(keyOf(item))));
  return fresh.filter((item) => !known.has(JSON.stringify(keyOf(item))));
}
