/** One place where a module names another: static, re-export, dynamic, or through a `require` made by createRequire. */
export interface ImportSite {
  /** Undefined where it is computed. */
  readonly specifier: string | undefined;
  /** 1-based. */
  readonly line: number;
  /** `import type` or `export type`: nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

interface Token {
  readonly kind: 'word' | 'string' | 'other';
  readonly text: string;
  readonly line: number;
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

/** Index of the bracket that closes the one at `at`; `at` itself where there is none. */
function closing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as Token;
    if (kind !== 'other') continue;
    if (text === '(' || text === '{') depth++;
    else if (text === ')' || text === '}') depth--;
    if (depth === 0) return i;
  }
  return at;
}

const space = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const word = /[\p{ID_Start}$_#][\p{ID_Continue}$]*|[0-9][\w.]*/uy;
const quoted = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** A template up to its end or its next `${`. */
const templatePart = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
/** After these words a `/` begins a regular expression, as after an operator. */
const beforeExpression = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield|instanceof)$/;

function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  /** For each open `${`, the braces open inside of it. */
  const substitutions: number[] = [];
  let at = 0;
  let line = 1;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return advance(pattern.exec(source)?.[0]);
  };
  const advance = (text: string | undefined): string | undefined => {
    at += text?.length ?? 0;
    line += text?.split('\n').slice(1).length ?? 0;
    return text;
  };
  while (at < source.length) {
    if (take(space) !== undefined) continue;
    const start = line;
    const push = (kind: Token['kind'], text: string): unknown => tokens.push({ kind, text, line: start });
    const expression = mayBeginExpression(tokens.at(-1)) ? take(regularExpression) : undefined;
    const name = expression ?? take(word);
    const text = name ?? take(quoted);
    if (name !== undefined) push(expression === undefined ? 'word' : 'other', name);
    else if (text !== undefined) push('string', text.slice(1, -1));
    else {
      const char = advance(source.charAt(at)) ?? '';
      const inner = substitutions.at(-1);
      if (char === '`' || (char === '}' && inner === 0)) {
        if (char === '}') substitutions.pop();
        const part = take(templatePart) ?? '';
        if (part.endsWith('${')) substitutions.push(0);
        // A template without substitution can name a module too.
        if (char === '`' && part.endsWith('`')) push('string', part.slice(0, -1));
        else push('other', part.endsWith('`') ? '`' : '${');
      } else {
        if (inner !== undefined && char === '{') substitutions[substitutions.length - 1] = inner + 1;
        if (inner !== undefined && char === '}') substitutions[substitutions.length - 1] = inner - 1;
        push('other', char);
      }
    }
  }
  return tokens;
}

function mayBeginExpression(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'word') return beforeExpression.test(previous.text);
  return previous.kind === 'other' && ![')', ']', '`'].includes(previous.text);
}
