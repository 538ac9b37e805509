import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LineProcess } from '../line-process.js';
import { packageRoot } from '../package-root.js';
import { collectedBytes } from './collected-line.js';
import { type ProcessFigures, processFigures } from './process-figures.js';

/** What a server holds, once the garbage is collected. */
export interface ServerFigures extends ProcessFigures {
  /** Of the heap of JavaScript, what is in use, in MiB. */
  readonly heapMiB: number;
}

/** Options of Node with which a server collects its garbage when it is asked to. Built, because Node loads it. */
export const collectingOptions: readonly string[] = [
  ...['--expose-gc', '--import'],
  join(packageRoot(import.meta.url), 'dist', 'scripts', 'soak', 'collect-on-signal.js'),
];

/** In ms: a server that has not collected its garbage by then never will. */
const collectMs = 30_000;
const pollMs = 10;
/** What a collection has freed is given back to the system a moment later, and some of it only by the next one. */
const givenBackMs = 300;
/** A server that still gives back then is measured as it is, in ms. */
const restMs = 15_000;

/** Measures a server that was started with `collectingOptions`. It has to hear what that says on stderr. */
export class ServerMeter {
  #heapBytes: number | undefined;

  hear(text: string): void {
    this.#heapBytes = collectedBytes(text) ?? this.#heapBytes;
  }

  async figures(process: LineProcess): Promise<ServerFigures> {
    this.#heapBytes = undefined;
    process.kill('SIGUSR2');
    const deadline = performance.now() + collectMs;
    while (this.#heapBytes === undefined && performance.now() < deadline) await delay(pollMs);
    return { ...processFigures(process.pid), heapMiB: (this.#heapBytes ?? Number.NaN) / 2 ** 20 };
  }

  /** As `figures`, once two collections one after the other have brought neither memory nor descriptors back. */
  async restingFigures(process: LineProcess): Promise<ServerFigures> {
    const deadline = performance.now() + restMs;
    let last = await this.figures(process);
    for (let unchanged = 0; unchanged < 2 && performance.now() < deadline; ) {
      await delay(givenBackMs);
      const next = await this.figures(process);
      const hasFallen = last.descriptors > next.descriptors || last.anonymousMiB - next.anonymousMiB > 1;
      unchanged = hasFallen ? 0 : unchanged + 1;
      last = next;
    }
    return last;
  }
}
