import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openGraphStore } from '../../src/store/graph-store.js';

const repository = resolve(import.meta.dirname, '..', '..');
const writer = join(import.meta.dirname, 'store-writer.mjs');
let built: string;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  built = realpathSync(mkdtempSync(join(tmpdir(), 'toolgraph-built-')));
  symlinkSync(join(repository, 'node_modules'), join(built, 'node_modules'));
  writeFileSync(join(built, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(built, 'tsconfig.json'),
    JSON.stringify({
      extends: join(repository, 'tsconfig.json'),
      compilerOptions: {
        rootDir: repository,
        outDir: built,
        declaration: false,
        typeRoots: [join(repository, 'node_modules/@types')],
      },
      include: [join(repository, 'src/store'), join(repository, 'schemas')],
    }),
  );
  execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', built], { stdio: 'pipe' });
});

afterAll(() => rmSync(built, { recursive: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-processes-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function start(task: 'write' | 'rewrite' | 'fill', number: number): { child: ChildProcess; stderr: () => string } {
  // The thread that fills a store is found by the name of the package.
  const code = task === 'fill' ? join(repository, 'dist') : built;
  const child = spawn(process.execPath, [writer, code, folder, task, String(number)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return { child, stderr: () => stderr };
}

/** Of the quads: by document, how many there are, and the text of the one that changes. */
function stored(): Map<string, { quads: number; text: string }> {
  const store = openGraphStore(folder, '1');
  const found = new Map<string, { quads: number; text: string }>();
  for (const [path, { sha256, signature }] of store.documents()) {
    const quads = store.graph(`urn:toolgraph:test:document/${path}`);
    const texts = quads.filter(({ subject }) => subject.value.endsWith('/0')).map(({ object }) => object.value);
    expect(texts).toEqual([sha256]);
    expect(signature).toBe(`sig ${sha256}`);
    found.set(path, { quads: quads.length, text: sha256 });
  }
  expect(store.match().length).toBe([...found.values()].reduce((sum, { quads }) => sum + quads, 0));
  store.close();
  return found;
}

function integrity(name: string): unknown {
  const db = new Database(join(folder, name));
  const result = db.pragma('integrity_check', { simple: true });
  db.close();
  return result;
}

describe('several processes', () => {
  it.each([
    ['a fresh folder', () => {}],
    ['a damaged file, which one of them drops', () => writeFileSync(join(folder, 'graph.db'), 'x'.repeat(9000))],
  ])('six write 300 documents each, from %s: no busy error, and one truth', async (_, prepare) => {
    prepare();
    const runs = Array.from({ length: 6 }, (_, number) => start('write', number));
    const results = await Promise.all(
      runs.map(async ({ child, stderr }) => {
        const [line] = child.stdout === null ? [] : await once(createInterface(child.stdout), 'line');
        const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
        return { code, stderr: stderr(), raced: (JSON.parse(line) as { raced: number }).raced };
      }),
    );
    for (const { code, stderr } of results) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const documents = stored();
    expect(documents.size).toBe(300);
    expect([...documents.values()].every(({ quads }) => quads === 10)).toBe(true);
    expect(integrity('graph.db')).toBe('ok');
    const records = new Database(join(folder, 'records.db'));
    const numbers = records.prepare('SELECT number FROM generation ORDER BY number').pluck().all();
    records.close();
    expect(numbers).toEqual(Array.from({ length: 1800 }, (_, i) => i + 1));
  });

  it('G11: a process killed with -9 while it writes leaves all of its transaction or nothing', async () => {
    let killedInside = 0;
    for (let round = 0; round < 5; round++) {
      const { child, stderr } = start('rewrite', round);
      const lines: string[] = [];
      const exit = once(child, 'exit');
      await new Promise<void>((done, failed) => {
        if (child.stdout === null) return failed(new Error('no stdout'));
        createInterface(child.stdout).on('line', (line) => {
          lines.push(line);
          // A little into its second transaction or later; how far differs from round to round.
          if (line.startsWith('begin ') && lines.length === 3) setTimeout(() => done(), round);
        });
        child.once('exit', () => failed(new Error(stderr())));
      });
      child.removeAllListeners('exit');
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await Promise.race([exit, once(child, 'exit')]);
      if (lines.at(-1)?.startsWith('begin ')) killedInside += 1;
      const documents = stored();
      expect(documents.size).toBe(200);
      const texts = new Set([...documents.values()].map(({ text }) => text));
      expect(texts.size).toBe(1);
      const finished = Number(
        lines
          .filter((line) => line.startsWith('end '))
          .at(-1)
          ?.slice(4),
      );
      const found = Number([...texts][0]?.split(' ').at(-1));
      expect(found).toBeGreaterThanOrEqual(finished);
      expect(integrity('graph.db')).toBe('ok');
    }
    expect(killedInside).toBeGreaterThan(0);
  });

  it('G11: a process killed with -9 while it fills an empty store leaves whole batches', async () => {
    const { child, stderr } = start('fill', 0);
    const lines: string[] = [];
    await new Promise<void>((done, failed) => {
      if (child.stdout === null) return failed(new Error('no stdout'));
      createInterface(child.stdout).on('line', (line) => {
        lines.push(line);
        if (line === 'end 3') done();
      });
      child.once('exit', () => failed(new Error(stderr())));
    });
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const documents = stored();
    expect(documents.size).toBeGreaterThanOrEqual(200);
    expect(documents.size % 50).toBe(0);
    expect([...documents.values()].every(({ quads }) => quads === 10)).toBe(true);
    expect(integrity('graph.db')).toBe('ok');
  });
});
