import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPatternLength, proveArgv } from '../../src/patterns/argv-proof.js';
import { isShellActive } from '../../src/patterns/shell-active.js';
import type { ArgvVerdict } from '../../src/patterns/verdict.js';
import { randomAnchoredPattern, randomPattern } from './random-pattern.js';

const decided: readonly (readonly [pattern: string, verdict: 'safe' | 'empty' | `unsafe ${string}`])[] = [
  ['^[a-z]+$', 'safe'],
  ['^[a-z0-9][a-z0-9-]*$', 'safe'],
  ['^[A-Za-z0-9][A-Za-z0-9._-]*\\/[A-Za-z0-9][A-Za-z0-9._-]*$', 'safe'],
  ['^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$', 'safe'],
  ['^(\\d{1,4}[hdw]|\\d{4}-\\d{2}-\\d{2})$', 'safe'],
  ['^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', 'safe'],
  ['^(?!-)(?!.*\\.\\.)[\\w./-]{1,200}$', 'safe'],
  ['^(?=.*[a-z])(?=.*\\d)[a-z0-9]{8,}$', 'safe'],
  ['^\\p{L}+$', 'safe'],
  ['^$', 'safe'],
  ['^(?![^a-z])(?!.*[^a-z]).*$', 'safe'],
  ['^(?:a|b$|^c)$', 'safe'],
  ['^[^\\0-\\x7F]+$', 'safe'],
  // Not anchored, or not on each side of each alternative.
  ['', 'unsafe ;'],
  ['[a-z]', 'unsafe a;'],
  ['^[a-z]+', 'unsafe a;'],
  ['[a-z]+$', 'unsafe ;a'],
  ['^a|b$', 'unsafe a;'],
  ['^a$|^b', 'unsafe b;'],
  ['^(?:a|b)|c$', 'unsafe a;'],
  // What the classes hold.
  ['^.+$', 'unsafe ;'],
  ['^.{3}$', 'unsafe aa;'],
  ['^\\S+$', 'unsafe ;'],
  ['^[^;]*$', 'unsafe $'],
  ['^[\\w\\s]+$', 'unsafe  '],
  ['^\\w+ \\w+$', 'unsafe a a'],
  ['^[^/]+$', 'unsafe ;'],
  ['^https?:\\/\\/[^\\s"<>]+$', 'unsafe http://;'],
  ['^[!-/]$', 'unsafe $'],
  ['^a\\n?$', 'unsafe a\n'],
  ['^[\\0-\\x1f]$', 'unsafe \0'],
  ['^(?!-).*$', 'unsafe ;'],
  ['^(?=[a-z]).{2}$', 'unsafe a;'],
  ['^a(?!b)..$', 'unsafe aa;'],
  ['^\\u{1F600};$', 'unsafe \u{1F600};'],
  // No string at all.
  ['^a$b', 'empty'],
  ['a^', 'empty'],
  ['[]', 'empty'],
  ['^(?=a)b', 'empty'],
  ['^(?!a)a$', 'empty'],
  ['^(?!).*$', 'empty'],
  ['^[\\uD83D][\\uDE00]$', 'empty'],
];

const undecided = [
  '^(a)\\1$',
  '^(?<x>a)\\k<x>$',
  '(?<=a)b$',
  '^(?<!a)b$',
  '\\bfoo\\b',
  '^(?:(?!\\.\\.)[a-z.])+$',
  '^(^a)*$',
  '^a?^b$',
  '^a{100000}$',
  '^(?!(?:a|b)*a(?:a|b){18}$)[ab]*$',
  '(',
  '[a-',
  '\\-',
  '(?i:a)',
  `^${'a'.repeat(maxPatternLength)}$`,
  `${'('.repeat(900)}a${')'.repeat(900)}\\1`,
];

describe('The argv proof', () => {
  it.each(decided)('finds %j %s', async (pattern, verdict) => {
    expect(await proveArgv(pattern)).toEqual(
      verdict.startsWith('unsafe ')
        ? { kind: 'unsafe', counterexample: verdict.slice('unsafe '.length) }
        : expect.objectContaining({ kind: verdict }),
    );
  });

  it.each(undecided)('does not decide %j, and says why', async (pattern) => {
    const verdict = await proveArgv(pattern);
    expect(verdict).toEqual({ kind: 'undecided', why: expect.stringMatching(/./) });
  });

  it('agrees with a brute-force search on 500 random patterns', async () => {
    const patterns = [
      ...fc.sample(randomPattern, { seed: 20_250_101, numRuns: 250 }),
      ...fc.sample(randomAnchoredPattern, { seed: 20_250_102, numRuns: 250 }),
    ];
    const kinds: string[] = [];
    for (const pattern of patterns) {
      const verdict = await proveArgv(pattern);
      expect(disagreement(pattern, verdict)).toBeUndefined();
      kinds.push(verdict.kind);
    }
    const count = (kind: ArgvVerdict['kind']): number => kinds.filter((found) => found === kind).length;
    // The agreement means something only where each verdict occurs, and where few patterns are left undecided.
    expect(count('safe')).toBeGreaterThan(50);
    expect(count('unsafe')).toBeGreaterThan(200);
    expect(count('empty')).toBeGreaterThan(10);
    expect(count('undecided')).toBeLessThan(100);
  });

  it.each(decided)('agrees with a brute-force search on %j', async (pattern) => {
    expect(disagreement(pattern, await proveArgv(pattern))).toBeUndefined();
  });
});

