import { maxPatternLength } from './argv-proof.js';
import { PatternThread } from './pattern-thread.js';
import type { PatternVerdict, PatternVerdicts } from './verdict.js';

export interface AnalyseOptions {
  /** Verdicts of an earlier analysis: these patterns are not analysed again. */
  readonly known?: PatternVerdicts;
  /** For one pattern, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
  /** For all patterns together, in milliseconds; those that are left then are not analysed. @default 300000 */
  readonly totalMs?: number;
  /** More patterns than this are not analysed. @default 5000 */
  readonly maxPatterns?: number;
}

/**
 * The verdict on each of the patterns (DESIGN decisions 7 and 16), in a thread of its own that starts when the first pattern
 * needs it and has ended when this returns. A pattern that is too long, one too many, or not done in time is `undecided`; the
 * last of these is also `provisional`. Never rejects because of a pattern.
 */
export async function analysePatterns(
  sources: Iterable<string>,
  { known = new Map(), timeoutMs = 30_000, totalMs = 300_000, maxPatterns = 5000 }: AnalyseOptions = {},
): Promise<Map<string, PatternVerdict>> {
  const verdicts = new Map<string, PatternVerdict>();
  const thread = new PatternThread(timeoutMs);
  const end = performance.now() + totalMs;
  let analysed = 0;
  try {
    for (const source of [...new Set(sources)].sort()) {
      const found = known.get(source);
      if (found !== undefined) verdicts.set(source, found);
      else if (source.length > maxPatternLength) {
        verdicts.set(source, undecided(`it is longer than ${maxPatternLength} characters`));
      } else if (analysed >= maxPatterns) {
        verdicts.set(source, undecided(`there are more than ${maxPatterns} patterns`));
      } else if (performance.now() >= end) {
        const why = `the patterns before it took more than ${totalMs} ms`;
        verdicts.set(source, { ...undecided(why), provisional: true });
      } else {
        analysed += 1;
        verdicts.set(source, await thread.analyse(source));
      }
    }
    return verdicts;
  } finally {
    await thread.end();
  }
}

function undecided(why: string): PatternVerdict {
  return { time: 'undecided', argv: { kind: 'undecided', why } };
}
