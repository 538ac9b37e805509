/** The words of a shell string, or what in it would need a shell, for a message. */
export type SplitResult = { readonly words: readonly [string, ...string[]] } | { readonly syntax: string };

/**
 * Splits `invoke.shell` into words with the quoting rules of POSIX (Shell Command Language 2.2, 2.3) and refuses everything for
 * which a shell does more than that (tool-node.md §3, `shell-syntax`): single-quoted characters are literal, double-quoted ones
 * too except `$` and the backtick.
 */
export function splitWords(shell: string): SplitResult {
  const words: string[] = [];
  let at = 0;
  while (at < shell.length) {
    const blank = /^(?:[ \t]|\\\n)+/.exec(shell.slice(at));
    if (blank !== null) {
      at += blank[0].length;
      continue;
    }
    const syntax = syntaxAtWordStart(shell.slice(at), words.length === 0);
    if (syntax !== undefined) return { syntax };
    const word = readWord(shell, at);
    if ('syntax' in word) return word;
    words.push(word.text);
    at = word.end;
  }
  const [first, ...others] = words;
  return first === undefined ? { syntax: 'no word' } : { words: [first, ...others] };
}

/** Words that name no program: the shell itself acts on them where a command is expected. */
const shellOnly =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|function|select|\[\[|\{|\}|!|:|\.|source|cd|export|unset|set|alias|ulimit|umask|trap|exec|wait|readonly)(?=[\s;&|<>]|$)/;

function syntaxAtWordStart(rest: string, isFirst: boolean): string | undefined {
  if (rest.startsWith('~')) return '"~" at the start of a word';
  if (rest.startsWith('#')) return '"#" at the start of a word (a comment)';
  if (!isFirst) return undefined;
  const assignment = /^[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=/.exec(rest);
  if (assignment !== null) return `the assignment ${assignment[0]}… before the command`;
  const keyword = shellOnly.exec(rest);
  return keyword === null ? undefined : `"${keyword[0]}", which only a shell knows,`;
}

type Part = { readonly text: string; readonly end: number } | { readonly syntax: string };

/** One word from `start`, without its quotes. */
function readWord(shell: string, start: number): Part {
  let text = '';
  let at = start;
  while (at < shell.length && !/[ \t]/.test(shell.charAt(at))) {
    const part = readPart(shell, at);
    if ('syntax' in part) return part;
    text += part.text;
    at = part.end;
  }
  return { text, end: at };
}

function readPart(shell: string, at: number): Part {
  const character = shell.charAt(at);
  if (character === "'") {
    const end = shell.indexOf("'", at + 1);
    if (end === -1) return { syntax: "an unbalanced '" };
    return noNul({ text: shell.slice(at + 1, end), end: end + 1 });
  }
  if (character === '"') return readDoubleQuoted(shell, at + 1);
  if (character === '\\') {
    const escaped = shell.charAt(at + 1);
    if (escaped === '') return { syntax: 'a backslash at its end' };
    return noNul({ text: escaped === '\n' ? '' : escaped, end: at + 2 });
  }
  const syntax = unquotedSyntax(shell.slice(at));
  return syntax === undefined
    ? { text: character === '{' ? '{}' : character, end: at + (character === '{' ? 2 : 1) }
    : { syntax };
}

function readDoubleQuoted(shell: string, start: number): Part {
  let text = '';
  for (let at = start; at < shell.length; at += 1) {
    const character = shell.charAt(at);
    if (character === '"') return noNul({ text, end: at + 1 });
    if (character === '$' || character === '`') return { syntax: expansionAt(shell.slice(at)) };
    // Within double quotes a backslash quotes these five only (POSIX 2.2.3); before another character it is literal.
    if (character === '\\' && /[$`"\\\n]/.test(shell.charAt(at + 1))) {
      at += 1;
      if (shell.charAt(at) !== '\n') text += shell.charAt(at);
    } else text += character;
  }
  return { syntax: 'an unbalanced "' };
}

function noNul(part: { readonly text: string; readonly end: number }): Part {
  return part.text.includes('\0') ? { syntax: 'a NUL character' } : part;
}

function unquotedSyntax(rest: string): string | undefined {
  const character = rest.charAt(0);
  if (character === '$' || character === '`') return expansionAt(rest);
  if (character === '<') {
    const placeholder = /^<[A-Za-z][^<>\n]*>/.exec(rest);
    return placeholder === null ? 'a redirection "<"' : `the placeholder ${placeholder[0]}`;
  }
  if (character === '[') {
    const optional = /^\[-[^\]\n]*\]/.exec(rest);
    return optional === null ? 'the glob "["' : `the optional part ${optional[0]}`;
  }
  // `{}` stays as it is in a shell; every other brace is refused, expanded or not.
  if (character === '{' && !rest.startsWith('{}')) return 'a brace "{"';
  return plainSyntax.get(character);
}

const plainSyntax: ReadonlyMap<string, string> = new Map([
  ['|', 'a pipe "|"'],
  ['>', 'a redirection ">"'],
  [';', '";"'],
  ['&', '"&"'],
  ['(', '"("'],
  [')', '")"'],
  ['*', 'the glob "*"'],
  ['?', 'the glob "?"'],
  [']', 'the glob "]"'],
  ['}', 'a brace "}"'],
  ['\n', 'a line break'],
  ['\0', 'a NUL character'],
]);

function expansionAt(rest: string): string {
  if (rest.startsWith('`')) return 'a command substitution `…`';
  if (rest.startsWith('$(')) return 'a substitution $(…)';
  const name = /^\$(?:\{[^}]*\}|\w+)/.exec(rest);
  return name === null ? '"$"' : `the variable ${name[0]}`;
}
