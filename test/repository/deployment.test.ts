import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from './source-files.js';

const page = projectFile('docs/deployment.md');
const folder = mkdtempSync(join(tmpdir(), 'toolgraph-unit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** What systemd has to say of a unit: nothing when it is in order. */
function faultsOf(unit: string): string {
  const file = join(folder, 'toolgraph.service');
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  // Of other units of this machine it may speak, too.
  const ofThis = stderr.split('\n').filter((line) => line.includes('toolgraph.service'));
  return status === 0 ? ofThis.join('\n') : `exit ${status}: ${stderr}`;
}

describe('The page on deployment', () => {
  const unit = /```ini\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const containerFile = /```dockerfile\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

  it.runIf(hasSystemd)('has a unit that systemd accepts', () => {
    expect(unit).toContain('[Service]');
    expect(faultsOf(unit)).toBe('');
    expect(faultsOf(unit.replace('KillMode=mixed', 'KilMode=mixed'))).toMatch(/KilMode/);
  });

  it('copies into its container all that the package has, but for words', () => {
    const { files } = JSON.parse(projectFile('package.json')) as { files: string[] };
    const copied = [...containerFile.matchAll(/^COPY --from=build \/opt\/toolgraph\/(\S+)/gm)].map(([, path]) => path);
    const needed = files.filter((path) => !['docs', 'CHANGELOG.md'].includes(path));
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'node_modules']));
    expect(needed.filter((path) => !copied.some((from) => path === from || path.startsWith(`${from}/`)))).toEqual([]);
  });
});
