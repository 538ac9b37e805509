import { describe, expect, it } from 'vitest';
import { parseYamlText } from '../../src/ingest/yaml-text.js';

const limits = { depth: 64, bytes: 10_000 };

const treeOf = (text: string): unknown => {
  const parsed = parseYamlText(text, limits);
  if ('faults' in parsed) throw new Error(parsed.faults.map(({ message }) => message).join('\n'));
  return parsed.value;
};

/** Code, line, column and words of each fault. */
const faultsOf = (text: string, bounds = limits) => {
  const parsed = parseYamlText(text, bounds);
  if (!('faults' in parsed)) return [];
  return parsed.faults.map(({ code, message, position }) => [code, position.line, position.column, message]);
};

describe('A YAML text', () => {
  it.each([
    [
      'a: 1\nb: [x, "y", null, ~, true, 1.5, 0x1F, 0o17, -1e3]',
      { a: 1, b: ['x', 'y', null, null, true, 1.5, 31, 15, -1000] },
    ],
    [
      'on: yes\noff: no\ndate: 2026-01-01\ntime: 12:30:45\nold: 017',
      { on: 'yes', off: 'no', date: '2026-01-01', time: '12:30:45', old: 17 },
    ],
    ['a: |\n  two\n  lines\nb: >-\n  one\n  line\n', { a: 'two\nlines\n', b: 'one line' }],
    ['{"a": {"b": [1, 2]}}', { a: { b: [1, 2] } }],
    [
      '%YAML 1.2\n%TAG !y! tag:yaml.org,2002:\n--- # comment\na: !y!str 5\nb: ! 6\nc: !!map {d: !!seq []}\n...\n',
      { a: '5', b: '6', c: { d: [] } },
    ],
    ['!!str a: !!int "5"\nb: !!float 1.5\nc: !!bool "true"\nd: !!null ""', { a: 5, b: 1.5, c: true, d: null }],
    ['? a\n: - b\n  - c: d', { a: ['b', { c: 'd' }] }],
    ['a:', { a: null }],
    ['"<<": 1', { '<<': 1 }],
    ['just text', 'just text'],
  ])('%j is the tree that the core schema of YAML 1.2 gives', (text, value) => {
    expect(treeOf(text)).toEqual(value);
  });

  it('has a copy wherever an alias stands, of the anchor that is before it in the text', () => {
    const text = '- &x {p: &y 1}\n- &y 2\n- *x\n- *y\n- &x [*y]\n- *x\n- {*y : 3}';
    const value = treeOf(text.replace('\n- {*y : 3}', '')) as unknown[];
    expect(value).toEqual([{ p: 1 }, 2, { p: 1 }, 2, [2], [2]]);
    expect(value[2]).not.toBe(value[0]);
  });

  it('keeps __proto__ as a member, which is refused as in JSON', () => {
    expect(Object.keys(treeOf('{a: 1, __proto__: {b: 2}}') as object)).toEqual(['a', '__proto__']);
  });
});

