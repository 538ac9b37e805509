import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SeededRandom } from '../../../scripts/seeded-random.js';
import { type Burst, BurstPlan } from '../../../scripts/soak/bursts.js';
import { breakages, brokenText, type ExpectedTool, expectedTool, nodeText } from '../../../scripts/soak/node-file.js';
import { SoakInstance } from '../../../scripts/soak/soak-instance.js';
import { ingestDocument } from '../../../src/ingest/ingest.js';

const base = 'urn:toolgraph:soak:';

async function brokenIn(text: string): Promise<readonly string[] | 'all'> {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { path: 'graph/tools/x.json', bytes, sha256, signature: '', folderKind: 'tools' as const };
  return (await ingestDocument(file, { base, allowIris: [], contexts: new Map() })).broken;
}

interface Played {
  readonly burst: Burst;
  readonly before: ReadonlyMap<string, ExpectedTool>;
  readonly after: ReadonlyMap<string, ExpectedTool>;
}

/** Applies bursts to a real folder and tells what was planned, and what is expected before and after. */
async function play(seed: number, count: number): Promise<Played[]> {
  const plan = new BurstPlan(new SeededRandom(seed));
  const instance = new SoakInstance(plan.firstFiles(30));
  const played: Played[] = [];
  try {
    for (let i = 0; i < count; i++) {
      const before = played.at(-1)?.after ?? instance.expected(new Map());
      const burst = plan.next(instance.files());
      await instance.apply(burst);
      played.push({ burst, before, after: instance.expected(before) });
    }
    return played;
  } finally {
    instance.remove();
  }
}

function names(expected: ReadonlyMap<string, ExpectedTool>): string {
  return JSON.stringify([...expected.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
}

describe('A node of the soak', () => {
  const text = nodeText('soak-1', 'Does it.', ['soaking']);

  it('is expected as it is written, and toolgraph agrees that it is sound', async () => {
    expect(expectedTool(text)).toEqual({ name: 'soak_1', description: 'Does it.' });
    expect(await brokenIn(text)).toEqual([]);
  });

  it.each(breakages)('broken as "%s" is expected to be broken, and toolgraph agrees', async (how) => {
    expect(expectedTool(brokenText(text, how))).toBeUndefined();
    expect(await brokenIn(brokenText(text, how))).not.toEqual([]);
  });
});

describe('The bursts of a soak', () => {
  const played: Played[] = [];
  beforeAll(async () => {
    played.push(...(await play(1, 60)));
  }, 240_000);

  it('are the same for the same seed, whatever the time, and others for another', async () => {
    const bursts = (of: readonly Played[]): Burst[] => of.map(({ burst }) => burst);
    expect(bursts(await play(1, 12))).toEqual(bursts(played.slice(0, 12)));
    expect(bursts(await play(2, 3))).not.toEqual(bursts(played.slice(0, 3)));
  });

  it('change nothing that a client sees when they say so, and something in most other cases', () => {
    const silent = played.filter(({ burst }) => burst.isSilent);
    expect(silent.length).toBeGreaterThan(5);
    for (const { before, after } of silent) expect(names(after)).toBe(names(before));
    const loud = played.filter(({ burst }) => !burst.isSilent);
    expect(loud.filter(({ before, after }) => names(after) !== names(before)).length).toBeGreaterThan(loud.length / 2);
  });

  it('are of every kind before long', () => {
    const edits = played.map(({ burst }) => burst.edits);
    expect([...new Set(edits.flat().map(({ kind }) => kind))].sort()).toEqual(
      ['bring-back', 'delete', 'rename', 'switch-branch', 'take-away', 'touch', 'write', 'write-twice'].sort(),
    );
    expect(Math.max(...edits.map(({ length }) => length))).toBe(300);
  });

  it('touch a file at most once each, so that what is last-good does not depend on what was seen in between', () => {
    for (const { burst } of played) {
      const paths = burst.edits.flatMap((edit) => ('path' in edit ? [edit.path] : []));
      expect(new Set(paths).size).toBe(paths.length);
    }
  });
});

describe('What is expected of a folder', () => {
  it('keeps the last good tool of a file that is broken, and drops that of one that is gone', async () => {
    const files = ['a', 'b', 'c'].map((id) => ({
      path: `graph/tools/${id}.json`,
      text: nodeText(id, `Is ${id}.`, ['s']),
    }));
    const instance = new SoakInstance(files);
    onTestFinished(() => instance.remove());
    const before = instance.expected(new Map());
    await instance.apply({
      name: 'test',
      gapMs: 0,
      isSilent: false,
      edits: [
        { kind: 'write', path: 'graph/tools/a.json', text: '{', how: 'in-place' },
        { kind: 'delete', path: 'graph/tools/b.json' },
        { kind: 'write', path: 'graph/tools/c.json', text: nodeText('c', 'Is new.', ['s']), how: 'atomic' },
      ],
    });
    expect([...instance.expected(before).values()]).toEqual([
      { name: 'a', description: 'Is a.' },
      { name: 'c', description: 'Is new.' },
    ]);
    expect([...instance.expected(new Map()).keys()]).toEqual(['graph/tools/c.json']);
  });

  it('keeps everything while the node folder is away, and nothing of a folder in it', async () => {
    const instance = new SoakInstance([{ path: 'graph/tools/a.json', text: nodeText('a', 'Is a.', ['s']) }]);
    onTestFinished(() => instance.remove());
    const before = instance.expected(new Map());
    const apply = (...edits: Burst['edits']) => instance.apply({ name: 'test', gapMs: 0, isSilent: false, edits });
    for (const how of ['rename', 'delete'] as const) {
      await apply({ kind: 'take-away', folder: 'graph', how });
      expect(instance.expected(before)).toEqual(before);
      await apply({ kind: 'bring-back', folder: 'graph' });
      await apply({ kind: 'take-away', folder: 'graph/tools', how });
      expect(instance.expected(before).size).toBe(0);
      await apply({ kind: 'bring-back', folder: 'graph/tools' });
      expect(instance.expected(before)).toEqual(before);
    }
  });
});
