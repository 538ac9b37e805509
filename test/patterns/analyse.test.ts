import { describe, expect, it } from 'vitest';
import { analysePatterns } from '../../src/patterns/analyse.js';
import { maxPatternLength } from '../../src/patterns/argv-proof.js';
import type { PatternVerdict } from '../../src/patterns/verdict.js';

const times: readonly (readonly [pattern: string, time: PatternVerdict['time']])[] = [
  ['^[a-z0-9-]+$', 'linear'],
  ['^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'linear'],
  ['[0-9]{4}-[0-9]{2}', 'linear'],
  ['^a*a*$', 'quadratic'],
  ['a+$', 'quadratic'],
  ['^(?!-)(?!.*\\.\\.)[A-Za-z0-9._/-]+$', 'quadratic'],
  ['^a{1,1000}$', 'quadratic'],
  ['^(a+)+$', 'exponential'],
  ['^(\\w+\\s?)*$', 'exponential'],
  ['^(?=a)(a|a)*$', 'exponential'],
  ['^(?:a?){30}a{30}$', 'exponential'],
  ['^a*a*a*$', 'polynomial'],
  ['.*.*.*=.*', 'polynomial'],
  ['(', 'undecided'],
];

/** Several seconds in automata alone: the bound of the test ends it long before. */
const slow = `^${'(?!(?:a|b)*a(?:a|b){13}c)'.repeat(4)}[ab]*$`;

describe('analysePatterns', () => {
  it('P13: finds exponential patterns, polynomial ones of degree 3 and more, and those that are not proved linear', async () => {
    const verdicts = await analysePatterns(times.map(([pattern]) => pattern));
    expect(Array.from(verdicts, ([pattern, { time }]) => [pattern, time]).sort()).toEqual(
      times.map(([pattern, time]) => [pattern, time]).sort(),
    );
  });

  it('gives both verdicts on each pattern, and each pattern once', async () => {
    const verdicts = await analysePatterns(['^[a-z]+$', '^.+$', '^[a-z]+$']);
    expect([...verdicts]).toEqual([
      ['^.+$', { time: 'linear', argv: { kind: 'unsafe', counterexample: ';' } }],
      ['^[a-z]+$', { time: 'linear', argv: { kind: 'safe' } }],
    ]);
  });

  it('ends an analysis that takes too long, and goes on with the next pattern', async () => {
    const verdicts = await analysePatterns([slow, 'a$'], { timeoutMs: 500 });
    const why = expect.stringContaining('500 ms');
    expect(verdicts.get(slow)).toEqual({ time: 'undecided', argv: { kind: 'undecided', why }, provisional: true });
    expect(verdicts.get('a$')?.argv.kind).toBe('unsafe');
  });

  it('does not go on for longer than it may in all', async () => {
    const verdicts = await analysePatterns(['^a$'], { totalMs: 0 });
    const why = 'the patterns before it took more than 0 ms';
    expect(verdicts.get('^a$')).toEqual({ time: 'undecided', argv: { kind: 'undecided', why }, provisional: true });
  });

  it('does not analyse what is too long, or one too many', async () => {
    const long = 'a'.repeat(maxPatternLength + 1);
    const verdicts = await analysePatterns(['^b$', '^c$', long], { maxPatterns: 1 });
    expect(verdicts.get('^b$')).toEqual({ time: 'linear', argv: { kind: 'safe' } });
    expect(verdicts.get('^c$')).toEqual({
      time: 'undecided',
      argv: { kind: 'undecided', why: 'there are more than 1 patterns' },
    });
    expect(verdicts.get(long)?.argv).toEqual({
      kind: 'undecided',
      why: `it is longer than ${maxPatternLength} characters`,
    });
  });

  it('tells of each verdict as it is reached, and ends when it is told to', async () => {
    const ending = new AbortController();
    const told: string[] = [];
    const verdicts = await analysePatterns(['^a$', '^b$', '^c$'], {
      signal: ending.signal,
      onVerdict: (pattern, { provisional }) => {
        told.push(`${pattern} ${provisional === true ? 'provisional' : 'final'}`);
        ending.abort();
      },
    });
    expect(told).toEqual(['^a$ final', '^b$ provisional', '^c$ provisional']);
    expect(verdicts.size).toBe(3);
  });

  it('has ended its thread when it returns', async () => {
    const threads = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
    const before = threads();
    await analysePatterns(['^a$']);
    expect(threads()).toBe(before);
  });

  it('gives the same verdicts each time', async () => {
    const patterns = ['^(?=.*\\d)[a-z0-9]{1,40}$', '^(?!b)a*a*b$'];
    expect(await analysePatterns(patterns)).toEqual(await analysePatterns(patterns));
  });
});
