import type { Change } from '../../check/compatibility/change.js';
import type { Comparison, ToolChange } from '../../check/compatibility/compare.js';
import { shortJson } from '../../check/contract/wording.js';
import type { Diagnostic } from '../../diagnostic.js';
import { visible } from '../../visible.js';
import type { DiffSide } from '../diff-sides.js';
import { problemLine } from './generation.js';
import { jsonText } from './plain.js';
import { count, type Style } from './style.js';

export interface DiffReport extends Comparison {
  readonly before: DiffSide;
  readonly after: DiffSide;
}

/** Whether something breaks callers, or it is not known that nothing does. */
export function isBreaking({ tools, after }: DiffReport): boolean {
  return tools.some(({ breaks, undecided }) => breaks || undecided.length > 0) || after.offers.problems.length > 0;
}

const longestExample = 300;

/** What was added, removed and changed: a line a tool, and below it what of it. The last line is the answer. */
export function printDiff(report: DiffReport, style: Style): string[] {
  const { tools, same, before, after } = report;
  const { dim, red } = style.colors;
  const numbers = (['added', 'removed', 'changed'] as const).map(
    (kind) => `${tools.filter((tool) => tool.change === kind).length} ${kind}`,
  );
  const breaking = tools.filter(({ breaks }) => breaks).length;
  const unknown = tools.filter(({ breaks, undecided }) => !breaks && undecided.length > 0).length;
  const answers = [
    ...(breaking === 0 ? [] : [`${count(breaking, 'tool')} ${breaking === 1 ? 'breaks' : 'break'} callers`]),
    ...(unknown === 0 ? [] : [`of ${count(unknown, 'tool')} it could not be decided`]),
    ...(breaking + unknown === 0 && after.offers.problems.length === 0 ? ['nothing breaks callers'] : []),
  ];
  return [
    dim(visible(`from ${sideWords(before)} to ${sideWords(after)}`)),
    ...tools.flatMap((tool) => toolLines(tool, style)),
    ...problemLines('before', before.offers.problems, style),
    ...problemLines('now', after.offers.problems, style),
    `${count(tools.length + same, 'tool')}: ${numbers.join(', ')}, ${same} as before`,
    ...answers.map((answer) => (isBreaking(report) ? red(answer) : answer)),
  ];
}

/** The stable JSON form. */
export function printDiffJson(report: DiffReport): string {
  const { tools, same, before, after } = report;
  const number = (kind: ToolChange['change']): number => tools.filter((tool) => tool.change === kind).length;
  return jsonText({
    breaks: tools.some(({ breaks }) => breaks),
    decided: tools.every(({ undecided }) => undecided.length === 0) && after.offers.problems.length === 0,
    before: sideJson(before),
    after: sideJson(after),
    counts: { added: number('added'), removed: number('removed'), changed: number('changed'), same },
    tools: tools.map(({ name, id, change, breaks, changes, undecided, document, pointer }) => {
      return { name, id, change, breaks, changes, undecided, document, pointer };
    }),
  });
}

function sideJson({ kind, name, commit, subject, at, offers }: DiffSide) {
  return { kind, name, commit, subject, at, problems: offers.problems };
}

function sideWords({ name, commit, subject, at }: DiffSide): string {
  if (commit === undefined) return at === undefined ? name : `${name} (${at})`;
  const short = commit.slice(0, 12);
  return `${name === commit || name === short ? short : `${name} (${short})`} "${subject}"`;
}

const signs = { added: '+', removed: '-', changed: '~' };

function toolLines({ name, change, breaks, changes, undecided }: ToolChange, { colors }: Style): string[] {
  const paint = breaks ? colors.red : change === 'added' ? colors.green : colors.yellow;
  return [
    paint(visible(`${signs[change]} ${name} ${change}${breaks ? ', breaks callers' : ''}`)),
    ...changes.flatMap((one) => changeLines(one, colors)),
    ...undecided.map(({ message }) => `    ${colors.yellow('not decided')}: ${visible(message)}`),
  ];
}

function changeLines({ code, breaks, message, example }: Change, colors: Style['colors']): string[] {
  const shown =
    breaks && example !== undefined
      ? [colors.dim(visible(`      example: ${shortJson(example, longestExample)}`))]
      : [];
  return [`    ${breaks ? colors.red(`breaks ${code}`) : code}: ${visible(message)}`, ...shown];
}

function problemLines(when: string, problems: readonly Diagnostic[], { colors }: Style): string[] {
  return problems.map((problem) => `${colors.red(`problem ${when}`)}: ${problemLine(problem)}`);
}
