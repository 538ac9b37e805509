import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '../src/projection/generation.js';
import { createService } from '../src/service.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolgraph-resume-'));
  mkdirSync(join(root, 'graph/tools'), { recursive: true });
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/greet'), '#!/bin/sh\necho hello\n');
  chmodSync(join(root, 'bin/greet'), 0o755);
  for (const id of ['one', 'two']) writeTool(id, 'Says hello.');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function writeTool(id: string, description: string): void {
  const tool = {
    id,
    title: `Tool ${id}`,
    description,
    invoke: { shell: 'bin/greet' },
    io: {},
    satisfies: ['greeting'],
  };
  writeFileSync(join(root, `graph/tools/${id}.json`), JSON.stringify(tool));
}

interface Seen {
  readonly number: number;
  readonly digest: string;
  readonly listDigest: string;
  readonly entries: readonly unknown[];
  readonly omissions: readonly unknown[];
  readonly problems: readonly unknown[];
}

function seen({ number, digest, listDigest, entries, omissions, problems }: Generation): Seen {
  return { number, digest, listDigest, entries: [...entries], omissions, problems };
}

async function start(): Promise<Seen> {
  const service = createService({ root, watch: false });
  const first = seen(await service.ready);
  await service.close();
  return first;
}

/** What was lifted out of the graph can no longer be read, so a start that needs it fails. */
function damageLifted(): void {
  const db = new Database(join(root, '.toolgraph/graph.db'));
  db.prepare("UPDATE doc SET payload = 'damaged'").run();
  db.close();
}

function payloads(): unknown[] {
  const db = new Database(join(root, '.toolgraph/graph.db'), { readonly: true });
  const found = db.prepare('SELECT payload FROM doc').pluck().all();
  db.close();
  return found;
}

/** All rows of the records, and by how much their numbers have been counted up. */
function recordRows(): unknown {
  const db = new Database(join(root, '.toolgraph/records.db'), { readonly: true });
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const rows = tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]);
  db.close();
  return rows;
}

it('a start with nothing changed writes nothing into the records', async () => {
  await start();
  await start();
  const before = recordRows();
  await start();
  expect(recordRows()).toEqual(before);
  damageLifted();
  await start();
  expect(recordRows()).toEqual(before);
});

describe('A start with nothing changed', () => {
  it('gives the same generation without a look at the nodes', async () => {
    const first = await start();
    expect(first.entries).toHaveLength(2);
    damageLifted();
    expect(await start()).toEqual(first);
    // A start that needs what is damaged reads the documents and stores them again.
    expect(payloads()).toEqual(['damaged', 'damaged']);
  });

  it('is followed by edits as any other', async () => {
    const first = await start();
    const service = createService({ root });
    await service.ready;
    const changed = new Promise<Generation>((resolve) => {
      service.subscribe(({ generation }) => resolve(generation));
    });
    writeTool('two', 'Says goodbye.');
    const next = seen(await changed);
    expect(next.number).toBe(first.number + 1);
    expect(next.entries[0]).toEqual(first.entries[0]);
    expect(next.entries[1]).toMatchObject(['two', { declaration: { description: 'Says goodbye.' } }]);
    await service.close();
  });

  it('knows every node when somebody asks', async () => {
    await start();
    const service = createService({ root, watch: false });
    await service.ready;
    expect(service.nodes.map(({ tool }) => tool.id).sort()).toEqual(['one', 'two']);
    expect(service.status().documents).toBe(2);
    await service.close();
  });
});

describe('A start with a change does not take over what an earlier one made', () => {
  it('of a document', async () => {
    await start();
    writeTool('two', 'Says goodbye.');
    expect((await start()).entries[1]).toMatchObject(['two', { declaration: { description: 'Says goodbye.' } }]);
  });

  it('of a document that is gone', async () => {
    await start();
    rmSync(join(root, 'graph/tools/one.json'));
    expect((await start()).entries).toHaveLength(1);
  });

  it('of what the host answers', async () => {
    await start();
    chmodSync(join(root, 'bin/greet'), 0o644);
    const second = await start();
    expect(second.entries).toEqual([]);
    expect(second.omissions).toMatchObject([{ code: 'command-not-found' }, { code: 'command-not-found' }]);
  });

  it('of the config', async () => {
    await start();
    writeFileSync(join(root, 'toolgraph.config.json'), JSON.stringify({ prefix: 'mine' }));
    expect((await start()).entries).toMatchObject([
      ['mine_one', {}],
      ['mine_two', {}],
    ]);
  });

  it('of a second document that can no longer be read: what it once stated is not stated', async () => {
    const name = basename(root)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-');
    const add = (key: string) => {
      const statement = { '@id': `urn:toolgraph:${name}:tool/one`, [key]: 'Another one' };
      writeFileSync(join(root, 'graph/add.json'), JSON.stringify(statement));
    };
    add('title');
    expect((await start()).problems).toMatchObject([
      { code: 'invalid-node', subject: expect.stringMatching(/tool.one$/) },
    ]);
    add('titel');
    const next = await start();
    expect(next.problems).toMatchObject([{ document: 'graph/add.json', message: expect.stringContaining('titel') }]);
  });

  it('to a generation with a problem, which only the process that served before may answer for', async () => {
    const service = createService({ root });
    const before = seen(await service.ready);
    const broken = new Promise<Generation>((resolve) => {
      service.subscribe(({ generation }) => resolve(generation));
    });
    writeFileSync(join(root, 'graph/tools/two.json'), '{"id": "two"}');
    expect((await broken).entries.get('two')).toMatchObject({ lastGood: true });
    await service.close();
    const next = await start();
    expect(next.entries).toEqual(before.entries.slice(0, 1));
    expect(next.problems).not.toEqual([]);
  });
});
