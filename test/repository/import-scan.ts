import { closing, type Token, tokenise } from './tokens.js';

/** One place where a module names another: static, re-export, dynamic, or through a `require` made by createRequire. */
export interface ImportSite {
  /** Undefined where it is computed. */
  readonly specifier: string | undefined;
  /** 1-based. */
  readonly line: number;
  /** `import type` or `export type`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

/** Every import of a TypeScript module, in order. Comments, strings, templates and regular expressions are not mistaken for code. */
export function scanImports(source: string): ImportSite[] {
  const tokens = tokenise(source);
  const requirers = new Set(['require']);
  for (const [i, { text }] of tokens.entries()) {
    const name = tokens[i - 2];
    if (text === 'createRequire' && tokens[i - 1]?.text === '=' && name !== undefined) requirers.add(name.text);
  }
  return tokens.flatMap((token, i): ImportSite[] => {
    if (token.kind !== 'word' || tokens[i - 1]?.text === '.') return [];
    if (token.text === 'import') return importAt(tokens, i);
    if (token.text === 'export') return reExportAt(tokens, i);
    const called = tokens[i + 1]?.text === '(';
    if (token.text === 'createRequire') return called ? requireAt(tokens, closing(tokens, i + 1) + 1) : [];
    return requirers.has(token.text) ? requireAt(tokens, i + 1) : [];
  });
}

function importAt(tokens: readonly Token[], at: number): ImportSite[] {
  const next = tokens[at + 1];
  if (next === undefined || next.text === '.' || next.text === ':') return [];
  if (next.text === '(') return callAt(tokens, at + 1);
  if (next.kind === 'string') return [{ specifier: next.text, line: next.line, typeOnly: false }];
  return fromAfter(tokens, at + 1);
}

function reExportAt(tokens: readonly Token[], at: number): ImportSite[] {
  const start = tokens[at + 1]?.text === 'type' ? at + 2 : at + 1;
  const first = tokens[start]?.text;
  if (first === '*') return fromAfter(tokens, at + 1);
  if (first !== '{') return [];
  return tokens[closing(tokens, start) + 1]?.text === 'from' ? fromAfter(tokens, at + 1) : [];
}

/** `clause from "specifier"`; `type` is a modifier unless it is itself the name that is bound. */
function fromAfter(tokens: readonly Token[], at: number): ImportSite[] {
  const second = tokens[at + 1]?.text;
  const typeOnly = tokens[at]?.text === 'type' && second !== 'from' && second !== ',';
  for (let i = at; i < tokens.length && tokens[i]?.text !== ';'; i++) {
    const specifier = tokens[i + 1];
    if (tokens[i]?.text === 'from' && specifier?.kind === 'string') {
      return [{ specifier: specifier.text, line: specifier.line, typeOnly }];
    }
  }
  return [];
}

/** `("specifier")` or `.resolve("specifier")`, after what stands for `require`. */
function requireAt(tokens: readonly Token[], at: number): ImportSite[] {
  return callAt(tokens, tokens[at]?.text === '.' && tokens[at + 1]?.text === 'resolve' ? at + 2 : at);
}

/** A call whose `(` is at `at`. */
function callAt(tokens: readonly Token[], at: number): ImportSite[] {
  const open = tokens[at];
  const argument = tokens[at + 1];
  if (open?.text !== '(' || argument === undefined) return [];
  const literal = argument.kind === 'string' && tokens[at + 2]?.text.match(/^[),]$/) !== null;
  return [{ specifier: literal ? argument.text : undefined, line: argument.line, typeOnly: false }];
}
