import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderScanner, type ScanOptions, type ScanResult } from '../../src/ingest/scan.js';
import { unprivileged } from '../instance/unprivileged.js';

const graphOnly: ScanOptions = { folders: [{ path: 'graph' }], ignore: [], documentBytes: 1_000, documents: 100 };

let root: string;
/** The scanner's clock: it stands still between steps, and begins late enough for what a test writes to be old. */
let now: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'toolgraph-scan-'));
  chmodSync(root, 0o755);
  mkdirSync(join(root, 'graph'));
  now = Date.now() + 3_600_000;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function scannerOf(options: Partial<ScanOptions> = {}) {
  return new FolderScanner(root, { ...graphOnly, ...options }, () => now);
}

function write(path: string, text = '{}') {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const changed = (result: ScanResult) => result.changed.map(({ path }) => path);
const unreadable = (result: ScanResult) => [...result.unreadable].map(([path, { code }]) => `${code} ${path}`);

describe('a full scan', () => {
  it('gives what is new or another, sorted by path, with bytes, digest, signature and folder kind', () => {
    write('graph/b/z.json');
    write('graph/b-a.json');
    write('graph/a.md', '# ü');
    write('skills/s/SKILL.md', 'x');
    const scanner = scannerOf({ folders: [{ path: 'skills', kind: 'skills' }, { path: 'graph' }] });
    const first = scanner.scan();
    expect(changed(first)).toEqual(['graph/a.md', 'graph/b-a.json', 'graph/b/z.json', 'skills/s/SKILL.md']);
    expect(first.changed[1]).toEqual({
      path: 'graph/b-a.json',
      bytes: new TextEncoder().encode('{}'),
      sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      signature: expect.stringMatching(/^\d+:2:\d+:\d+$/),
    });
    expect(first.changed[3]?.folderKind).toBe('skills');
    expect(first).toMatchObject({ removed: [], missingFolders: [], kept: [], retryInMs: undefined });
    expect(first.unreadable.size).toBe(0);

    write('graph/b/z.json', '[]');
    expect(changed(scanner.scan())).toEqual(['graph/b/z.json']);
    expect(changed(scanner.scan())).toEqual([]);
  });

  it('does not read what is seeded with the same signature, and reads what is not', () => {
    write('graph/a.json');
    write('graph/b.json');
    const [a] = scannerOf().scan().changed;
    const scanner = scannerOf();
    scanner.seed('graph/a.json', a?.signature ?? '');
    scanner.seed('graph/b.json', '1:2:3:4');
    expect(changed(scanner.scan())).toEqual(['graph/b.json']);
  });

  it('W16: reads no dotfiles, backups, swap files, and nothing that the config ignores', () => {
    for (const name of [
      '.a.json',
      'a.json~',
      'a.tmp',
      '.a.swp',
      '4913',
      '#a.json#',
      'node_modules/p/a.json',
      '.git/a.json',
    ]) {
      write(`graph/${name}`);
    }
    write('graph/drafts/a.json');
    write('graph/a.json');
    const result = scannerOf({ ignore: ['graph/drafts'] }).scan();
    expect(changed(result)).toEqual(['graph/a.json']);
    expect(result.unreadable.size).toBe(0);
  });

  it('W16: the same names are left alone when an event names them', () => {
    const scanner = scannerOf({ ignore: ['graph/drafts'] });
    scanner.scan();
    const paths = ['graph/.a.json', 'graph/node_modules/a.json', 'graph/drafts/a.json', 'elsewhere/a.json'];
    for (const path of paths) write(path);
    expect(changed(scanner.scan(new Set(paths)))).toEqual([]);
  });

  it('reads every form of a document, and leaves other files alone without a word', () => {
    const forms = ['a.json', 'a.jsonld', 'a.md', 'a.nq', 'a.nt', 'a.trig', 'a.ttl', 'a.yaml', 'a.yml'];
    for (const name of [...forms, 'readme.txt']) write(`graph/${name}`, '{}\n');
    const result = scannerOf().scan();
    expect(changed(result)).toEqual(forms.map((name) => `graph/${name}`));
    expect(result.unreadable.size).toBe(0);
  });

  it('reports what is too large, not a regular file, or not permitted, keeps what was known, and recovers', () => {
    write('graph/big.json');
    write('graph/secret.json');
    const scanner = scannerOf();
    scanner.scan();
    write('graph/big.json', ' '.repeat(1_001));
    write('graph/secret.json', '[1]');
    chmodSync(join(root, 'graph/secret.json'), 0);
    execFileSync('mkfifo', [join(root, 'graph/pipe.json')]);
    const result = unprivileged(() => scanner.scan());
    expect(changed(result)).toEqual([]);
    expect(result.removed).toEqual([]);
    expect(unreadable(result).map((it) => it.split('/')[1])).toEqual(['big.json', 'pipe.json', 'secret.json']);
    expect(result.kept).toEqual(['graph/big.json', 'graph/secret.json']);
    for (const { message } of result.unreadable.values()) expect(message).not.toContain(root);

    write('graph/big.json', '[2]');
    chmodSync(join(root, 'graph/secret.json'), 0o644);
    rmSync(join(root, 'graph/pipe.json'));
    const after = unprivileged(() => scanner.scan());
    expect(changed(after)).toEqual(['graph/big.json', 'graph/secret.json']);
    expect(after.unreadable.size).toBe(0);
    expect(after.kept).toEqual([]);
  });

  it('forgets the problem of a file that is deleted', () => {
    write('graph/big.json', ' '.repeat(2_000));
    const scanner = scannerOf();
    expect(unreadable(scanner.scan())).toEqual(['unreadable graph/big.json']);
    rmSync(join(root, 'graph/big.json'));
    expect(unreadable(scanner.scan())).toEqual([]);
  });

  it('keeps everything in a subfolder that cannot be listed', () => {
    write('graph/sub/a.json');
    const scanner = scannerOf();
    scanner.scan();
    chmodSync(join(root, 'graph/sub'), 0);
    now += 5_000;
    const result = unprivileged(() => scanner.scan());
    chmodSync(join(root, 'graph/sub'), 0o755);
    expect(result).toMatchObject({ removed: [], kept: ['graph/sub/a.json'], missingFolders: [] });
    expect(unreadable(result)).toEqual(['unreadable graph/sub']);
    expect(scanner.scan()).toMatchObject({ changed: [], kept: [] });
  });

  it('follows as many documents as the limit allows, says which is the first too many, and never drops a known one', () => {
    for (const name of ['b', 'c', 'd', 'e']) write(`graph/${name}.json`);
    const scanner = scannerOf({ documents: 3 });
    const first = scanner.scan();
    expect(changed(first)).toEqual(['graph/b.json', 'graph/c.json', 'graph/d.json']);
    expect(unreadable(first)).toEqual(['unreadable graph/e.json']);
    write('graph/a.json');
    const second = scanner.scan(new Set(['graph/a.json']));
    expect(second).toMatchObject({ changed: [], removed: [] });
    expect(unreadable(second)).toEqual(['unreadable graph/a.json']);
    rmSync(join(root, 'graph/b.json'));
    rmSync(join(root, 'graph/a.json'));
    scanner.scan();
    now += 100;
    expect(scanner.scan().removed).toEqual(['graph/b.json']);
    expect(changed(scanner.scan())).toEqual(['graph/e.json']);
  });
});

describe('the limit on the number of documents', () => {
  it('admits documents of an earlier run as a first run would, so that a restart and a reset give the same', () => {
    for (const name of ['a', 'b', 'c', 'd']) write(`graph/${name}.json`);
    const restarted = scannerOf({ documents: 2 });
    for (const name of ['b', 'c', 'd']) restarted.seed(`graph/${name}.json`, '1:2:3:4');
    const result = restarted.scan();
    expect(changed(result)).toEqual(changed(scannerOf({ documents: 2 }).scan()));
    expect(unreadable(result)).toEqual(['unreadable graph/c.json']);
    expect(result.removed).toEqual(['graph/c.json', 'graph/d.json']);
  });

  it('applies to what is known when it is lowered', () => {
    for (const name of ['a', 'b', 'c']) write(`graph/${name}.json`);
    const scanner = scannerOf({ documents: 3 });
    scanner.scan();
    scanner.reconfigure({ ...graphOnly, documents: 1 });
    expect(scanner.scan().removed).toEqual(['graph/b.json', 'graph/c.json']);
  });
});

describe('a file that is being saved', () => {
  it('W1: is never removed by a save that unlinks it and adds it again', () => {
    write('graph/a.json', '{"v":1}');
    const scanner = scannerOf();
    scanner.scan();
    for (let v = 2; v < 10; v++) {
      rmSync(join(root, 'graph/a.json'));
      const gone = scanner.scan();
      expect(gone).toMatchObject({ removed: [], changed: [], retryInMs: 100 });
      now += 99;
      expect(scanner.scan()).toMatchObject({ removed: [], retryInMs: 1 });
      write('graph/a.json', `{"v":${v}}`);
      expect(scanner.scan()).toMatchObject({ removed: [], changed: [{ path: 'graph/a.json' }] });
    }
  });

  it('W1: counts as missing only since the last event of it, because it may have been there in between', () => {
    write('graph/a.json');
    const scanner = scannerOf();
    scanner.scan();
    rmSync(join(root, 'graph/a.json'));
    const told = new Set(['graph/a.json']);
    for (let i = 0; i < 50; i++) {
      expect(scanner.scan(told, i % 2 === 0).removed).toEqual([]);
      now += 100;
    }
    expect(scanner.scan(new Set()).removed).toEqual(['graph/a.json']);
  });

  it('W5: is removed once when it has been missing for 100 ms', () => {
    write('graph/a.json');
    write('graph/b.json');
    const scanner = scannerOf();
    scanner.scan();
    rmSync(join(root, 'graph/a.json'));
    scanner.scan(new Set(['graph/a.json']));
    now += 100;
    expect(scanner.scan(new Set()).removed).toEqual(['graph/a.json']);
    expect(scanner.scan().removed).toEqual([]);
  });

  it('W2: is put back while its JSON is half-written and young, and taken as it is when it stays so', () => {
    write('graph/a.json', '{"v":1}');
    const scanner = scannerOf();
    scanner.scan();
    for (const half of ['', '{"v":']) {
      write('graph/a.json', half);
      now = Date.now() + 50;
      const result = scanner.scan();
      expect(result).toMatchObject({ changed: [], removed: [] });
      expect(result.retryInMs).toBeGreaterThan(0);
      expect(result.retryInMs).toBeLessThanOrEqual(200);
    }
    now += 200;
    expect(changed(scanner.scan(new Set()))).toEqual(['graph/a.json']);
    write('graph/a.json', '{"v":2}');
    expect(changed(scanner.scan(new Set(['graph/a.json'])))).toEqual(['graph/a.json']);
  });

  it.each(['a.yaml', 'a.ttl', 'a.nq'])(
    'W2: is put back while its last line is not ended, where half may parse: %s',
    (name) => {
      const scanner = scannerOf();
      const path = `graph/${name}`;
      write(path, '# one line\n# half of ano');
      now = Date.now() + 50;
      expect(scanner.scan()).toMatchObject({ changed: [], retryInMs: expect.any(Number) });
      write(path, '# one line\n# another\n');
      expect(changed(scanner.scan())).toEqual([path]);
      write(path, '# a person ends no line');
      now = Date.now() + 50;
      expect(changed(scanner.scan())).toEqual([]);
      now += 200;
      expect(changed(scanner.scan())).toEqual([path]);
    },
  );

  it('W2: is put back at start too, and for no longer when its time lies in the future', () => {
    write('graph/a.json', '{"v":');
    now = Date.now() - 86_400_000;
    const scanner = scannerOf();
    expect(scanner.scan()).toMatchObject({ changed: [], retryInMs: 200 });
    now += 150;
    expect(scanner.scan()).toMatchObject({ changed: [], retryInMs: 50 });
    now += 50;
    expect(changed(scanner.scan())).toEqual(['graph/a.json']);
  });

  it('is given again when only its time changed, with the same digest, so that its signature can be kept', () => {
    write('graph/a.json');
    const scanner = scannerOf();
    const [first] = scanner.scan().changed;
    utimesSync(join(root, 'graph/a.json'), 1, 1);
    const [second] = scanner.scan().changed;
    expect(second?.sha256).toBe(first?.sha256);
    expect(second?.signature).not.toBe(first?.signature);
  });

  it('is found again when a rename puts a file with the same size and times in its place', () => {
    write('graph/a.json', '{"v":1}');
    utimesSync(join(root, 'graph/a.json'), 5, 5);
    const scanner = scannerOf();
    scanner.scan();
    write('graph/new', '{"v":2}');
    utimesSync(join(root, 'graph/new'), 5, 5);
    renameSync(join(root, 'graph/new'), join(root, 'graph/a.json'));
    expect(changed(scanner.scan())).toEqual(['graph/a.json']);
  });
});

describe('a folder that goes missing (W4)', () => {
  it('keeps everything, says so, and recovers without a change', () => {
    write('graph/a.json');
    const scanner = scannerOf();
    scanner.scan();
    renameSync(join(root, 'graph'), join(root, 'away'));
    for (const ms of [0, 150, 10_000]) {
      now += ms;
      const gone = scanner.scan(new Set(['graph/a.json']));
      expect(gone).toMatchObject({ removed: [], missingFolders: ['graph'], kept: ['graph/a.json'] });
    }
    renameSync(join(root, 'away'), join(root, 'graph'));
    expect(scanner.scan(new Set())).toMatchObject({ changed: [], removed: [], missingFolders: [], kept: [] });
  });

  it('does not remove files one by one while the folder is being deleted', () => {
    for (const name of ['a', 'b', 'c', 'd']) write(`graph/${name}.json`);
    const scanner = scannerOf();
    scanner.scan();
    for (const name of ['a', 'b', 'c', 'd']) {
      rmSync(join(root, `graph/${name}.json`));
      now += 90;
      expect(scanner.scan().removed).toEqual([]);
    }
    rmSync(join(root, 'graph'), { recursive: true });
    now += 5_000;
    expect(scanner.scan()).toMatchObject({ removed: [], missingFolders: ['graph'] });
  });

  it('W4: removes what a folder that came back no longer has, but not while it may still be copied', () => {
    write('graph/a.json');
    write('graph/b.json');
    const scanner = scannerOf();
    scanner.scan();
    rmSync(join(root, 'graph'), { recursive: true });
    scanner.scan();
    write('graph/b.json', '[]');
    expect(changed(scanner.scan())).toEqual(['graph/b.json']);
    now += 300;
    expect(scanner.scan().removed).toEqual([]);
    now += 100;
    expect(scanner.scan().removed).toEqual(['graph/a.json']);
  });

  it('keeps everything when the root is gone, and when a file is in the place of the folder', () => {
    write('graph/a.json');
    const scanner = scannerOf();
    scanner.scan();
    renameSync(root, `${root}-away`);
    now += 1_000;
    expect(scanner.scan()).toMatchObject({ removed: [], missingFolders: ['graph'] });
    renameSync(`${root}-away`, root);
    rmSync(join(root, 'graph'), { recursive: true });
    write('graph', 'a file');
    now += 1_000;
    const result = scanner.scan();
    expect(result).toMatchObject({ removed: [], missingFolders: ['graph'], kept: ['graph/a.json'] });
    expect(unreadable(result)).toEqual(['unreadable graph']);
  });

  it('removes the files of a subfolder that is deleted', () => {
    write('graph/sub/a.json');
    write('graph/b.json');
    const scanner = scannerOf();
    scanner.scan();
    rmSync(join(root, 'graph/sub'), { recursive: true });
    scanner.scan(new Set(['graph/sub/a.json']));
    now += 100;
    expect(scanner.scan().removed).toEqual(['graph/sub/a.json']);
  });

  it('says at start which seeded documents cannot be looked at', () => {
    rmSync(join(root, 'graph'), { recursive: true });
    const scanner = scannerOf();
    scanner.seed('graph/a.json', '1:2:3:4');
    expect(scanner.scan()).toMatchObject({
      changed: [],
      removed: [],
      missingFolders: ['graph'],
      kept: ['graph/a.json'],
    });
  });
});

describe('a symbolic link (W7)', () => {
  const link = (target: string, path: string) => symlinkSync(target, join(root, path));

  it('to "." or to anything read in its own place ends there, and each file is one document', () => {
    write('graph/a.json');
    write('graph/sub/b.json');
    link('.', 'graph/loop');
    link('a.json', 'graph/again.json');
    link('sub', 'graph/sub-again');
    const result = scannerOf().scan();
    expect(changed(result)).toEqual(['graph/a.json', 'graph/sub/b.json']);
    expect(result.unreadable.size).toBe(0);
  });

  it('out of the instance is refused and reported, for a file and for a folder, and no path of the host is told', () => {
    const outside = mkdtempSync(join(tmpdir(), 'toolgraph-outside-'));
    writeFileSync(join(outside, 'secret.json'), '{}');
    link('/etc/passwd', 'graph/passwd.json');
    link(outside, 'graph/folder');
    link('/etc/hostname', 'graph/other');
    const result = scannerOf().scan();
    rmSync(outside, { recursive: true });
    expect(changed(result)).toEqual([]);
    expect(unreadable(result)).toEqual(['unreadable graph/folder', 'unreadable graph/passwd.json']);
    for (const { message } of result.unreadable.values())
      expect(message).toMatch(/^the link leads outside the instance/);
  });

  it('keeps a known document that is replaced by a link out of the instance', () => {
    write('graph/a.json');
    const scanner = scannerOf();
    scanner.scan();
    rmSync(join(root, 'graph/a.json'));
    link('/etc/passwd', 'graph/a.json');
    now += 1_000;
    expect(scanner.scan(new Set(['graph/a.json']))).toMatchObject({ changed: [], removed: [], kept: ['graph/a.json'] });
  });

  it('to the folder around the node folder, to itself, or to nothing is reported', () => {
    write('graph/a.json');
    link('..', 'graph/up');
    link('self.json', 'graph/self.json');
    link('nothing.json', 'graph/dangling.json');
    const result = scannerOf().scan();
    expect(changed(result)).toEqual(['graph/a.json']);
    expect(unreadable(result).map((it) => it.split('/')[1])).toEqual(['dangling.json', 'self.json', 'up']);
  });

  it('into the rest of the instance is read once, by the first path, and loops out there end', () => {
    write('lib/x.json');
    write('lib/deep/y.json');
    link('..', 'lib/deep/back');
    link('../lib', 'graph/b');
    link('../lib', 'graph/c');
    link('../lib/x.json', 'graph/a.json');
    const scanner = scannerOf();
    const first = scanner.scan();
    expect(changed(first)).toEqual(['graph/a.json', 'graph/b/deep/y.json']);
    expect(first.unreadable.size).toBe(0);
    write('lib/x.json', '[1]');
    expect(changed(scanner.scan())).toEqual(['graph/a.json']);
    expect([...scanner.watched().linkTargets].sort()).toContain(join(root, 'lib/x.json'));
  });

  it('into an ignored folder beside it is read, as in a mounted ConfigMap, and follows when that is switched', () => {
    write('graph/..v1/a.json', '{"v":1}');
    write('graph/..v2/a.json', '{"v":2}');
    link('..v1', 'graph/..data');
    link('..data/a.json', 'graph/a.json');
    const scanner = scannerOf();
    expect(changed(scanner.scan())).toEqual(['graph/a.json']);
    link('..v2', 'graph/..next');
    renameSync(join(root, 'graph/..next'), join(root, 'graph/..data'));
    const after = scanner.scan();
    expect(changed(after)).toEqual(['graph/a.json']);
    expect(new TextDecoder().decode(after.changed[0]?.bytes)).toBe('{"v":2}');
  });

  it('in the place of a node folder is followed inside the instance only', () => {
    write('real/a.json');
    link('real', 'inside');
    link('/etc', 'outside');
    const result = scannerOf({ folders: [{ path: 'inside' }, { path: 'outside' }, { path: 'real' }] }).scan();
    expect(changed(result)).toEqual(['inside/a.json']);
    expect(result.missingFolders).toEqual(['outside', 'real']);
    expect(unreadable(result)).toEqual(['unreadable outside', 'unreadable real']);
  });

  it('that is hard is another document', () => {
    write('graph/a.json');
    linkSync(join(root, 'graph/a.json'), join(root, 'graph/b.json'));
    expect(changed(scannerOf().scan())).toEqual(['graph/a.json', 'graph/b.json']);
  });
});

describe('what a caller asks for', () => {
  it('reads a document again on request: changed though the same, removed though never known', () => {
    write('graph/a.json');
    const scanner = scannerOf();
    scanner.scan();
    scanner.reread(['graph/a.json', 'graph/gone.json']);
    expect(scanner.scan(new Set())).toMatchObject({
      changed: [{ path: 'graph/a.json' }],
      removed: ['graph/gone.json'],
    });
    expect(scanner.scan(new Set())).toMatchObject({ changed: [], removed: [] });
    write('graph/b.json');
    scanner.scan();
    scanner.reread();
    expect(changed(scanner.scan(new Set()))).toEqual(['graph/a.json', 'graph/b.json']);
  });

  it('removes at once what other folders or ignore rules leave out, and gives again what has another kind', () => {
    write('graph/a.json');
    write('graph/drafts/b.json');
    write('more/c.json');
    const scanner = scannerOf({ folders: [{ path: 'graph' }, { path: 'more' }] });
    scanner.scan();
    scanner.reconfigure({ ...graphOnly, folders: [{ path: 'graph', kind: 'tools' }], ignore: ['graph/drafts'] });
    expect(scanner.scan(new Set())).toMatchObject({
      changed: [{ path: 'graph/a.json', folderKind: 'tools' }],
      removed: ['graph/drafts/b.json', 'more/c.json'],
      missingFolders: [],
    });
  });
});

describe('W4: a node folder that is removed slowly', () => {
  const paths = Array.from({ length: 12 }, (_, i) => `graph/${String(i).padStart(2, '0')}.json`);

  it.each([
    ['in full scans', undefined],
    ['as far as events tell', 'told'],
  ])('ends as a missing folder that keeps every document, looked at %s', (_, how) => {
    for (const path of paths) write(path);
    const scanner = scannerOf();
    scanner.scan();
    for (const path of paths) {
      rmSync(join(root, path));
      now += 150;
      expect(scanner.scan(how === undefined ? undefined : new Set([path]), how === undefined).removed).toEqual([]);
    }
    rmSync(join(root, 'graph'), { recursive: true });
    now += 20;
    expect(scanner.scan()).toMatchObject({ removed: [], missingFolders: ['graph'], kept: paths });
  });

  it('keeps a document whose deletion was told when others are missing of which nobody told', () => {
    for (const path of paths) write(path);
    const scanner = scannerOf();
    scanner.scan();
    const [told = '', ...others] = paths;
    rmSync(join(root, told));
    expect(scanner.scan(new Set([told]), false).removed).toEqual([]);
    for (const path of others) rmSync(join(root, path));
    now += 150;
    expect(scanner.scan(new Set(), false).removed).toEqual([]);
    rmSync(join(root, 'graph'), { recursive: true });
    expect(scanner.scan().kept).toEqual(paths);
  });

  it('retracts what is still missing when the folder has rested', () => {
    for (const path of paths) write(path);
    const scanner = scannerOf();
    scanner.scan();
    for (const path of paths.slice(2)) rmSync(join(root, path));
    expect(scanner.scan().removed).toEqual([]);
    now += 400;
    expect(scanner.scan().removed).toEqual(paths.slice(2));
  });
});
