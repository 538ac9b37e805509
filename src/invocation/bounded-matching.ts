import { type CheckBudget, Unchecked } from './check-budget.js';

/** What a string is matched with. */
export interface Matcher {
  /** In words, such as `the pattern "^a+$"`. */
  readonly told: string;
  /** It is known to take linear time. */
  readonly isLinear: boolean;
  /** Steps of a try, and of each UTF-16 code unit where it takes linear time. */
  readonly cost: { readonly try: number; readonly unit: number };
  readonly matches: (text: string) => boolean;
}

/** Longest string, in code points, that is matched with what may take quadratic time: 20 to 90 ms at worst. */
export const quadraticLengthLimit = 4096;

const remedy = 'give its type a maxLength, or a pattern that takes linear time';

/** Matches the strings of one value after the other, within a bound on the time of all (DESIGN decision 16). */
export class BoundedMatching {
  readonly #budget: CheckBudget;

  constructor(budget: CheckBudget) {
    this.#budget = budget;
  }

  /** Whether a string matches. Throws `Unchecked` for one that is too long, for what may take quadratic time or for the engine. */
  matches({ told, isLinear, cost, matches }: Matcher, text: string): boolean {
    const steps = isLinear ? cost.unit * text.length : quadraticSteps(told, text);
    this.#budget.spend(cost.try + steps, told, text);
    try {
      return matches(text);
    } catch (error) {
      // V8 remembers each way back that it may take, and gives up at 64 MiB of these.
      if (!(error instanceof RangeError)) throw error;
      const fault = `has ${text.length} characters, which is more than the engine can match with ${told}`;
      throw new Unchecked(`${fault}; shorten it, or ${remedy}`, text);
    }
  }
}

/** Half the square of the length: a step of a pattern takes less time than another. */
function quadraticSteps(told: string, text: string): number {
  // A longer string has more code points, whatever they are. JSON Schema counts these (maxLength), and so does flag u.
  const length = text.length > 2 * quadraticLengthLimit ? text.length : [...text].length;
  if (length <= quadraticLengthLimit) return length ** 2 / 2;
  const tried = `${told}, which may take quadratic time, is tried on at most ${quadraticLengthLimit}`;
  throw new Unchecked(`has ${length} characters; ${tried}. Shorten it, or ${remedy}`, text);
}
