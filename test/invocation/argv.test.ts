import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentBytesLimit, argvBytesLimit, buildArgv } from '../../src/invocation/argv.js';
import type { Slot } from '../../src/projection/generation.js';
import { shellEntry } from './shell-entry.js';

function flag(name: string, over: Partial<Extract<Slot, { kind: 'flag' }>> = {}): Slot {
  return { name, kind: 'flag', flag: `--${name}`, joined: false, repeated: false, boolean: false, ...over };
}

function positional(name: string, position: number, repeated = false): Slot {
  return { name, kind: 'positional', position, repeated };
}

const stdin = (name: string): Slot => ({ name, kind: 'stdin' });

function build(
  slots: readonly Slot[],
  args: Record<string, unknown>,
  words: readonly [string, ...string[]] = ['tool'],
) {
  return buildArgv(shellEntry({ words, slots }), args);
}

function argsOf(slots: readonly Slot[], args: Record<string, unknown>): readonly string[] {
  const built = build(slots, args);
  if (built.kind !== 'argv') throw new Error(JSON.stringify(built));
  return built.args;
}

describe('the order of an argv (P7)', () => {
  it('is words, positionals by position, flags in declared order, the repeated positional last', () => {
    const slots = [flag('zeta'), positional('rest', 2, true), flag('alpha'), positional('b', 1), positional('a', 0)];
    const args = { alpha: '1', zeta: '2', rest: ['r1', 'r2'], a: 'A', b: 'B' };
    expect(build(slots, args, ['bun', 'run', 'x:y'])).toEqual({
      kind: 'argv',
      file: 'bun',
      args: ['run', 'x:y', 'A', 'B', '--zeta', '2', '--alpha', '1', 'r1', 'r2'],
    });
  });

  it('does not depend on the order of the arguments', () => {
    const slots = [positional('a', 0), flag('b'), positional('c', 1)];
    expect(argsOf(slots, { c: 'C', b: 'B', a: 'A' })).toEqual(argsOf(slots, { a: 'A', b: 'B', c: 'C' }));
  });

  it.each([
    ['the first of two', { b: 'x' }, ['/a']],
    ['two of three', { c: ['x'] }, ['/a', '/b']],
  ])('refuses a position when %s before it is missing', (_, args, paths) => {
    const refused = build([positional('a', 0), positional('b', 1), positional('c', 2, true)], args);
    expect(refused).toMatchObject({ kind: 'refused', code: 'invalid_params' });
    const issues = refused.kind === 'refused' ? refused.details.issues : [];
    expect(issues).toEqual(paths.map((path) => ({ path, message: expect.stringContaining('is needed when') })));
  });

  it('takes an empty repeated positional for one that is not given', () => {
    expect(argsOf([positional('a', 0), positional('rest', 1, true)], { rest: [] })).toEqual([]);
  });
});

describe('the words of one slot', () => {
  it.each<[string, Slot, unknown, string[]]>([
    ['a flag and its value', flag('x'), 'v', ['--x', 'v']],
    ['a joined flag', flag('x', { joined: true }), 'v', ['--x=v']],
    ['a repeated flag once per element', flag('x', { repeated: true }), ['a,b', 'c'], ['--x', 'a,b', '--x', 'c']],
    ['a repeated joined flag', flag('x', { repeated: true, joined: true }), ['a', 'b'], ['--x=a', '--x=b']],
    ['a boolean flag that is true', flag('x', { boolean: true }), true, ['--x']],
    ['a boolean flag that is false', flag('x', { boolean: true }), false, []],
    ['a boolean in a position', positional('x', 0), false, ['false']],
    ['an integer', flag('x'), 42, ['--x', '42']],
    ['a number as String(n)', flag('x'), 1e21, ['--x', '1e+21']],
    ['an empty string', positional('x', 0), '', ['']],
  ])('are %s', (_, slot, value, expected) => {
    expect(argsOf([slot], { x: value })).toEqual(expected);
  });

  it('leave out what is not given, and what is only inherited', () => {
    expect(argsOf([flag('x'), flag('toString')], {})).toEqual([]);
  });

  it.each<[string, Slot, unknown]>([
    ['an object', flag('x'), {}],
    ['an array in a single slot', flag('x'), ['a']],
    ['a single value in a repeated slot', flag('x', { repeated: true }), 'a'],
    ['a number for a boolean flag', flag('x', { boolean: true }), 1],
    ['NaN', flag('x'), Number.NaN],
    ['half a surrogate pair', flag('x'), 'a\ud800'],
  ])('are refused for %s', (_, slot, value) => {
    const refused = build([slot], { x: value });
    expect(refused).toMatchObject({ kind: 'refused', code: 'invalid_params', details: { issues: [{ path: '/x' }] } });
  });
});

