/** A word as it is typed in a POSIX shell: between single quotes where anything in it could be more than itself. */
export function shellWord(word: string): string {
  return /^[\w./~@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