describe('A YAML text is refused, with its place,', () => {
  it.each([
    ['a: 1\n<<: {b: 2}', 'invalid-node', 2, 1, 'the merge key << is refused'],
    ['base: &b {x: 1}\nc:\n  <<: [*b]\n  d: 1', 'invalid-node', 3, 3, 'the merge key << is refused'],
    ['a: !date 2026', 'unreadable', 1, 10, 'the tag "!date" is refused'],
    ['a: !!binary aGk=', 'unreadable', 1, 13, 'binary" is refused'],
    ['a: !!timestamp 2026-01-01', 'unreadable', 1, 16, 'timestamp" is refused'],
    ['a: !!set {b}', 'unreadable', 1, 10, 'set" is refused'],
    ['a: !!omap [b: 1]', 'unreadable', 1, 11, 'omap" is refused'],
    ['a: !<tag:example.org,2026:x> {}', 'unreadable', 1, 30, 'the tag "tag:example.org,2026:x" is refused'],
    ['a: !!map [b]', 'unreadable', 1, 10, 'map" is refused'],
    ['a: !!int five', 'unreadable', 1, 10, '"five" is no value of the tag'],
    ['a: !!int 1.5', 'unreadable', 1, 10, '"1.5" is no value of the tag'],
    ['!e!x a: 1', 'unreadable', 1, 1, 'the file is no YAML: Could not resolve tag'],
    ['a: 1\n---\nb: 2', 'unreadable', 2, 1, 'a second YAML document begins here'],
    ['a: 1\n--- \n', 'unreadable', 2, 1, 'a second YAML document begins here'],
    ['5: a', 'unreadable', 1, 1, 'a key must be a string'],
    ['true: a', 'unreadable', 1, 1, 'a key must be a string'],
    ['a: {? [b] : c}', 'unreadable', 1, 7, 'a key must be a string'],
    ['? {a: b}\n: c', 'unreadable', 1, 3, 'a key must be a string'],
    ['a: &k k\n*k : 1', 'unreadable', 2, 1, 'a key must be a string'],
    [': a', 'unreadable', 1, 1, 'a key must be a string'],
    ['a: .inf', 'unreadable', 1, 4, '.inf is no number of JSON; write it as a string'],
    ['a: [-.INF, .nan]', 'unreadable', 1, 5, '-.INF is no number of JSON; write it as a string'],
    ['%YAML 1.1\n---\na: 1', 'unreadable', 1, 1, '"%YAML 1.1" is refused, because YAML 1.2 is read; remove the line'],
    ['# first\n%YAML 1.3\n---\na: 1', 'unreadable', 2, 1, '"%YAML 1.3" is refused'],
    ['a: *b', 'unreadable', 1, 4, 'no anchor before the alias "*b"'],
    ['a: *b\nb: &b 1', 'unreadable', 1, 4, 'no anchor before the alias "*b"'],
    ['a: &a [*a]', 'unreadable', 1, 8, '"*a" stands inside of what it stands for'],
    ['&a\nb: {c: *a}', 'unreadable', 2, 8, '"*a" stands inside of what it stands for'],
    ['', 'unreadable', 1, 1, 'the YAML holds nothing'],
    ['---\n# nothing\n', 'unreadable', 1, 1, 'the YAML holds nothing'],
    ['a: "b', 'unreadable', 1, 6, 'the file is no YAML: Missing closing "quote; correct it here'],
    ['a: b: c', 'unreadable', 1, 4, 'the file is no YAML'],
    ['a:\n\t- b', 'unreadable', 2, 1, 'the file is no YAML: Tabs are not allowed as indentation'],
  ])('when it is %j', (text, code, line, column, words) => {
    expect(faultsOf(text)[0]).toEqual([code, line, column, expect.stringContaining(words)]);
    for (const [, , , message] of faultsOf(text)) expect(message).not.toMatch(/[\r\n]/);
  });

  it('for all of its faults at once, where it is YAML', () => {
    expect(faultsOf('1: a\nb: !x c\nd: .nan').map(([, line]) => line)).toEqual([1, 2, 3]);
  });

  it('when its aliases stand for more than the limit, and it ends soon', () => {
    const laughs = Array.from(
      { length: 40 },
      (_, i) => `l${i}: &l${i} [${i === 0 ? 'lol' : `*l${i - 1}, *l${i - 1}`}]`,
    );
    expect(faultsOf(laughs.join('\n'))).toEqual([
      ['unreadable', expect.any(Number), expect.any(Number), expect.stringContaining('more than 1000 aliases')],
    ]);
    const large = `a: &a "${'x'.repeat(2000)}"\nb: [${'*a, '.repeat(20)}]`;
    expect(faultsOf(large)).toEqual([
      ['unreadable', 1, 7, expect.stringContaining('more than 10000 characters in all')],
    ]);
    expect(faultsOf(large, { ...limits, bytes: 1_000_000 })).toEqual([]);
  });

  it('when it is nested too deeply by its aliases alone', () => {
    const chain = (links: number) =>
      Array.from({ length: links }, (_, i) => `- &l${i} [[[[[[[[[${i === 0 ? '' : `*l${i - 1}`}]]]]]]]]]`).join('\n');
    expect(faultsOf(chain(7))).toEqual([]);
    expect(faultsOf(chain(8))).toEqual([['unreadable', 1, expect.any(Number), expect.stringContaining('64 levels')]]);
  });

  it.each(['[', '{a: ', '- ', '? ', ': ', '[? ', '{"a": ['])('when it is nested a megabyte deep: %j', (opening) => {
    const [fault] = faultsOf(opening.repeat(1_000_000 / opening.length));
    expect(fault).toEqual(['unreadable', 1, expect.any(Number), expect.stringMatching(/nested deeper than 64 levels/)]);
  });

  it('when it is nested a megabyte deep by indentation', () => {
    for (const opening of ['a:', '-', '? a\n:']) {
      let text = '';
      for (let i = 0; text.length < 1_000_000; i++)
        text += `${opening.replaceAll('\n', `\n${' '.repeat(i)}`)}\n${' '.repeat(i + 1)}`;
      expect(faultsOf(`${text}x`)[0]?.[3]).toMatch(/nested deeper than 64 levels/);
    }
  });

  it('where the sixty-fifth level begins, and not where the sixty-fourth does', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(faultsOf(nested(64))).toEqual([]);
    expect(faultsOf(nested(65))).toEqual([['unreadable', 1, 65, expect.stringContaining('64 levels')]]);
    expect(faultsOf(`${'[a: '.repeat(40)}x${']'.repeat(40)}`)[0]?.[3]).toContain('64 levels');
    const blocks = (depth: number) => `${'- '.repeat(depth)}x`;
    expect(faultsOf(blocks(64))).toEqual([]);
    expect(faultsOf(blocks(65))).toEqual([['unreadable', 1, 129, expect.stringContaining('64 levels')]]);
  });

  it('when it is longer than what is composed in a second or two', () => {
    expect(faultsOf(`a: "${'x'.repeat(2 ** 20)}"`)[0]?.[3]).toContain('more than 1048576 characters');
    for (const piece of ['[],', ']', '\t- x\n']) {
      const [fault] = faultsOf(piece.repeat(1_000_000 / piece.length));
      expect(fault?.[0]).toBe('unreadable');
    }
  });
});
