import { escapedLines, visible } from '../../visible.js';

/** What the service or we ourselves have to say beside the data, as a line on stderr. */
export function noticeLine(words: string): string {
  return `toolgraph: ${visible(words)}`;
}

/** Indented JSON that parses to the same value and holds no raw character that a terminal would act on. */
export function jsonText(value: unknown): string {
  return escapedLines(JSON.stringify(value, undefined, 2), true);
}