/** What a safe pattern lets in that a command may take for an option, or for a path out of the folder. */
const admitted: readonly (readonly [
  pattern: string,
  optionLike: string | undefined,
  parentPath: string | undefined,
])[] = [
  ['^[a-z][a-z/.-]*$', undefined, 'a/..'],
  ['^[A-Za-z0-9._][A-Za-z0-9._/-]*$', undefined, '..'],
  ['^[a-z-]+$', '-', undefined],
  ['^-?[0-9]+$', '-0', undefined],
  ['^--[a-z]+$', '--a', undefined],
  ['^[a-z.]{3,}$', undefined, undefined],
  ['^(?:[a-z]+/)+\\.{2}$', undefined, 'a/..'],
  ['^(?!.*\\.\\.)[a-z./]+$', undefined, undefined],
  ['^https?://[a-z./]+$', undefined, undefined],
  ['^file:///[a-z.]+$', undefined, 'file:///..'],
  ['^(?:[a-z]+:)?//?[a-z./]+$', undefined, '/..'],
  ['^[a-z]+\\.\\.[a-z]+$', undefined, undefined],
];

describe('A pattern that is safe in argv', () => {
  it.each(admitted)('may admit an option or a path out of the folder: %j', async (pattern, optionLike, parentPath) => {
    const verdict = await proveArgv(pattern);
    expect(verdict).toMatchObject({ kind: 'safe' });
    expect([Object(verdict).optionLike, Object(verdict).parentPath]).toEqual([optionLike, parentPath]);
  });
});

describe('A shell-active string', () => {
  it('has a control character, a space, or a character that a shell acts on', () => {
    const active = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code)).filter(isShellActive);
    const controls = Array.from({ length: 0x21 }, (_, code) => String.fromCodePoint(code));
    expect(active.sort()).toEqual([...controls, '\u007f', ...'"\'`$\\|&;<>(){}[]*?!#~'].sort());
  });
});

const alphabet = ['a', 'b', '0', '_', '-', '.', '/', ';', ' ', '\n', '$', 'é', '\u{1F600}', '\uD83D', '\uDE00'];
const shortStrings = stringsUpTo(3);

function stringsUpTo(length: number): string[] {
  const all = [''];
  let last = [''];
  for (let n = 0; n < length; n += 1) {
    last = last.flatMap((start) => alphabet.map((character) => start + character));
    all.push(...last);
  }
  return all;
}

/** How a verdict differs from what a search of all short strings finds; undefined when it does not. */
function disagreement(pattern: string, verdict: ArgvVerdict): string | undefined {
  const expression = new RegExp(pattern, 'u');
  const matching = shortStrings.filter((string) => expression.test(string));
  const active = matching.filter(isShellActive);
  if (verdict.kind === 'safe' && active[0] !== undefined) return `${pattern} is not safe: ${JSON.stringify(active[0])}`;
  if (verdict.kind === 'empty' && matching[0] !== undefined) return `${pattern} matches ${JSON.stringify(matching[0])}`;
  if (verdict.kind === 'unsafe') return falseExample(expression, verdict.counterexample, isShellActive);
  if (verdict.kind !== 'safe') return undefined;
  return (
    falseExample(expression, verdict.optionLike, (string) => string.startsWith('-')) ??
    falseExample(expression, verdict.parentPath, (string) => string.split('/').includes('..'))
  );
}

/** How a shortest example differs from what a search of all short strings finds; without one there should be none. */
function falseExample(
  expression: RegExp,
  example: string | undefined,
  isMeant: (string: string) => boolean,
): string | undefined {
  const [shortest] = shortStrings.filter((string) => expression.test(string) && isMeant(string));
  const told = `${expression.source} with ${JSON.stringify(example)}`;
  if (example === undefined) return shortest === undefined ? undefined : `${told} misses ${JSON.stringify(shortest)}`;
  if (!expression.test(example)) return `${told} does not match`;
  if (!isMeant(example)) return `${told} is not what was asked for`;
  const isShorter = shortest !== undefined && [...shortest].length < [...example].length;
  return isShorter ? `${told} is longer than ${JSON.stringify(shortest)}` : undefined;
}
