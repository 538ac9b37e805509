import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually } from './deadline.js';
import { makeInstance, serveCommand, serveEnv, startServer } from './harness.js';
import { nodePath, toolNode } from './instance.js';

/**
 * The largest file that a running process may write: the kernel refuses what lies behind it with EFBIG, as it refuses every write to a
 * full disk. Needs no right that a test has not, unlike a file system of its own.
 */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]);
}

const isAboutRoom = (line: string) => line.includes('free some space on the disk, or raise the quota or limit');

it.each([
  ['at once', 0],
  ['in the middle of a page', 40_000],
])(
  'a disk that gets full while a server runs, %s: it serves what it knows, says so once, and heals by itself',
  async (_, bytes) => {
    const instance = await makeInstance(Array.from({ length: 20 }, (_, n) => toolNode(`t${n}`)));
    const server = startServer(instance);
    const session = await server.open('2025-11-25');
    const before = await session.list();
    limitFiles(server.pid, bytes);
    const edited = { description: 'x'.repeat(3000) };
    for (let n = 0; n < 20; n++) await instance.replace(nodePath(`t${n}`), toolNode(`t${n}`, edited));
    await server.stderr.next(isAboutRoom);
    await instance.write(nodePath('late'), toolNode('late'));
    await instance.remove(nodePath('t3'));
    await eventually(async () => (await session.read('toolgraph://status')).state === 'degraded', 'it is degraded');
    expect(await session.list()).toEqual(before);
    // A call whose record cannot be written is not made (R6).
    for (let n = 0; n < 2; n++) {
      expect((await session.call('t3')).refusal).toMatchObject({
        code: 'internal_error',
        message: expect.stringMatching(/^t3 was not run, because .*records\.db: there is no room to write it/),
      });
    }
    // Two more attempts fail without another word.
    expect(await session.listChangesDuring(3_500)).toBe(0);
    expect(server.stderr.all.filter(isAboutRoom)).toEqual([
      expect.stringContaining('graph.db'),
      expect.stringMatching(/a call could not be recorded: .*records\.db/),
    ]);

    limitFiles(server.pid, 'unlimited');
    await session.listChanged();
    await server.stderr.next((line) => line.includes('what had changed could be taken in'));
    expect((await session.read('toolgraph://status')).state).toBe('ready');
    const after = await session.list();
    expect(after.tools.map(({ name }) => name)).toContain('late');
    expect(after.tools.map(({ name }) => name)).not.toContain('t3');
    expect((await session.call('t4')).text).toBe('t4\n');
    expect(after.generation.number).toBe(before.generation.number + 1);
    await server.stop();
    await instance.remove('.toolgraph/graph.db');
    const rebuilt = await (await startServer(instance).open('2025-11-25')).list();
    expect(rebuilt.generation).toEqual(after.generation);
  },
);

it.each([
  ['one document', 1, [0, 5_000, 30_000]],
  // Which a thread of its own writes.
  ['many documents', 600, [150_000, 1_000_000]],
])(
  'a disk that is full when a server starts ends the start with words, and the next start succeeds: %s',
  async (_, count, sizes) => {
    const ids = Array.from({ length: count }, (_, n) => `t${n}`);
    const instance = await makeInstance(ids.map((id) => toolNode(id)));
    const [command, ...words] = serveCommand(instance);
    for (const bytes of sizes) {
      const refused = spawnSync('prlimit', [`--fsize=${bytes}`, command, ...words], {
        encoding: 'utf8',
        env: serveEnv(),
      });
      expect(refused).toMatchObject({ status: 1, stdout: '' });
      const told = refused.stderr
        .split('\n')
        .filter((line) => !/^(?:toolgraph: read \d+ of \d+ documents)?$/.test(line));
      expect(new Set(told).size).toBe(1);
      expect(told[0]).toMatch(
        /^toolgraph: \.toolgraph\S*: there is no room to write (?:in )?it; free some space on the disk/,
      );
    }
    const session = await startServer(instance).open('2025-11-25');
    expect(await session.names()).toEqual(ids.sort());
    expect(await readFile(instance.path('.toolgraph/.gitignore'), 'utf8')).toBe('*\n');
  },
);
