import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { manifestPath, parseManifest, sha256Of } from '../../src/build/manifest.js';
import { pathsIn, planBuild } from '../../src/build/plan.js';
import { readBuild } from '../../src/build/read-build.js';
import { writeBuild } from '../../src/build/write-build.js';
import { filesIn, temporaryFolder, wantedOf } from './build-samples.js';

/** Counts down to the step that fails, giving back the lock aside; below zero none does. */
const steps = vi.hoisted(() => ({ left: -1 }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const failing =
    <A extends unknown[], R>(step: (...args: A) => R) =>
    (...args: A): R => {
      if (String(args[0]).endsWith('.lock')) return step(...args);
      if (steps.left === 0) throw Object.assign(new Error('ended'), { code: 'EIO' });
      steps.left -= 1;
      return step(...args);
    };
  return { ...real, renameSync: failing(real.renameSync) };
});

afterEach(() => {
  steps.left = -1;
});

/** Whether a reader that trusts the manifest would take the files for one build, and for which. */
function trusted(folder: string): string | undefined {
  const files = filesIn(folder);
  const manifest = parseManifest(files[manifestPath] ?? '');
  if (manifest?.complete !== true) return undefined;
  for (const [path, digest] of manifest.files) if (sha256Of(files[path] ?? '') !== digest) return undefined;
  return files['mcp-tools.json'];
}

