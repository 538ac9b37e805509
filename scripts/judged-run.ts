import { existsSync } from 'node:fs';
import { errorMessage } from '../src/error-message.js';

/** What a run found. */
export interface Judged {
  readonly isRight: boolean;
}

export interface JudgedRun<F extends Judged> {
  /** As in "the soak". */
  readonly what: string;
  readonly seed: number;
  /** Figures as JSON, not in words. */
  readonly json: boolean;
  /** A file that only Linux has, and what the run does with such. */
  readonly needs: { readonly file: string; readonly words: string };
  /** What is wrong with the options, in words. */
  readonly misuse: string | undefined;
  readonly run: () => Promise<F>;
  readonly render: (figures: F) => string;
}

/** Runs it and prints what it found. Exit 1 when that is not right or cannot be found, 2 when it cannot run here, or not so. */
export async function judge<F extends Judged>(options: JudgedRun<F>): Promise<void> {
  const { what, seed, json, needs, misuse, run, render } = options;
  const refusal = existsSync(needs.file)
    ? misuse
    : `${what} ${needs.words} in /proc, which this system does not have; run it on Linux`;
  if (refusal !== undefined) {
    console.error(refusal);
    process.exitCode = 2;
    return;
  }
  try {
    const figures = await run();
    console.log(json ? JSON.stringify(figures, null, 2) : render(figures));
    if (!figures.isRight) process.exitCode = 1;
  } catch (error) {
    console.error(`seed ${seed}: ${what} could not go on: ${errorMessage(error)}`);
    process.exitCode = 1;
  }
}
