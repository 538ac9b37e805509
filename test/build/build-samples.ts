import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WantedFiles } from '../../src/build/plan.js';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-build-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every file below a folder, by its path there. */
export function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** A build of tools with these names; another `version` has another content of every file. */
export function wantedOf(names: readonly string[], version = '1', scaffold: Record<string, string> = {}): WantedFiles {
  return {
    built: new Map([
      ['mcp-tools.json', `tools ${names} ${version}\n`],
      ['tools.jsonld', `graph ${names} ${version}\n`],
      ...names.map((name) => [`schemas/${name}.input.json`, `schema ${name} ${version}\n`] as const),
    ]),
    scaffold: new Map(Object.entries(scaffold)),
  };
}
