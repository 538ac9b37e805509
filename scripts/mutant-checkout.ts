import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { applyMutant } from './apply-mutant.js';
import type { Mutant } from './mutants-table.js';

export type MutantResult =
  | { readonly kind: 'killed' }
  /** The tests pass although the source is wrong. */
  | { readonly kind: 'survived' }
  /** It says nothing about the tests, and why. */
  | { readonly kind: 'unusable'; readonly why: string };

const notCopied = new Set(['node_modules', '.git', '.toolgraph', 'dist']);
const minute = 60_000;

/** A copy of the checkout in a temporary folder, in which one mutant at a time is tried. */
export class MutantCheckout {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static create(source: string): MutantCheckout {
    const root = mkdtempSync(join(tmpdir(), 'toolgraph-mutants-'));
    const copied = (path: string): boolean => !notCopied.has(relative(source, path).split(sep)[0] ?? '');
    cpSync(source, root, { recursive: true, filter: copied });
    symlinkSync(join(source, 'node_modules'), join(root, 'node_modules'), 'dir');
    return new MutantCheckout(root);
  }

  /** Runs the named tests on the source as it is, then on the changed source. The file is put back afterwards. */
  async try(mutant: Mutant): Promise<MutantResult> {
    const file = join(this.#root, mutant.file);
    const original = readFileSync(file, 'utf8');
    const applied = applyMutant(original, mutant);
    if ('why' in applied) return { kind: 'unusable', why: applied.why };
    await this.#build();
    const before = await this.#test(mutant);
    if (before.failed > 0 || before.passed === 0) {
      return { kind: 'unusable', why: `without the change ${before.passed} tests pass and ${before.failed} fail` };
    }
    try {
      writeFileSync(file, applied.source);
      const syntaxError = await this.#build();
      if (syntaxError !== undefined) return { kind: 'unusable', why: `the change is no TypeScript: ${syntaxError}` };
      const after = await this.#test(mutant);
      return { kind: after.failed > 0 || after.hung ? 'killed' : 'survived' };
    } finally {
      writeFileSync(file, original);
    }
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Builds `dist`, for tests that start the program. A type error may be the point of a mutant; a syntax error (TS1…) is not. */
  async #build(): Promise<string | undefined> {
    const { stdout } = await this.#run(['node_modules/typescript/bin/tsc', '--pretty', 'false'], 5 * minute);
    return stdout.split('\n').find((line) => /error TS1\d{3}:/.test(line));
  }

  async #test({ test, name }: Mutant): Promise<{ passed: number; failed: number; hung: boolean }> {
    const report = join(this.#root, 'mutant-report.json');
    rmSync(report, { force: true });
    const filter = name === undefined ? [] : ['-t', name];
    const reporter = ['--reporter=json', `--outputFile=${report}`];
    const { hung } = await this.#run(
      ['node_modules/vitest/vitest.mjs', 'run', test, ...filter, ...reporter],
      10 * minute,
    );
    if (hung) return { passed: 0, failed: 0, hung };
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
    return { passed: numPassedTests ?? 0, failed: numFailedTests ?? 0, hung };
  }

  #run(args: readonly string[], timeoutMs: number): Promise<{ stdout: string; hung: boolean }> {
    return new Promise((resolve) => {
      const options = { cwd: this.#root, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
      execFile(process.execPath, args, options, (error, stdout) => resolve({ stdout, hung: error?.killed === true }));
    });
  }
}
