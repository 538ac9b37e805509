import type { Output } from './terminal.js';

/** A first ingest that is shorter than this says nothing; a longer one says something at most this often, unless at a terminal. */
const quietMs = 1000;
const terminalMs = 100;

export interface Progress {
  update(done: number, total: number): void;
  /** Takes the line away again, at a terminal. */
  end(): void;
}

/** The line on stderr of a first ingest that takes a while: overwritten at a terminal, else a new line each second. */
export function createProgress(
  output: Pick<Output, 'terminal' | 'raw'>,
  now: () => number = () => performance.now(),
): Progress {
  const interval = output.terminal ? terminalMs : quietMs;
  let next = now() + quietMs;
  let shown = false;
  return {
    update(done, total) {
      // The last document is no progress: what comes of it is said at once.
      if (now() < next || done >= total) return;
      next = now() + interval;
      const words = `toolgraph: read ${done} of ${total} documents`;
      output.raw(output.terminal ? `\r${eraseLine}${words}` : `${words}\n`);
      shown = true;
    },
    end() {
      if (shown && output.terminal) output.raw(`\r${eraseLine}`);
      shown = false;
      next = Number.POSITIVE_INFINITY;
    },
  };
}

const eraseLine = '\u001b[K';
