import type { ListedTools } from '../protocol-era.js';
import type { ExpectedTool } from '../soak/node-file.js';
import { roundOf } from './load-instance.js';

/** A list with the bounds between which it has to lie: the round that was known to be served when it was asked for, and the last one that was written when it came. */
export interface ReceivedList extends ListedTools {
  readonly earliest: number;
  readonly latest: number;
}

/**
 * Judges each list that a client is given: it has to be exactly that of one round, no older than what was known when it was asked for, and the same
 * bytes whenever its generation is given to anybody.
 */
export class KnownLists {
  readonly #toolsOf: (round: number) => readonly ExpectedTool[];
  readonly #expected = new Map<number, string>();
  /** By the digest of a generation, the list that was given with it. */
  readonly #bytes = new Map<string, string>();

  /** `toolsOf` gives the tools of a round, in the order of the list. */
  constructor(toolsOf: (round: number) => readonly ExpectedTool[]) {
    this.#toolsOf = toolsOf;
  }

  /** What is wrong with a list, in words; undefined for one that is whole. */
  faultOf({ tools, generation, earliest, latest }: ReceivedList): string | undefined {
    const round = roundOf(tools);
    if (round === undefined) return `a list of ${tools.length} tools has none of those that change`;
    if (round < earliest || round > latest) {
      return `a list is of round ${round}, and one of ${earliest} to ${latest} had to be served`;
    }
    if (namesAndDescriptions(tools) !== this.#expectedOf(round)) return `a list is not that of its round ${round}`;
    const bytes = JSON.stringify(tools);
    const known = this.#bytes.get(generation.digest);
    if (known !== undefined && known !== bytes) return `generation ${generation.number} was given as two lists`;
    this.#bytes.set(generation.digest, bytes);
    return undefined;
  }

  #expectedOf(round: number): string {
    let expected = this.#expected.get(round);
    if (expected === undefined) {
      expected = namesAndDescriptions(this.#toolsOf(round));
      this.#expected.set(round, expected);
    }
    return expected;
  }
}

function namesAndDescriptions(tools: readonly ExpectedTool[]): string {
  return tools.map(({ name, description }) => `${name}\t${description}`).join('\n');
}
