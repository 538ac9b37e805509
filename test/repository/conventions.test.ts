import { describe, expect, it } from 'vitest';
import { sourceFiles } from './source-files.js';

const sources = sourceFiles('src', 'schemas', 'scripts');
const all = new Map([...sources, ...sourceFiles('test')]);

/** `file:line: text` of each line that matches. This file, which has to name what it looks for, is left out. */
function linesWith(files: ReadonlyMap<string, string>, pattern: RegExp): string[] {
  return [...files]
    .filter(([file]) => file !== 'test/repository/conventions.test.ts')
    .flatMap(([file, text]) =>
      text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    );
}

describe('The source', () => {
  it('has no file whose name says nothing', () => {
    const vague = /(?:^|[/-])(?:utils?|helpers?|common|misc|shared|lib|stuff)(?:[/.-]|$)/;
    expect([...all.keys()].filter((file) => vague.test(file))).toEqual([]);
  });

  it('has only named exports and no barrel but the public surface', () => {
    expect(linesWith(sources, /^export default\b/)).toEqual([]);
    expect(linesWith(sources, /^export \*/)).toEqual([]);
  });

  it('hides what is private from the running program too', () => {
    expect(linesWith(sources, /^\s+(?:private (?!constructor)|protected )|\bconstructor\(private\b/)).toEqual([]);
  });

  it('has no any', () => {
    expect(linesWith(all, /(?::|\bas|<|,|\|)\s*any\s*(?:[;,)>|=\]}]|$)/)).toEqual([]);
  });

  it('silences no check', () => {
    expect(linesWith(all, /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-disable/)).toEqual([]);
  });

  it('sorts by code units, never by locale', () => {
    expect(linesWith(sources, /\blocaleCompare\b|\bIntl\.Collator\b/)).toEqual([]);
  });

  it('has no clock, chance or host in the projection and the check', () => {
    const pure = new Map([...sources].filter(([file]) => /^src\/(?:projection|check)\//.test(file)));
    expect(pure.size).toBeGreaterThan(20);
    expect(linesWith(pure, /\b(?:Date\.now|new Date|performance\.|setTimeout|setInterval|Math\.random)\b/)).toEqual([]);
    expect(linesWith(pure, /(?<!`)\bprocess\.\w/)).toEqual([]);
  });

  it('starts no shell', () => {
    expect(linesWith(sources, /\bshell:\s*true\b|\bexecSync\(|(?<!\.)\bexec\(\s*[`'"]/)).toEqual([]);
  });

  it('has no test that is skipped, focused or still to be written', () => {
    expect(linesWith(all, /\b(?:it|test|describe)\.(?:skip|only|todo|fails)\b/)).toEqual([]);
  });
});
