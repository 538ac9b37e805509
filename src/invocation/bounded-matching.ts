/** What a string is matched with. */
export interface Matcher {
  /** In words, such as `the pattern "^a+$"`. */
  readonly told: string;
  /** It is known to take linear time. */
  readonly isLinear: boolean;
  readonly matches: (text: string) => boolean;
}

/** Longest string, in code points, that is matched with what may take quadratic time: 20 to 90 ms at worst. */
export const quadraticLengthLimit = 4096;
/** Of all strings in one value together: the sum of the squares of their lengths. */
export const quadraticStepsLimit = 8 * quadraticLengthLimit ** 2;

const remedy = 'give its type a maxLength, or a pattern that takes linear time';

/** A string was not matched, because that could take too long. The message is to be read after the path of the string. */
export class Unmatched extends Error {
  readonly text: string;

  constructor(text: string, message: string) {
    super(message);
    this.text = text;
  }
}

/** Matches the strings of one value after the other, within a bound on the time of all (DESIGN decision 16). */
export class BoundedMatching {
  #steps = 0;

  /** Before each value. */
  begin(): void {
    this.#steps = 0;
  }

  /** Whether a string matches. Throws `Unmatched` for one that is too long, for what may take quadratic time or for the engine. */
  matches({ told, isLinear, matches }: Matcher, text: string): boolean {
    if (!isLinear) this.#count(told, text);
    try {
      return matches(text);
    } catch (error) {
      // V8 remembers each way back that it may take, and gives up at 64 MiB of these.
      if (!(error instanceof RangeError)) throw error;
      const fault = `has ${text.length} characters, which is more than the engine can match with ${told}`;
      throw new Unmatched(text, `${fault}; shorten it, or ${remedy}`);
    }
  }

  #count(told: string, text: string): void {
    // A longer string has more code points, whatever they are. JSON Schema counts these (maxLength), and so does flag u.
    const length = text.length > 2 * quadraticLengthLimit ? text.length : [...text].length;
    const tried = `${told}, which may take quadratic time, is tried on`;
    if (length > quadraticLengthLimit) {
      const fault = `has ${length} characters; ${tried} at most ${quadraticLengthLimit}`;
      throw new Unmatched(text, `${fault}. Shorten it, or ${remedy}`);
    }
    this.#steps += length ** 2;
    if (this.#steps > quadraticStepsLimit) {
      const fault = `is one string too many: ${tried} strings whose squared lengths add up to ${quadraticStepsLimit}`;
      throw new Unmatched(text, `${fault}. Give fewer or shorter ones, or ${remedy}`);
    }
  }
}
