import { hash } from 'node:crypto';
import { byCodeUnits } from '../../code-units.js';
import type { ResultTerm } from '../../store/query/graph-query.js';

/** A triple of which subject or object may be a blank node. */
export interface BlankTriple {
  readonly subject: ResultTerm;
  readonly predicate: string;
  readonly object: ResultTerm;
}

/** A term as a key: `colour` gives what a blank node is called. */
export function termKey(term: ResultTerm | undefined, colour: (name: string) => string): readonly string[] {
  if (term === undefined) return [];
  if (term.termType === 'BlankNode') return ['_', colour(term.value)];
  if (term.termType === 'NamedNode') return ['<', term.value];
  return ['"', term.value, term.datatype.value, term.language];
}

/**
 * A text for each blank node that depends on what is said of it and on nothing else, never on its label: those of one text are alike in all
 * that the triples say, nearly always. It is the refinement of a partition (Hopcroft): the largest part of a class keeps its colour, so that
 * a node is looked at again only when others beside it were told apart, and a long chain takes no time to the square of its length.
 */
export function blankColours(triples: readonly BlankTriple[]): ReadonlyMap<string, string> {
  const said = saidOfBlanks(triples);
  const colours = new Map(Array.from(said.keys(), (name) => [name, '']));
  const sizes = new Map([['', said.size]]);
  const colour = (name: string) => colours.get(name) ?? '';
  let pending = new Set(said.keys());
  for (let round = 0; pending.size > 0; round += 1) {
    const news = new Map(
      Array.from(pending, (name) => [name, colourOf(round, name, said.get(name) ?? [], colour)] as const),
    );
    const changed = new Set<string>();
    for (const [old, parts] of partsOf(news, colour)) {
      const rest = (sizes.get(old) ?? 0) - parts.reduce((sum, { names }) => sum + names.length, 0);
      const [largest] = parts.toSorted((a, b) => b.names.length - a.names.length || byCodeUnits(a.to, b.to));
      // Those that were not looked at keep the colour, where there are any: they are alike.
      const kept = rest > 0 ? undefined : largest;
      for (const part of parts) {
        if (part === kept) continue;
        sizes.set(old, (sizes.get(old) ?? 0) - part.names.length);
        sizes.set(part.to, part.names.length);
        for (const name of part.names) {
          colours.set(name, part.to);
          changed.add(name);
        }
      }
    }
    pending = new Set([...changed].flatMap((name) => (said.get(name) ?? []).flatMap((one) => othersIn(one, name))));
  }
  return colours;
}

/** By name of a blank node, the triples in which it is. */
function saidOfBlanks(triples: readonly BlankTriple[]): ReadonlyMap<string, BlankTriple[]> {
  const said = new Map<string, BlankTriple[]>();
  for (const triple of triples) {
    for (const name of new Set(blanksIn(triple))) {
      const known = said.get(name);
      if (known === undefined) said.set(name, [triple]);
      else known.push(triple);
    }
  }
  return said;
}

function blanksIn({ subject, object }: BlankTriple): string[] {
  return [subject, object].flatMap(({ termType, value }) => (termType === 'BlankNode' ? [value] : []));
}

function othersIn(triple: BlankTriple, name: string): string[] {
  return blanksIn(triple).filter((one) => one !== name);
}

function colourOf(round: number, name: string, said: readonly BlankTriple[], colour: (name: string) => string): string {
  const seen = (one: string) => (one === name ? 'itself' : colour(one));
  const words = said.map(({ subject, predicate, object }) =>
    JSON.stringify([termKey(subject, seen), predicate, termKey(object, seen)]),
  );
  return hash('sha256', [round, colour(name), ...words.sort(byCodeUnits)].join('\n'), 'hex');
}

/** By old colour, the parts into which its nodes fall. */
function partsOf(
  news: ReadonlyMap<string, string>,
  colour: (name: string) => string,
): ReadonlyMap<string, readonly { readonly to: string; readonly names: string[] }[]> {
  const found = new Map<string, Map<string, string[]>>();
  for (const [name, to] of news) {
    const old = colour(name);
    const parts = found.get(old) ?? new Map<string, string[]>();
    found.set(old, parts);
    const names = parts.get(to);
    if (names === undefined) parts.set(to, [name]);
    else names.push(name);
  }
  return new Map(
    Array.from(found, ([old, parts]) => [old, Array.from(parts, ([to, names]) => ({ to, names }))] as const),
  );
}
