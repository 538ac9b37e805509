import type pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** What a printer has to know of the place where its lines go. */
export interface Style {
  /** False: plain text for a pipe or a file, one record a line, nothing cut. */
  readonly terminal: boolean;
  /** Terminal cells in a line. */
  readonly width: number;
  readonly colors: Colors;
}

/** `1 tool`, `2 tools`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The first of the names, and how many more there are. */
export function listNames(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
