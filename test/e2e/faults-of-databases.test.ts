import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { eventually, patienceMs, within } from './deadline.js';
import { makeInstance, startServer } from './harness.js';
import { type Instance, nodePath, toolNode } from './instance.js';
import type { Session } from './session.js';
import { rebuild, storedQuads } from './store-content.js';

/** One whom permissions bind, which root is not. */
const user = process.geteuid?.() === 0 ? 65_534 : undefined;
const graph = '.toolgraph/graph.db';
const records = '.toolgraph/records.db';
const isAboutGraph = (line: string) => line.includes('graph.db');

async function makeNamed(count = 3, fields: Record<string, unknown> = {}): Promise<Instance> {
  const instance = await makeInstance(Array.from({ length: count }, (_, n) => toolNode(`t${n}`, fields)));
  await instance.config({ name: 'databases' });
  return instance;
}

/** Makes the state of the instance, and moves all of it out of the write-ahead logs. */
async function serveOnce(instance: Instance): Promise<void> {
  const server = startServer(instance);
  await (await server.open('2025-11-25')).list();
  await server.stop();
  for (const name of [graph, records]) change(instance, name, (db) => db.pragma('wal_checkpoint(TRUNCATE)'));
}

function change(instance: Instance, name: string, act: (db: Database.Database) => void): void {
  const db = new Database(instance.path(name));
  act(db);
  db.close();
}

/** Overwrites every `step`th page but the first ones, as a disk does that loses blocks. */
function spoilPages(file: string, step: number): void {
  const fd = openSync(file, 'r+');
  for (let at = 3 * 4096; at < statSync(file).size; at += step * 4096)
    writeSync(fd, Buffer.alloc(4096, 0xa5), 0, 4096, at);
  closeSync(fd);
}

async function expectTruth(instance: Instance, session: Session): Promise<void> {
  const truth = await rebuild(instance);
  expect((await session.list()).generation.digest).toBe(truth.digest);
  expect(storedQuads(instance)).toEqual(truth.quads);
}

describe('a graph.db that a start cannot use', () => {
  it.each<[string, RegExp, (instance: Instance) => void]>([
    ['garbage', /it is damaged/, (instance) => writeFileSync(instance.path(graph), 'no database '.repeat(1000))],
    ['cut off in the middle', /it is damaged/, (instance) => truncateSync(instance.path(graph), 20_480)],
    ['damaged pages', /it is damaged/, (instance) => spoilPages(instance.path(graph), 2)],
    [
      'an older schema',
      /its schema has version 1/,
      (instance) => change(instance, graph, (db) => db.pragma('user_version = 1')),
    ],
    [
      'a newer schema',
      /its schema has version 99/,
      (instance) => change(instance, graph, (db) => db.pragma('user_version = 99')),
    ],
  ])('(%s) is rebuilt to the same digest, which is said once', async (_, why, spoil) => {
    const instance = await makeNamed(20);
    await serveOnce(instance);
    spoil(instance);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    await expectTruth(instance, session);
    const told = server.stderr.all.filter(isAboutGraph);
    expect(told).toEqual([expect.stringMatching(/graph\.db was dropped and is rebuilt/)]);
    expect(told[0]).toMatch(why);
    expect((await session.list()).generation.number).toBe(1);
  });

  it('(damage in a file too large to check at each start) is rebuilt when it is met', async () => {
    const instance = await makeNamed(24, { downstream: { text: 'long '.repeat(150_000) } });
    await serveOnce(instance);
    expect(statSync(instance.path(graph)).size).toBeGreaterThan(16 * 1024 * 1024);
    spoilPages(instance.path(graph), 64);
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    await expectTruth(instance, session);
    await server.stderr.next((line) =>
      /graph\.db (?:is damaged; it is rebuilt|was damaged or removed while)/.test(line),
    );
  });
});

