import type { MatchTime } from './verdict.js';

/**
 * How long a search for the pattern can take (DESIGN decision 16). Runs in the worker, whose environment says that recheck has to use its backend `pure`. The bounds count
 * characters, not milliseconds, so that the verdict does not depend on the load of the machine.
 */
export async function matchTime(pattern: string): Promise<MatchTime> {
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
  // That an attack was looked for and not found proves nothing.
  if (result.status === 'safe') return result.complexity.isFuzz ? 'quadratic' : 'linear';
  if (result.status === 'unknown') return 'undecided';
  const { complexity } = result;
  if (complexity.type === 'exponential') return 'exponential';
  return complexity.degree <= 2 ? 'quadratic' : 'polynomial';
}
