/** One word of a shell string as it is written, with its quotes. */
export interface RawWord {
  readonly text: string;
  /** Index in the shell string. */
  readonly at: number;
}

/** A `<placeholder>` or an `[--optional part]`, which may have blanks in it, stays one word, as it is meant. */
const rawWord = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|\[(?=[-<])[^\]\n]*\]|<[A-Za-z][^<>\n]*>|[^\s])+/gu;

/** The words of a shell string, whatever in it would need a shell. */
export function rawWords(shell: string): RawWord[] {
  return Array.from(shell.matchAll(rawWord), ({ 0: text, index }) => ({ text, at: index }));
}

/** The same word with nothing of what stands between quotes or after a backslash: what a shell would look at. */
export function unquotedPart(word: string): string {
  return word.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./gu, '');
}