describe('a start that cannot have its databases', () => {
  it.each<[string, RegExp, (instance: Instance) => void]>([
    [
      'graph.db is a folder',
      /graph\.db: expected a file, and it is a folder; remove it/,
      (instance) => {
        rmSync(instance.path(graph));
        mkdirSync(instance.path(graph));
      },
    ],
    [
      'graph.db may not be read',
      /graph\.db: it cannot be opened for writing; correct the permissions/,
      (instance) => chmodSync(instance.path(graph), 0),
    ],
    [
      '.toolgraph is a file',
      /\.toolgraph in the instance is no folder; remove it/,
      (instance) => {
        rmSync(instance.path('.toolgraph'), { recursive: true });
        writeFileSync(instance.path('.toolgraph'), '');
      },
    ],
    [
      'a newer toolgraph wrote records.db',
      /records\.db: a newer toolgraph wrote it \(version 99, .*; update toolgraph, or move the file away/,
      (instance) => change(instance, records, (db) => db.pragma('user_version = 99')),
    ],
  ])('(%s) exits 1 with words', async (_, words, spoil) => {
    const instance = await makeNamed();
    await serveOnce(instance);
    spoil(instance);
    execFileSync('chmod', ['a+rwX', instance.root]);
    if (existsSync(instance.path(records)))
      execFileSync('sh', [
        '-c',
        'chmod a+rwx "$0"; chmod a+rw "$0"/records.db* "$0"/open.lock',
        instance.path('.toolgraph'),
      ]);
    const server = startServer(instance, { user });
    expect((await within(server.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    expect(server.stderr.all).toEqual([expect.stringMatching(words)]);
    expect(server.stderrText).not.toContain(instance.root);
  });

  it('(records.db is damaged) sets it aside and begins a new one', async () => {
    const instance = await makeNamed();
    await serveOnce(instance);
    writeFileSync(instance.path(records), 'no database '.repeat(1000));
    const server = startServer(instance);
    expect((await (await server.open('2025-11-25')).list()).generation.number).toBe(1);
    expect(server.stderr.all).toContainEqual(
      expect.stringMatching(/records\.db is damaged; it was renamed to records\.db\.corrupt-1/),
    );
    expect(readdirSync(instance.path('.toolgraph'))).toContain('records.db.corrupt-1');
  });
});

describe('while a server runs', () => {
  async function running(instance: Instance) {
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    const { generation } = await session.list();
    return { server, session, generation };
  }

  const edited = (id: string) => toolNode(id, { description: 'Edited' });

  it.each<[string, (file: string) => void]>([
    ['damaged', (file) => spoilPages(file, 1)],
    ['overwritten', (file) => writeFileSync(file, 'no database '.repeat(40_000))],
    ['cut off', (file) => truncateSync(file, 8192)],
    ['emptied', (file) => truncateSync(file, 0)],
  ])('a graph.db that is %s is rebuilt at the next edit, which is said once', async (_, spoil) => {
    const instance = await makeNamed(40);
    await serveOnce(instance);
    const { server, session, generation } = await running(instance);
    spoil(instance.path(graph));
    await instance.replace(nodePath('t1'), edited('t1'));
    await session.listChanged();
    const after = await session.list();
    expect(after.generation.number).toBe(generation.number + 1);
    expect(after.tools.map(({ name }) => name)).toHaveLength(40);
    await eventually(() => existsSync(instance.path(graph)), 'there is a new file');
    await expectTruth(instance, session);
    await instance.replace(nodePath('t2'), edited('t2'));
    await session.listChanged();
    await expectTruth(instance, session);
    expect(server.stderr.all.filter(isAboutGraph)).toEqual([
      expect.stringMatching(/graph\.db was damaged or removed while it was in use; all documents are read again/),
    ]);
    expect((await session.read('toolgraph://status')).state).toBe('ready');
    expect(await session.listChangesDuring(500)).toBe(0);
  });

  it('a state folder that is removed is made anew at the next edit, and others find the same in it', async () => {
    const instance = await makeNamed(40);
    const { server, session, generation } = await running(instance);
    await instance.remove('.toolgraph');
    await instance.replace(nodePath('t1'), edited('t1'));
    await session.listChanged();
    await expectTruth(instance, session);
    const after = (await session.list()).generation;
    expect(after.number).toBe(generation.number + 1);
    expect(server.stderr.all.filter((line) => line.includes('.db'))).toHaveLength(2);
    const other = await running(instance);
    expect(other.generation).toEqual(after);
    expect(other.server.stderr.all.filter((line) => line.includes('.db'))).toEqual([]);
  });

  it('a records.db that is damaged is set aside, and the numbers go on', async () => {
    const instance = await makeNamed();
    await serveOnce(instance);
    const { server, session, generation } = await running(instance);
    change(instance, records, (db) => {
      const add = db.prepare("INSERT INTO generation VALUES ('!', ?, 'digest', 'at')");
      db.transaction(() => {
        for (let n = 1; n <= 2000; n++) add.run(n);
      }).immediate();
      db.pragma('wal_checkpoint(TRUNCATE)');
    });
    spoilPages(instance.path(records), 1);
    await instance.replace(nodePath('t1'), edited('t1'));
    await session.listChanged();
    expect((await session.list()).generation.number).toBe(generation.number + 1);
    expect(readdirSync(instance.path('.toolgraph'))).toContain('records.db.corrupt-1');
    expect(server.stderr.all.filter((line) => line.includes('records.db'))).toHaveLength(1);
    expect((await session.read('toolgraph://status')).state).toBe('ready');
  });

  it('a lock that is held is waited for, and told of when it stays: what is known is served, a start ends, and all heals', async () => {
    const instance = await makeNamed();
    const { server, session } = await running(instance);
    const lock = new Database(instance.path(graph));
    const isAboutLock = (line: string) =>
      line.includes('graph.db: another process has held its lock for too long; end that process');
    lock.exec('BEGIN IMMEDIATE');
    await instance.replace(nodePath('t1'), edited('t1'));
    // Shorter than a process waits.
    await delay(1_000);
    lock.exec('COMMIT');
    await session.listChanged();
    lock.exec('BEGIN IMMEDIATE');
    await instance.replace(nodePath('t2'), edited('t2'));
    const other = startServer(instance);
    expect((await within(other.exited, patienceMs, () => 'the server did not end')).code).toBe(1);
    expect(other.stderr.all).toEqual([expect.stringContaining('another process has held its lock for too long')]);
    await server.stderr.next(isAboutLock);
    expect((await session.list()).tools.map(({ description }) => description)).toEqual([
      'Does t0',
      'Edited',
      'Does t2',
    ]);
    expect((await session.read('toolgraph://status')).state).toBe('degraded');
    lock.exec('COMMIT');
    lock.close();
    await session.listChanged();
    await expectTruth(instance, session);
    expect((await session.read('toolgraph://status')).state).toBe('ready');
    expect(server.stderr.all.filter(isAboutLock)).toHaveLength(1);
  });
});
