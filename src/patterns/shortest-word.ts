import type { CharSet, NFA } from 'refa';

type State = NFA.ReadonlyNode;

/** Characters of a counterexample in order of preference: plain ones, then those that a shell acts on, the most telling first. */
const preferred = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ;$|&><`*?()!#~{}[]\\\'" -_./:@=,+%^';

/**
 * A shortest string of the language, and of these the first by `preferred`, position by position; other characters come after
 * it by code point. `undefined` when the language is empty.
 */
export function shortestWord(language: NFA): string | undefined {
  const distances = distancesToFinal(language.finals);
  let remaining = distances.get(language.initial);
  if (remaining === undefined) return undefined;
  let states = new Set<State>([language.initial]);
  let word = '';
  while (remaining > 0) {
    remaining -= 1;
    const steps = [...states].flatMap((state) => [...state.out].filter(([to]) => distances.get(to) === remaining));
    const character = bestCharacter(steps.map(([, characters]) => characters));
    states = new Set(steps.flatMap(([to, characters]) => (characters.has(character) ? [to] : [])));
    word += String.fromCodePoint(character);
  }
  return word;
}

function distancesToFinal(finals: Iterable<State>): Map<State, number> {
  const distances = new Map<State, number>();
  let layer = [...finals];
  for (let distance = 0; layer.length > 0; distance += 1) {
    const next: State[] = [];
    for (const state of layer) {
      if (distances.has(state)) continue;
      distances.set(state, distance);
      next.push(...state.in.keys());
    }
    layer = next;
  }
  return distances;
}

function bestCharacter(sets: readonly CharSet[]): number {
  for (const character of preferred) {
    const code = character.codePointAt(0) ?? 0;
    if (sets.some((set) => set.has(code))) return code;
  }
  return Math.min(...sets.flatMap(({ ranges }) => ranges.slice(0, 1).map(({ min }) => min)));
}