describe('writeBuild', () => {
  it('makes the folder, writes every file, and then has nothing to do', () => {
    const folder = join(temporaryFolder(), 'deep/er');
    const wanted = wantedOf(['a', 'b'], '1', { 'server.ts': 'mine' });
    writeBuild(folder, wanted);
    const files = filesIn(folder);
    expect(files).toEqual({
      ...Object.fromEntries([...wanted.built, ...wanted.scaffold]),
      [manifestPath]: expect.any(String),
    });
    const before = fs.statSync(join(folder, 'mcp-tools.json'), { bigint: true });
    expect(pathsIn(writeBuild(folder, wanted), 'missing', 'stale', 'extra')).toEqual([]);
    expect(fs.statSync(join(folder, 'mcp-tools.json'), { bigint: true }).mtimeNs).toBe(before.mtimeNs);
  });

  it('replaces what differs, removes what it had made and makes no more, and leaves every other file alone', () => {
    const folder = temporaryFolder();
    writeBuild(folder, wantedOf(['a', 'b', 'c'], '1', { 'server.ts': 'first' }));
    fs.writeFileSync(join(folder, 'schemas/theirs.input.json'), 'theirs');
    fs.writeFileSync(join(folder, 'schemas/c.input.json'), 'edited');
    fs.writeFileSync(join(folder, 'server.ts'), 'handlers');
    writeBuild(folder, wantedOf(['a'], '2', { 'server.ts': 'second' }));
    expect(filesIn(folder)).toEqual({
      ...Object.fromEntries(wantedOf(['a'], '2').built),
      'schemas/theirs.input.json': 'theirs',
      'schemas/c.input.json': 'edited',
      'server.ts': 'handlers',
      [manifestPath]: expect.any(String),
    });
  });

  it('refuses a file that no build has made, and writes nothing', () => {
    const folder = temporaryFolder();
    fs.writeFileSync(join(folder, 'tools.jsonld'), 'theirs');
    expect(() => writeBuild(folder, wantedOf(['a']))).toThrow(
      `${folder}/tools.jsonld is there, and no build has made it; move it away, or name another folder. Nothing was written`,
    );
    expect(filesIn(folder)).toEqual({ 'tools.jsonld': 'theirs' });
  });

  it.each([
    [
      'a manifest that is none',
      (folder: string) => fs.writeFileSync(join(folder, manifestPath), '{}'),
      'not the manifest of a build',
    ],
    [
      'a file in place of the folder of the schemas',
      (folder: string) => fs.writeFileSync(join(folder, 'schemas'), ''),
      'schemas is a link or a file',
    ],
    [
      'a link in place of the folder of the schemas',
      (folder: string) => fs.symlinkSync('..', join(folder, 'schemas')),
      'schemas is a link or a file',
    ],
    [
      'a link in place of a file',
      (folder: string) => fs.symlinkSync('/etc/passwd', join(folder, 'mcp-tools.json')),
      'mcp-tools.json is a link, a folder',
    ],
    [
      'a folder in place of a file',
      (folder: string) => fs.mkdirSync(join(folder, 'mcp-tools.json')),
      'mcp-tools.json is a link, a folder',
    ],
  ])('refuses %s, and writes nothing', (_, make, words) => {
    const folder = temporaryFolder();
    make(folder);
    const before = fs.readdirSync(folder);
    expect(() => writeBuild(folder, wantedOf(['a']))).toThrow(words);
    expect(fs.readdirSync(folder)).toEqual(before);
  });

  it('shows no reader who trusts the manifest half a build, wherever it is ended; the next one completes it', () => {
    const [old, next] = [wantedOf(['a', 'b'], '1'), wantedOf(['b', 'c'], '2')];
    let ended = 0;
    for (let step = 0; step < 20; step++) {
      const folder = temporaryFolder();
      writeBuild(folder, old);
      fs.writeFileSync(join(folder, 'theirs'), 'theirs');
      steps.left = step;
      try {
        writeBuild(folder, next);
      } catch (error) {
        ended += 1;
        expect(String(error)).toContain('build again');
      }
      steps.left = -1;
      expect([undefined, old.built.get('mcp-tools.json'), next.built.get('mcp-tools.json')]).toContain(trusted(folder));
      // Nor one who looks at nothing but whether it is complete.
      if (readBuild(folder).manifest?.complete === true) expect(trusted(folder)).toBeDefined();
      const isDone = pathsIn(planBuild(next, readBuild(folder)), 'missing', 'stale', 'extra').length === 0;
      expect(trusted(folder) === next.built.get('mcp-tools.json')).toBe(isDone);
      writeBuild(folder, next);
      expect(Object.keys(filesIn(folder)).sort()).toEqual([...next.built.keys(), 'theirs', manifestPath].sort());
      expect(trusted(folder)).toBe(next.built.get('mcp-tools.json'));
    }
    // The manifest that says so, four files that are new or differ, and the manifest of the whole.
    expect(ended).toBe(6);
  });

  it('refuses while another process builds, and takes the lock of one that has ended', () => {
    const folder = temporaryFolder();
    const lock = join(folder, '.toolgraph-build.lock');
    fs.symlinkSync(String(process.pid), lock);
    expect(() => writeBuild(folder, wantedOf(['a']))).toThrow(
      `another build (process ${process.pid}) is writing to ${folder}; wait for it to end. Where there is none, remove ${lock}`,
    );
    expect(fs.readdirSync(folder)).toEqual(['.toolgraph-build.lock']);
    const { pid } = spawnSync(process.execPath, ['--version']);
    fs.rmSync(lock);
    fs.symlinkSync(String(pid), lock);
    fs.mkdirSync(join(folder, '.toolgraph-build.new'));
    fs.writeFileSync(join(folder, '.toolgraph-build.new/0'), 'left by it');
    writeBuild(folder, wantedOf(['a']));
    expect(fs.readdirSync(folder).sort()).toEqual(['mcp-tools.json', 'schemas', manifestPath, 'tools.jsonld']);
  });

  it.each(['', 'schemas'])('says that a folder cannot be written, and changes nothing: "%s"', (inner) => {
    const folder = temporaryFolder();
    writeBuild(folder, wantedOf(['a']));
    const before = filesIn(folder);
    for (const path of ['', 'schemas']) fs.chmodSync(join(folder, path), path === inner ? 0o555 : 0o777);
    // A process of another user, because root may write everywhere.
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    expect(written([process.execPath], folder, user)).toBe(
      `${join(folder, inner)} cannot be written (EACCES: make it writable, or name another folder); nothing was changed`,
    );
    for (const path of ['', 'schemas']) fs.chmodSync(join(folder, path), 0o777);
    expect(filesIn(folder)).toEqual(before);
  });

  it('leaves the folder as it was where the disk is full, and no folder where there was none', () => {
    const parent = temporaryFolder();
    const held = join(parent, 'held');
    writeBuild(held, wantedOf(['a']));
    const before = filesIn(held);
    for (const folder of [join(parent, 'new/folder'), held]) {
      expect(written(['prlimit', '--fsize=4096', process.execPath], folder)).toBe(
        `${folder}/tools.jsonld cannot be written (EFBIG: free some space on the disk, or raise the quota or limit); nothing was changed`,
      );
    }
    expect(filesIn(held)).toEqual(before);
    expect(fs.readdirSync(parent)).toEqual(['held']);
  });
});

/** What a build of another process says that it cannot do. `node` is how that process is started. */
function written([command = '', ...words]: readonly string[], folder: string, options: { uid?: number } = {}): string {
  const module = new URL('../../dist/src/build/write-build.js', import.meta.url).href;
  const script = `import { writeBuild } from ${JSON.stringify(module)};
    const built = [['mcp-tools.json', 'x'], ['tools.jsonld', 'x'.repeat(9000)], ['schemas/a.input.json', 'x']];
    try { writeBuild(process.argv[1], { built: new Map(built), scaffold: new Map() }); }
    catch (error) { process.stdout.write(error.message); }`;
  return spawnSync(command, [...words, '--input-type=module', '-e', script, folder], { encoding: 'utf8', ...options })
    .stdout;
}
