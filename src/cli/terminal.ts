import pc from 'picocolors';
import type { Style } from './print/style.js';

/** One of the two output streams, and how to print on it. */
export interface Output extends Style {
  readonly rows: number;
  /** Prints whole lines. */
  lines(lines: readonly string[]): void;
  /** Prints as it is: for data, and for what moves the cursor. */
  raw(data: string | Uint8Array): void;
}

/** Colours and a width only at a terminal; `NO_COLOR` (no-color.org: present and not empty) and `TERM=dumb` switch colours off. */
export function outputOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Output {
  const terminal = stream.isTTY === true;
  const colored = terminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return {
    terminal,
    colors: pc.createColors(colored),
    // A pseudo-terminal may say 0 columns; a resize changes both while a live table stands.
    get width() {
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
    lines: (lines) => {
      if (lines.length > 0) stream.write(`${lines.join('\n')}\n`);
    },
    raw: (data) => {
      stream.write(data);
    },
  };
}

/**
 * A reader that went away (`toolgraph tools | head -1`) is no error: nothing more is written, and nothing is said. What cannot
 * be written for another reason, a full disk say, is a failure. Where stderr itself breaks there is nobody left to tell.
 */
export function surviveBrokenOutput(): void {
  process.stderr.on('error', () => {});
  let isTold = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isTold) return;
    isTold = true;
    process.stderr.write(`toolgraph: stdout cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  });
}
