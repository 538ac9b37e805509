import { scanImports } from '../repository/import-scan.js';
import { closing, type Token, tokenise } from '../repository/tokens.js';

/** Functions that take a program and its words apart, and hand them to no shell unless the option `shell` says so. */
const starters: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['node:child_process', new Set(['spawn', 'spawnSync', 'execFile', 'execFileSync'])],
  ['execa', new Set(['execa'])],
]);
/** Other modules that start processes: from node, and the usual ones. */
const otherModules =
  /^(?:child_process|(?:node:)?cluster|cross-spawn|zx|tinyexec|nano-spawn|shelljs|node-pty|foreground-child|npm-run-path|@npmcli\/promise-spawn)(?:\/|$)|^execa\//;

/** What a source file says of starting processes. */
export interface ProcessStarts {
  /** Each call of a starter, as `name line`. */
  readonly calls: readonly string[];
  /** Ways in which a string could come to a shell, or that the scan cannot follow. */
  readonly faults: readonly string[];
}

/** Looks at every use of a function that starts processes. It is strict: what it does not understand is a fault. Pure. */
export function processStarts(source: string): ProcessStarts {
  const tokens = tokenise(source);
  const names = new Set<string>();
  const calls: string[] = [];
  const faults: string[] = [];
  const startsThreads = tokens.some((token) => token.text === 'Worker');
  for (const { specifier = '', line, typeOnly } of scanImports(source)) {
    if (typeOnly) continue;
    if (otherModules.test(specifier)) faults.push(`${line}: ${specifier} is not for starting processes`);
    const known = starters.get(specifier);
    if (known === undefined) continue;
    const imported = importedNames(tokens, specifier, line);
    if (imported === undefined) faults.push(`${line}: ${specifier} is not imported by its names`);
    for (const name of imported ?? []) {
      if (known.has(name)) names.add(name);
      else faults.push(`${line}: ${name} of ${specifier} is not for starting processes`);
    }
  }
  for (const [i, { kind, text, line }] of tokens.entries()) {
    if (kind === 'other') continue;
    if (kind === 'word' && text === 'binding' && tokens[i - 2]?.text === 'process')
      faults.push(`${line}: process.binding`);
    if (startsThreads && text === 'eval') faults.push(`${line}: code of a thread as a string`);
    if (text === 'shell' && tokens[i + 1]?.text === ':' && namesShell(tokens[i + 2]))
      faults.push(`${line}: shell is set`);
    if (kind !== 'word' || !names.has(text) || isImported(tokens, i)) continue;
    calls.push(`${text} ${line}`);
    faults.push(...callFaults(tokens, i).map((fault) => `${line}: ${fault}`));
  }
  return { calls, faults };
}

/** `import { a, type B } from 'x'` and `const { a } = await import('x')`; undefined for any other way. */
function importedNames(tokens: readonly Token[], specifier: string, line: number): string[] | undefined {
  const at = tokens.findIndex((token) => token.kind === 'string' && token.text === specifier && token.line === line);
  const before = tokens.slice(0, at).map(({ text }) => text);
  const end = before.at(-1) === 'from' ? at - 2 : at - 5;
  const isDynamic = before.slice(-4).join(' ') === '= await import (';
  if (tokens[end]?.text !== '}' || !(before.at(-1) === 'from' || isDynamic)) return undefined;
  const start = before.lastIndexOf('{', end);
  if (!['import', 'const'].includes(before[start - 1] ?? '')) return undefined;
  const members = before
    .slice(start + 1, end)
    .join(' ')
    .split(' , ');
  return members.map((member) => member.replace(/ ,$/, '')).filter((member) => !member.startsWith('type '));
}

function isImported(tokens: readonly Token[], at: number): boolean {
  const next = tokens.slice(at).findIndex(({ text }) => text === '}');
  const after = tokens.slice(at + next + 1, at + next + 4).map(({ text }) => text);
  const inside = tokens.slice(at + 1, at + next);
  return (
    inside.every(({ kind, text }) => kind === 'word' || text === ',') &&
    (after[0] === 'from' || after.join(' ') === '= await import')
  );
}

function namesShell(token: Token | undefined): boolean {
  return (
    token?.text === 'true' || (token?.kind === 'string' && /^(?:\/|cmd|sh$|bash|zsh|powershell|pwsh)/.test(token.text))
  );
}

/** Of a call, whose first word is at `at`: program, words in an array, options that are written out. */
function callFaults(tokens: readonly Token[], at: number): string[] {
  if (tokens[at - 1]?.text === '.' || tokens[at + 1]?.text !== '(') return ['is not called'];
  const [program = [], words = [], options] = parted(tokens.slice(at + 2, closing(tokens, at + 1)));
  const faults: string[] = [];
  if (program.length === 0 || program[0]?.text === '{') faults.push('starts no program');
  const isArray = words[0]?.text === '[' && closing(words, 0) === words.length - 1;
  const isNamed =
    words.length > 0 &&
    words.every(({ kind, text }) => kind === 'word' || text === '.') &&
    /args$/i.test(words.at(-1)?.text ?? '');
  if (!isArray && !isNamed) faults.push('has no array of words');
  if (options === undefined) return faults;
  const literal = options.length === 1 ? literalOf(tokens, options[0]?.text ?? '') : options;
  return literal?.[0]?.text === '{' ? [...faults, ...optionFaults(literal)] : [...faults, 'has options from elsewhere'];
}

function parted(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const end = token?.kind === 'other' && ['(', '{', '['].includes(token.text) ? closing(tokens, i) : i;
    if (token?.text === ',' && token.kind === 'other') parts.push([]);
    else parts.at(-1)?.push(...tokens.slice(i, end + 1));
    i = end;
  }
  return parts;
}

/** The object literal that is the value of the one constant of this name. */
function literalOf(tokens: readonly Token[], name: string): readonly Token[] | undefined {
  const places = tokens.flatMap(({ text }, i) => (text === name && tokens[i - 1]?.text === 'const' ? [i] : []));
  const [at] = places;
  if (places.length !== 1 || at === undefined || tokens[at + 1]?.text !== '=') return undefined;
  return tokens.slice(at + 2, closing(tokens, at + 2) + 1);
}

/** Nothing is spread but a choice between two literals, no key is computed, and none is `shell`. */
function optionFaults(literal: readonly Token[]): string[] {
  const faults: string[] = [];
  for (const [i, { text }] of literal.entries()) {
    if (text === 'shell') faults.push('has the option shell');
    if (text === '[' && ['{', ','].includes(literal[i - 1]?.text ?? ''))
      faults.push('has an option whose name is computed');
    if (text !== '.' || literal[i + 1]?.text !== '.' || literal[i + 2]?.text !== '.') continue;
    const spread = literal.slice(i + 3, closing(literal, i + 3) + 1).map((token) => token.text);
    if (!/^\([^{}]*\? \{[^{}]*\} : \{[^{}]*\} \)$/.test(spread.join(' '))) faults.push('has options from elsewhere');
  }
  return faults;
}
