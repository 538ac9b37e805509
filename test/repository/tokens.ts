/** A piece of a TypeScript source. A template is one `string` where it has no substitution, else its ends are ` and ${. */
export interface Token {
  readonly kind: 'word' | 'string' | 'other';
  readonly text: string;
  readonly line: number;
}

/** Index of the bracket that closes the one at `at`; `at` itself where there is none. */
export function closing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as Token;
    if (kind !== 'other') continue;
    if (['(', '{', '['].includes(text)) depth++;
    else if ([')', '}', ']'].includes(text)) depth--;
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

/** Comments, strings, templates and regular expressions are not mistaken for code. */
export function tokenise(source: string): Token[] {
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
