import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

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
    // Some tests run the program as another user.
    chmodSync(root, 0o755);
    const copied = (path: string): boolean => !notCopied.has(relative(source, path).split(sep)[0] ?? '');
    cpSync(source, root, { recursive: true, filter: copied });
    symlinkSync(join(source, 'node_modules'), join(root, 'node_modules'), 'dir');
    return new MutantCheckout(root);
  }

  /** What the tests of each of these mutants give on the source as it is, by id: all of them are run once. */
  async baseline(mutants: readonly Mutant[]): Promise<ReadonlyMap<string, TestCounts>> {
    await this.#build();
    const files = [...new Set(mutants.map(({ test }) => test))];
    const names = [...new Set(mutants.map(({ name }) => `(?:${name})`))];
    const { tests } = await this.#test(files, names.join('|'), 60 * minute);
    return new Map(
      mutants.map(({ id, test, name }) => [
        id,
        count(tests.filter((it) => it.file === join(this.#root, test) && new RegExp(name).test(it.name))),
      ]),
    );
  }

  /** Runs the tests of a mutant on the changed source. `before` is its baseline. The file is put back afterwards. */
  async try(mutant: Mutant, before: TestCounts): Promise<MutantResult> {
    const file = join(this.#root, mutant.file);
    const original = readFileSync(file, 'utf8');
    const applied = applyMutant(original, mutant);
    if ('why' in applied) return { kind: 'unusable', why: applied.why };
    if (before.failed > 0 || before.passed === 0) {
      return { kind: 'unusable', why: `without the change ${before.passed} tests pass and ${before.failed} fail` };
    }
    try {
      writeFileSync(file, applied.source);
      const syntaxError = await this.#build();
      if (syntaxError !== undefined) return { kind: 'unusable', why: `the change is no TypeScript: ${syntaxError}` };
      const { tests, hung } = await this.#test([mutant.test], mutant.name, 10 * minute, '--bail=1');
      const after = count(tests);
      if (after.failed > 0 || hung) return { kind: 'killed' };
      if (after.passed === before.passed) return { kind: 'survived' };
      return { kind: 'unusable', why: `with the change only ${after.passed} of ${before.passed} tests could be run` };
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
    const syntaxError = stdout.split('\n').find((line) => /error TS1\d{3}:/.test(line));
    // The stamp of the tests' own global setup, which would build again, and refuse a type error.
    if (syntaxError === undefined) writeFileSync(join(this.#root, 'dist', '.built'), '');
    return syntaxError;
  }

  async #test(
    files: readonly string[],
    name: string,
    timeoutMs: number,
    ...options: readonly string[]
  ): Promise<{ tests: readonly TestResult[]; hung: boolean }> {
    const report = join(this.#root, 'mutant-report.json');
    rmSync(report, { force: true });
    const reporter = ['--reporter=json', `--outputFile=${report}`];
    const command = ['node_modules/vitest/vitest.mjs', 'run', ...files, '-t', name, ...options, ...reporter];
    const { hung } = await this.#run(command, timeoutMs);
    // Without a report vitest itself did not get as far as the tests.
    return { tests: existsSync(report) ? testResults(readFileSync(report, 'utf8')) : [], hung };
  }

  #run(args: readonly string[], timeoutMs: number): Promise<{ stdout: string; hung: boolean }> {
    return new Promise((resolve) => {
      const options = { cwd: this.#root, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
      execFile(process.execPath, args, options, (error, stdout) => resolve({ stdout, hung: error?.killed === true }));
    });
  }
}

interface TestResult {
  /** Absolute path. */
  readonly file: string;
  /** With the titles of the suites before it, as `vitest -t` sees it. */
  readonly name: string;
  readonly status: string;
}

/** The part that is read of what the JSON reporter of Vitest writes. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function testResults(text: string): TestResult[] {
  const { testResults: files } = JSON.parse(text) as Report;
  return files.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ file, name: fullName, status })),
  );
}

function count(tests: readonly TestResult[]): TestCounts {
  const having = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
  return { passed: having('passed'), failed: having('failed') };
}
