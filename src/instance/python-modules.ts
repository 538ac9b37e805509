import { execFile } from 'node:child_process';
import type { Environment } from './host.js';

/** Less than the interval at which the host is looked at, so that each of these looks asks. */
const rememberMs = 8_000;
const modulePattern = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/**
 * Finds modules without importing them: `find_spec` of a dotted name would run the code of its parent package, which a
 * node must not be able to cause.
 */
const script = `
import json, sys
from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
def found(name):
    if BuiltinImporter.find_spec(name) or FrozenImporter.find_spec(name):
        return True
    path, spec, whole = None, None, ''
    for part in name.split('.'):
        whole = whole + '.' + part if whole else part
        spec = PathFinder.find_spec(whole, path)
        if spec is None:
            return False
        path = spec.submodule_search_locations
        if path is None:
            path = []
    return True
sys.path = [p for p in sys.path if p]
print(json.dumps([n for n in sys.argv[1:] if found(n)]))
`;

/** Which Python modules `python3` on PATH can import. Remembers an answer for 8 seconds, as long as PATH is the same. */
export class PythonModules {
  readonly #now: () => number;
  readonly #timeoutMs: number;
  #answer: { readonly key: string; readonly at: number; readonly modules: ReadonlySet<string> } | undefined;

  /** `timeoutMs`: @default 5000. `now` is a clock in ms. */
  constructor(timeoutMs = 5_000, now: () => number = () => performance.now()) {
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Asks again the next time; the last answer still stands in for one that fails. */
  forget(): void {
    if (this.#answer !== undefined) this.#answer = { ...this.#answer, at: Number.NEGATIVE_INFINITY };
  }

  /**
   * Those of `names` that are installed: one process for the whole set, none for an empty one. When it fails, as on a
   * busy host it may, the last answer to the same question stays; with none, nothing is installed. Never throws.
   */
  async installed(names: ReadonlySet<string>, env: Environment): Promise<ReadonlySet<string>> {
    const asked = [...names].filter((name) => name.length <= 256 && modulePattern.test(name)).sort();
    if (asked.length === 0) return new Set();
    const key = JSON.stringify([env.PATH, env.HOME, asked]);
    const before = this.#answer?.key === key ? this.#answer : undefined;
    if (before !== undefined && this.#now() - before.at < rememberMs) return before.modules;
    const modules = (await askPython(asked, env, this.#timeoutMs)) ?? before?.modules ?? new Set();
    this.#answer = { key, at: this.#now(), modules };
    return modules;
  }
}

function askPython(names: readonly string[], env: Environment, timeout: number): Promise<Set<string> | undefined> {
  return new Promise((resolve) => {
    // Only what a tool itself is given (tool-node.md §4): PYTHONPATH and its kin would give another answer.
    const given = { PATH: env.PATH, HOME: env.HOME, LANG: env.LANG };
    const options = { env: given, cwd: '/', timeout, killSignal: 'SIGKILL', maxBuffer: 1_048_576 } as const;
    try {
      execFile('python3', ['-c', script, ...names], options, (error, stdout) => {
        resolve(error === null ? parseNames(stdout) : undefined);
      });
    } catch {
      resolve(undefined);
    }
  });
}

function parseNames(stdout: string): Set<string> | undefined {
  try {
    const names: unknown = JSON.parse(stdout);
    return Array.isArray(names) ? new Set(names.filter((name) => typeof name === 'string')) : undefined;
  } catch {
    return undefined;
  }
}
