/** What a reader of a page is told to do, in order, and what is to be seen then. */
export type PageStep =
  | { readonly kind: 'save'; readonly path: string; readonly text: string }
  | {
      readonly kind: 'change';
      readonly path: string;
      readonly lines: readonly { readonly from: string; readonly to: string }[];
    }
  | { readonly kind: 'run'; readonly command: string; readonly output: string }
  /** What a command that was left running says then. */
  | { readonly kind: 'said'; readonly output: string };

/**
 * Reads the steps out of the fenced blocks of a page: `console` has commands after `$ ` with what they print; what is to be saved stands
 * under "Save this as `path`", and a `diff` under "In `path`, change"; `text` is what is said by what still runs.
 */
export function pageSteps(page: string): PageStep[] {
  const blocks = page.matchAll(/((?:(?!^```).*\n)*?)^```(\w+)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, before = '', language = '', body = '']) => stepsOf(before, language, body));
}

function stepsOf(before: string, language: string, body: string): PageStep[] {
  if (language === 'console') return commandsIn(body);
  if (language === 'text') return [{ kind: 'said', output: body.trimEnd() }];
  const path = /(?:[Ss]ave this as|[Ii]n) `([^`]+)`(?:[^`]|`[^`]*`(?!\n\n))*$/.exec(lastParagraph(before))?.[1];
  if (language === 'diff' && path !== undefined) return [{ kind: 'change', path, lines: changesIn(body) }];
  return path !== undefined && /[Ss]ave this as/.test(lastParagraph(before))
    ? [{ kind: 'save', path, text: body }]
    : [];
}

function lastParagraph(text: string): string {
  return text.trimEnd().split('\n\n').at(-1) ?? '';
}

function commandsIn(body: string): PageStep[] {
  const parts = body.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [command = '', ...output] = part.split('\n');
    return { kind: 'run', command, output: output.join('\n').trimEnd() };
  });
}

function changesIn(body: string): { from: string; to: string }[] {
  const lines = body.split('\n');
  const of = (sign: string): string[] => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  const [from, to] = [of('-'), of('+')];
  return from.map((line, i) => ({ from: line, to: to[i] ?? '' }));
}

/** The text with each line changed, which it has to hold once. */
export function withChanges(text: string, lines: readonly { readonly from: string; readonly to: string }[]): string {
  return lines.reduce((changed, { from, to }) => {
    const parts = changed.split(from);
    if (parts.length !== 2) throw new Error(`expected "${from}" once, and it is there ${parts.length - 1} times`);
    return parts.join(to);
  }, text);
}

/** A pattern for what a page shows: `…` alone in a line stands for any lines, elsewhere for anything in the line; blanks count once. */
export function shownPattern(output: string): RegExp {
  const lines = output.split('\n').map((line) => {
    if (line.trim() === '…') return '[\\s\\S]*?';
    const parts = line.trim().split('…');
    return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')).join('.*?');
  });
  return new RegExp(`^\\s*${lines.join('\\s*')}\\s*$`);
}
