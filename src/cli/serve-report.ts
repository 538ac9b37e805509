import type { Generation } from '../projection/generation.js';
import { visible } from '../visible.js';
import { clientConfig } from './client-config.js';
import { printChange } from './print/change.js';
import { beginLines, omissionLine, problemLine, summaryLine } from './print/generation.js';
import { liveFrame } from './print/live.js';
import { noticeLine } from './print/plain.js';
import { count } from './print/style.js';
import type { Output } from './terminal.js';

/** What `serve` shows of its generations on stderr. */
export interface Reporter {
  start(generation: Generation): void;
  change(generation: Generation): void;
  /** Something beside the nodes, in words. */
  notice(words: string): void;
}

interface ReportSettings {
  readonly instance: string;
  readonly root: string;
  /** stdin is a terminal: a person is looking, and no client is there. */
  readonly byHand: boolean;
  /** Clients come to a port, and need not be told how to start the server. */
  readonly overHttp: boolean;
}

export function createReporter(output: Output, settings: ReportSettings): Reporter {
  if (!settings.byHand) return lineReporter(output, settings.instance);
  if (!settings.overHttp) output.lines(clientHint(settings));
  return output.terminal ? liveReporter(output, settings.instance) : lineReporter(output, settings.instance);
}

/** What is said of a start that does not happen. */
export function refusalLines(generation: Generation, instance: string): string[] {
  const problems = count(generation.problems.length, 'problem');
  return [
    ...generationLines(generation, instance),
    `toolgraph: not started because of ${problems}: fix what is named above, or start with --keep-going`,
  ];
}

function generationLines(generation: Generation, instance: string): string[] {
  const { omissions, problems } = generation;
  return [
    summaryLine(generation, instance),
    ...omissions.map(omissionLine),
    ...problems.map(problemLine),
    ...beginLines(generation),
  ];
}

/** A summary line with all omissions and problems, then for each later generation what changed. */
function lineReporter(output: Output, instance: string): Reporter {
  let shown: Generation | undefined;
  return {
    start(generation) {
      output.lines(generationLines(generation, instance));
      shown = generation;
    },
    change(generation) {
      if (shown !== undefined) output.lines(printChange(shown, generation));
      shown = generation;
    },
    notice: (words) => output.lines([noticeLine(words)]),
  };
}

/** A table that is drawn again for each generation; what changed scrolls by above it, with the time. */
function liveReporter(output: Output, instance: string): Reporter {
  let shown: Generation | undefined;
  let drawnRows = 0;
  const draw = (generation: Generation, news: readonly string[] = []) => {
    // Up to the first line of the last frame, and erase to the end of the screen.
    if (drawnRows > 0) output.raw(`\u001b[${drawnRows}A\u001b[J`);
    const { terminal, colors, width, rows } = output;
    const hint = [...beginLines(generation), 'Edit a node and see it arrive here. Ctrl-C ends.'];
    const frame = liveFrame(generation, { terminal, colors, width, rows: rows - 1, instance, hint });
    output.lines([...news, ...frame]);
    drawnRows = frame.length;
    shown = generation;
  };
  return {
    start: draw,
    change: (generation) => draw(generation, shown === undefined ? [] : timed(printChange(shown, generation))),
    notice: (words) => {
      if (shown !== undefined) draw(shown, timed([noticeLine(words)]));
    },
  };
}

function timed(lines: readonly string[]): string[] {
  const time = new Date().toTimeString().slice(0, 8);
  return lines.map((line, i) => (i === 0 ? `${time} ${line}` : line));
}

function clientHint({ instance, root }: ReportSettings): string[] {
  return [
    'toolgraph speaks MCP on stdin and stdout, so a client starts it by itself. Configure the client like this:',
    `  ${visible(clientConfig(instance, root))}`,
    '',
  ];
}
