import { maxPatternLength } from './argv-proof.js';
import { PatternThread } from './pattern-thread.js';
import type { PatternVerdict } from './verdict.js';

export interface AnalyseOptions {
  /** Is told of each verdict as it is reached, so that none is lost when the process ends before the last. */
  readonly onVerdict?: (pattern: string, verdict: PatternVerdict) => void;
  /** Ends the analysis: what is left then is `provisional`. */
  readonly signal?: AbortSignal;
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
  { onVerdict, signal, timeoutMs = 30_000, totalMs = 300_000, maxPatterns = 5000 }: AnalyseOptions = {},
): Promise<Map<string, PatternVerdict>> {
  const verdicts = new Map<string, PatternVerdict>();
  const thread = new PatternThread(timeoutMs);
  const end = performance.now() + totalMs;
  let analysed = 0;
  const reach = async (source: string): Promise<PatternVerdict> => {
    if (source.length > maxPatternLength) return undecided(`it is longer than ${maxPatternLength} characters`);
    if (analysed >= maxPatterns) return undecided(`there are more than ${maxPatterns} patterns`);
    if (signal?.aborted) return { ...undecided('the analysis was ended'), provisional: true };
    if (performance.now() >= end) {
      return { ...undecided(`the patterns before it took more than ${totalMs} ms`), provisional: true };
    }
    analysed += 1;
    return thread.analyse(source);
  };
  const abort = (): void => void thread.end();
  signal?.addEventListener('abort', abort);
  try {
    for (const source of [...new Set(sources)].sort()) {
      const verdict = await reach(source);
      verdicts.set(source, verdict);
      onVerdict?.(source, verdict);
    }
    return verdicts;
  } finally {
    signal?.removeEventListener('abort', abort);
    await thread.end();
  }
}

function undecided(why: string): PatternVerdict {
  return { time: 'undecided', argv: { kind: 'undecided', why } };
}
