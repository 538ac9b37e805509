/** The name of the program that a word runs: without its folder, the version of an interpreter and that of a package. */
export function programOf(word: string): string {
  return word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/^(python|pypy|pip|perl)[\d.]+$/u, '$1')
    .replace(/(?<=.)@.*$/u, '');
}

/**
 * Whether a word is one of these options, alone or as the end of a cluster, with the value that it carries itself: `-I{}`, `-0I{}`,
 * `--signal=KILL`. Undefined where it is none of them; no `value` where the next word is it.
 */
export function optionValue(
  word: string,
  options: ReadonlySet<string>,
): { readonly before: string; readonly name: string; readonly value?: string } | undefined {
  if (options.has(word)) return { before: '', name: word };
  const sign = word.charAt(0);
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    const name = word.slice(0, equals);
    return equals > 0 && options.has(name) ? { before: '', name, value: word.slice(equals + 1) } : undefined;
  }
  for (let at = 1; at < word.length; at += 1) {
    const name = `${sign}${word.charAt(at)}`;
    if (!options.has(name)) continue;
    const before = at === 1 ? '' : word.slice(0, at);
    return at === word.length - 1 ? { before, name } : { before, name, value: word.slice(at + 1) };
  }
  return undefined;
}

/** The words of a command after its program. */
export interface Arguments {
  /** Each as `-f`, or `-X=DELETE` where it has a value. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

/** Tells options, their values and operands apart; after `--` everything is an operand. */
export function readArguments(args: readonly string[], valued: ReadonlySet<string>): Arguments {
  const options: string[] = [];
  const end = args.indexOf('--');
  const before = end === -1 ? args : args.slice(0, end);
  const operands: string[] = [];
  for (let at = 0; at < before.length; at += 1) {
    const arg = before[at] ?? '';
    if (!/^-./.test(arg)) {
      operands.push(arg);
      continue;
    }
    const taken = optionValue(arg, valued);
    if (taken === undefined) {
      options.push(arg);
      continue;
    }
    if (taken.before !== '') options.push(taken.before);
    if (taken.value === undefined) at += 1;
    options.push(`${taken.name}=${taken.value ?? before[at] ?? ''}`);
  }
  return { options, operands: [...operands, ...(end === -1 ? [] : args.slice(end + 1))] };
}

/** Words before a command that only the shell acts on. */
const leading = /^(?:if|then|else|elif|while|until|do|!|\{|exec|[A-Za-z_]\w*=.*)$/su;

/**
 * The simple commands of code for a shell, each as words, those of substitutions too. Quotes are kept together; an expansion stands
 * as it is written.
 */
export function shellCommands(code: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined && !(words.length === 0 && leading.test(word))) words.push(word);
    word = undefined;
  };
  const tokens = /'[^']*'|"(?:\\.|[^"\\])*"|\\.|(?<![^\s;&|(])#[^\n]*|<[A-Za-z][^<>\n]*>|[|&;\n()`]|[ \t]+|./gsu;
  for (const [token] of code.matchAll(tokens)) {
    if (/^[|&;\n()`]$/u.test(token)) {
      endWord();
      commands.push(words);
      words = [];
    } else if (/^[ \t]+$/u.test(token)) endWord();
    else if (!/^#./u.test(token)) word = (word ?? '') + unquoted(token);
    if (token.startsWith('"'))
      for (const [, inner = ''] of token.matchAll(/\$\(([^()]*)\)/gu)) commands.push(...shellCommands(inner));
  }
  endWord();
  return [...commands, words].filter(({ length }) => length > 0);
}

function unquoted(token: string): string {
  if (token.length > 1 && /^['"]/u.test(token)) return token.slice(1, -1).replaceAll(/\\(["\\$`])/gu, '$1');
  return token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
}
