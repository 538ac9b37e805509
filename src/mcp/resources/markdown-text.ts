import { visible } from '../../visible.js';

/** Text of a node as a piece of a line of Markdown, in which it says only what it says. */
export function inline(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>|#]/g, '\\$&');
}

/** A table of GitHub Flavored Markdown; the words in place of one without rows. Cells are Markdown already. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Paragraphs, lists and tables, with an empty line between; what is undefined is left out. */
export function page(...blocks: readonly (string | undefined)[]): string {
  return `${blocks.filter((block) => block !== undefined && block !== '').join('\n\n')}\n`;
}

/** A list of points that are Markdown already; undefined where there is none. */
export function points(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : items.map((item) => `- ${item}`).join('\n');
}
