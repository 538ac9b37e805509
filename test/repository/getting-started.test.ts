import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Terminal } from '../cli/cli-process.js';
import { cliPath } from '../e2e/build.js';
import { patienceMs } from '../e2e/deadline.js';
import { pageSteps, shownPattern, withChanges } from './page-steps.js';
import { projectFile } from './source-files.js';

const page = projectFile('docs/getting-started.md');
/** They fetch what this checkout has. */
const isInstallation = /^(?:npm (?:ci|link|install .*))$/;

/** A newcomer at two terminals, in a folder that is removed at the end. */
class Newcomer {
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-newcomer-')));
  readonly #env = { PATH: `${join(this.#home, 'bin')}:${process.env.PATH}`, NO_COLOR: '1', HOME: this.#home };
  #folder = this.#home;
  #watching: Terminal | undefined;
  #seen = 0;

  constructor() {
    mkdirSync(join(this.#home, 'bin'));
    const command = join(this.#home, 'bin', 'toolgraph');
    writeFileSync(command, `#!/bin/sh\nexec ${process.execPath} ${cliPath} "$@"\n`);
    chmodSync(command, 0o755);
    symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(this.#home, 'node_modules'));
  }

  save(path: string, text: string): void {
    mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
    writeFileSync(join(this.#folder, path), text);
  }

  change(path: string, lines: readonly { from: string; to: string }[]): void {
    writeFileSync(join(this.#folder, path), withChanges(readFileSync(join(this.#folder, path), 'utf8'), lines));
  }

  async run(command: string, output: string): Promise<void> {
    const folder = /^cd (\S+)$/.exec(command)?.[1];
    if (folder !== undefined) this.#folder = join(this.#folder, folder);
    if (folder !== undefined || isInstallation.test(command)) return;
    const terminal = new Terminal(command, { cwd: this.#folder, env: this.#env });
    if (command === 'node watch.mjs') {
      this.#watching = terminal;
      await this.hear(output);
    } else {
      await terminal.ended();
      expect(terminal.output).toMatch(shownPattern(output));
    }
  }

  /** Waits until the terminal that was left running says this, and nothing else. */
  async hear(output: string): Promise<void> {
    const terminal = this.#watching;
    if (terminal === undefined) throw new Error('nothing was left running');
    await terminal.waitFor(shownPattern(output), this.#seen);
    this.#seen = terminal.output.length;
  }

  async leave(): Promise<void> {
    this.#watching?.type('\u0003');
    await this.#watching?.ended();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

describe('The page for newcomers', () => {
  const newcomer = new Newcomer();
  afterAll(() => newcomer.leave(), patienceMs);

  it(
    'is true from its first command to its last',
    async () => {
      const steps = pageSteps(page);
      expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(['run', 'save', 'change', 'said']));
      for (const step of steps) {
        if (step.kind === 'save') newcomer.save(step.path, step.text);
        else if (step.kind === 'change') newcomer.change(step.path, step.lines);
        else if (step.kind === 'run') await newcomer.run(step.command, step.output);
        else await newcomer.hear(step.output);
      }
    },
    4 * patienceMs,
  );
});

describe('What a page shows', () => {
  it('is compared with what is printed, blanks counted once', () => {
    expect('a   1\r\nb\r\n').toMatch(shownPattern('a 1\nb'));
    expect('a 1\nx\ny\nb 27 c').toMatch(shownPattern('a 1\n…\nb … c'));
    expect('a 2').not.toMatch(shownPattern('a 1'));
    expect('a 1\nmore').not.toMatch(shownPattern('a 1'));
  });
});
