import type { PatternVerdict } from './verdict.js';

/**
 * How long a search for the pattern can take (DESIGN decision 16): a polynomial of degree 2 is still `safe`, one of degree 3 and
 * more is not. Runs in the worker, whose environment says that recheck has to use its backend `pure`. The bounds count
 * characters, not milliseconds, so that the verdict does not depend on the load of the machine.
 */
export async function matchTime(pattern: string): Promise<PatternVerdict['time']> {
  const { check } = await import('recheck');
  const result = await check(pattern, 'u', {
    randomSeed: 0,
    timeout: null,
    attackTimeout: null,
    incubationTimeout: null,
    // A negative value: the attack string is not tried on the engine that runs this.
    recallTimeout: -1,
    attackLimit: 3_000_000,
    maxIteration: 5,
  });
  if (result.status === 'safe') return 'safe';
  if (result.status === 'unknown') return 'undecided';
  const { complexity } = result;
  if (complexity.type === 'exponential') return 'exponential';
  return complexity.degree <= 2 ? 'safe' : 'polynomial';
}