describe('stdin', () => {
  it.each<[string, unknown, string]>([
    ['a string verbatim', '-rf $(touch x)\n', '-rf $(touch x)\n'],
    ['a number', -1.5, '-1.5'],
    ['a boolean', true, 'true'],
    ['an object as JSON', { a: [1, null] }, '{"a":[1,null]}'],
    ['an array as JSON', ['a'], '["a"]'],
  ])('carries %s', (_, value, expected) => {
    expect(build([stdin('x')], { x: value })).toEqual({ kind: 'argv', file: 'tool', args: [], stdin: expected });
  });

  it('is absent when the input is not given', () => {
    expect(build([stdin('x')], {})).not.toHaveProperty('stdin');
  });
});

describe('what is refused', () => {
  const slots: [string, Slot, (value: unknown) => unknown][] = [
    ['flag', flag('x'), (value) => value],
    ['repeated flag', flag('x', { repeated: true }), (value) => ['fine', value]],
    ['position', positional('x', 0), (value) => value],
    ['repeated position', positional('x', 0, true), (value) => ['fine', value]],
  ];
  const cases = slots.flatMap(([slot, it, wrap]) =>
    ['-rf', '--output=x', '-', -1, -0.5].map((value) => [slot, value, it, wrap(value)] as const),
  );

  it.each(cases)('X1: in a %s the value %j, as option_like_value with the input', (_slot, _value, slot, arg) => {
    expect(build([slot], { x: arg })).toMatchObject({
      kind: 'refused',
      code: 'option_like_value',
      details: { input: 'x' },
    });
  });

  it('X1: not a value that begins with "-" behind a joined flag, where it cannot be an option', () => {
    expect(argsOf([flag('x', { joined: true })], { x: '-rf' })).toEqual(['--x=-rf']);
    expect(argsOf([flag('x', { joined: true, repeated: true })], { x: [-1, '--'] })).toEqual(['--x=-1', '--x=--']);
  });

  it.each<[string, Slot]>([
    ['a flag', flag('x')],
    ['a joined flag', flag('x', { joined: true })],
    ['a position', positional('x', 0)],
    ['stdin', stdin('x')],
  ])('X3: a NUL in %s', (_, slot) => {
    expect(build([slot], { x: 'a\u0000b' })).toMatchObject({
      kind: 'refused',
      code: 'invalid_params',
      details: { issues: [{ path: '/x', message: expect.stringContaining('NUL') }] },
    });
  });

  it('one argument of 128 KiB, counted in bytes with its joined flag', () => {
    const fits = 'é'.repeat(argumentBytesLimit / 2 - 1);
    expect(argsOf([positional('x', 0)], { x: `${fits}a` })).toHaveLength(1);
    expect(build([positional('x', 0)], { x: `${fits}é` })).toMatchObject({
      code: 'argument_too_large',
      details: { input: 'x', bytes: argumentBytesLimit },
    });
    expect(build([flag('x', { joined: true })], { x: fits })).toMatchObject({ code: 'argument_too_large' });
  });

  it('1 MiB in all', () => {
    const slots = [positional('x', 0, true)];
    const element = 'a'.repeat(1023);
    expect(argsOf(slots, { x: Array(argvBytesLimit / 1024 - 1).fill(element) })).toHaveLength(1023);
    expect(build(slots, { x: Array(argvBytesLimit / 1024).fill(element) })).toMatchObject({
      code: 'argument_too_large',
    });
    expect(build(slots, { x: Array(argvBytesLimit).fill('') })).toMatchObject({ code: 'argument_too_large' });
  });
});

describe('the confirmation', () => {
  const slots = [flag('user_confirmed', { boolean: true }), flag('x')];

  it('P13: is never passed on', () => {
    const entry = shellEntry({ slots, tool: { requiresConfirmation: true } });
    expect(buildArgv(entry, { user_confirmed: true, x: 'v' })).toMatchObject({ args: ['--x', 'v'] });
  });

  it('is an input like any other on a tool that needs none', () => {
    expect(argsOf(slots, { user_confirmed: true })).toEqual(['--user_confirmed']);
  });
});

it('gives each value as one whole argument, or refuses: nothing is split, joined, quoted or lost', () => {
  const slots = [positional('p', 0), flag('f'), flag('j', { joined: true }), positional('r', 1, true)];
  const value = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(value, value, value, fc.array(value, { maxLength: 4 }), (p, f, j, r) => {
      const built = build(slots, { p, f, j, r });
      const refusable =
        [p, f, ...r].some((text) => text.startsWith('-')) || [p, f, j, ...r].some((t) => t.includes('\0'));
      if (refusable) expect(built.kind).toBe('refused');
      else expect(built).toMatchObject({ kind: 'argv', args: [p, '--f', f, `--j=${j}`, ...r] });
    }),
    { numRuns: 500 },
  );
});
