import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DocumentMirror } from '../src/document-mirror.js';
import { ingestDocument } from '../src/ingest/ingest.js';
import type { DocumentNodes } from '../src/projection/node.js';
import { type GraphStore, openGraphStore } from '../src/store/graph-store.js';
import { lift } from '../src/store/lift.js';
import { toolIri } from '../src/store/node-iri.js';
import { classes, propertyIri } from '../src/store/vocabulary.js';
import { base, sourceFile, tool } from './ingest/ingest-source.js';

const [a, b] = [toolIri(base, 'a'), toolIri(base, 'b')];
const [port, remedy] = [`${base}port/p`, `${base}remedy/r`];
const [homePath, morePath] = ['graph/tools/a.json', 'graph/more.json'];

/** The node folder: content by path, and how often each was written. */
class Folder {
  readonly #files = new Map<string, { readonly content: object | string; readonly signature: string }>();
  #writes = 0;

  write(path: string, content: object | string): void {
    this.#files.set(path, { content, signature: `sig ${++this.#writes}` });
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  get paths(): string[] {
    return [...this.#files.keys()];
  }

  signature(path: string): string | undefined {
    return this.#files.get(path)?.signature;
  }

  read(path: string) {
    const { content = '', signature = '' } = this.#files.get(path) ?? {};
    return { ...sourceFile(path, content), signature };
  }
}

/** A mirror that is told what a scan of the folder would tell. */
class Follower {
  readonly mirror: DocumentMirror;
  readonly #folder: Folder;
  readonly #seen: Map<string, string>;

  constructor(store: GraphStore, folder: Folder) {
    this.mirror = new DocumentMirror(store, { base, allowIris: [] }, () => {});
    this.#folder = folder;
    this.#seen = new Map(this.mirror.restore());
  }

  async follow(): Promise<void> {
    let again = await this.#apply(new Set());
    for (let round = 0; again.size > 0; round++) {
      if (round > 5) throw new Error(`still to be read again: ${[...again]}`);
      again = await this.#apply(again);
    }
  }

  #apply(again: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const { paths } = this.#folder;
    const removed = [...new Set([...this.#seen.keys(), ...again])].filter((path) => !paths.includes(path));
    const changed = paths.filter((path) => again.has(path) || this.#seen.get(path) !== this.#folder.signature(path));
    for (const path of removed) this.#seen.delete(path);
    for (const path of changed) this.#seen.set(path, this.#folder.signature(path) ?? '');
    return this.mirror.apply({ changed: changed.map((path) => this.#folder.read(path)), removed });
  }
}

/** A state folder of its own, and how to open its store. */
function stateFolder(): (version?: string) => GraphStore {
  const path = mkdtempSync(join(tmpdir(), 'toolgraph-mirror-'));
  const open: GraphStore[] = [];
  onTestFinished(() => {
    for (const store of open) store.close();
    rmSync(path, { recursive: true });
  });
  return (version = '1') => {
    const store = openGraphStore(path, version);
    open.push(store);
    return store;
  };
}

/** What the mirror gives, in the order of the paths. */
function snapshot({ nodes }: DocumentMirror): [string, DocumentNodes][] {
  return [...nodes].sort(([one], [other]) => (one < other ? -1 : 1));
}

async function freshSnapshot(folder: Folder): Promise<[string, DocumentNodes][]> {
  const path = mkdtempSync(join(tmpdir(), 'toolgraph-mirror-'));
  const store = openGraphStore(path, '1');
  try {
    const fresh = new Follower(store, folder);
    await fresh.follow();
    return snapshot(fresh.mirror);
  } finally {
    store.close();
    rmSync(path, { recursive: true });
  }
}

/** What another document states of a Tool. */
function statement(iri: string, fields: Record<string, unknown>): Record<string, unknown> {
  return { '@context': 'https://w3id.org/toolgraph/v1.jsonld', '@id': iri, ...fields };
}

/** A home in another vocabulary's context, so that no shape check asks it to be complete. */
function partialHome(iri: string, fields: Record<string, unknown>): Record<string, unknown> {
  const stated = Object.entries(fields).map(([key, value]) => [propertyIri(key), value]);
  return { '@context': {}, '@id': iri, '@type': classes.Tool, ...Object.fromEntries(stated) };
}

async function start(files: Record<string, object | string>) {
  const folder = new Folder();
  for (const [path, content] of Object.entries(files)) folder.write(path, content);
  const open = stateFolder();
  const follower = new Follower(open(), folder);
  await follower.follow();
  return { folder, open, follower, mirror: follower.mirror };
}

it('a first ingest of many documents tells of its progress, and stores and holds each', async () => {
  const folder = new Folder();
  const ids = Array.from({ length: 600 }, (_, i) => `t${i}`);
  for (const id of ids) folder.write(`graph/tools/${id}.json`, tool({ id }));
  const open = stateFolder();
  const store = open();
  const told: number[] = [];
  const mirror = new DocumentMirror(store, { base, allowIris: [] }, (done) => told.push(done));
  mirror.restore();
  const again = await mirror.apply({ changed: folder.paths.sort().map((path) => folder.read(path)), removed: [] });
  expect(again.size).toBe(0);
  expect(told).toEqual([250, 500, 600]);
  await store.settled();
  const restarted = new DocumentMirror(open(), { base, allowIris: [] }, () => {});
  expect(restarted.restore().size).toBe(600);
  expect(snapshot(restarted)).toEqual(snapshot(mirror));
  expect([...mirror.nodes.values()].flatMap(({ tools }) => tools.map((node) => node.tool.id)).sort()).toEqual(
    ids.sort(),
  );
});

it('what a document adds to its own Tool is checked with it', async () => {
  const home = { '@type': 'Tool', ...tool({ id: 'a' }) };
  const more = { '@id': a, deprecated: { reason: 'old' } };
  const { mirror } = await start({
    [homePath]: { '@context': 'https://w3id.org/toolgraph/v1.jsonld', '@graph': [home, more] },
  });
  expect(mirror.nodes.get(homePath)).toMatchObject({
    tools: [],
    broken: [a],
    diagnostics: [{ message: expect.stringContaining('deprecated'), subject: a }],
  });
});

describe('a Tool that a second document describes too', () => {
  it('is merged at its home, which is what changed, and is as it was when the second goes', async () => {
    const { folder, follower, mirror } = await start({ [homePath]: tool({ id: 'a' }) });
    const alone = mirror.nodes.get(homePath);
    mirror.takeChanges();
    folder.write(morePath, statement(a, { tier: 'experimental', openWorld: true }));
    await follower.follow();
    const changes = mirror.takeChanges();
    expect([...changes.keys()].sort()).toEqual([morePath, homePath]);
    expect(changes.get(morePath)).toMatchObject({ tools: [], diagnostics: [], broken: [] });
    expect(changes.get(homePath)).toMatchObject({ diagnostics: [], broken: [] });
    expect(changes.get(homePath)?.tools).toMatchObject([
      { iri: a, document: homePath, pointer: '', tool: { tier: 'experimental', openWorld: true } },
    ]);
    folder.remove(morePath);
    await follower.follow();
    expect([...mirror.takeChanges()]).toEqual([
      [morePath, undefined],
      [homePath, alone],
    ]);
  });

  it('is a problem at its home while the two contradict each other, and heals when the second is corrected', async () => {
    const { folder, follower, mirror } = await start({
      [homePath]: tool({ id: 'a', title: 'A' }),
      [morePath]: statement(a, { title: 'B' }),
    });
    expect(mirror.nodes.get(homePath)).toMatchObject({
      tools: [],
      broken: [a],
      diagnostics: [
        {
          code: 'invalid-node',
          message: `title: two different values, "A" in ${homePath} and "B" in ${morePath}; keep one`,
          document: homePath,
          pointer: '/title',
          subject: a,
        },
      ],
    });
    folder.write(morePath, statement(a, { title: 'A' }));
    await follower.follow();
    expect(mirror.nodes.get(homePath)).toMatchObject({
      broken: [],
      diagnostics: [],
      tools: [{ tool: { title: 'A' } }],
    });
  });

  it('stays a problem when its own document was refused, whatever the second says', async () => {
    const { title, ...untitled } = tool({ id: 'a' });
    const { mirror } = await start({ [homePath]: untitled, [morePath]: statement(a, { title }) });
    expect(mirror.nodes.get(homePath)).toMatchObject({ tools: [], broken: [a], diagnostics: [{ subject: a }] });
  });

  it('that states too little at home is complete with the second, and only then', async () => {
    const { folder, follower, mirror } = await start({ [homePath]: partialHome(a, { title: 'A' }) });
    expect(mirror.nodes.get(homePath)).toMatchObject({ tools: [], broken: [a] });
    const { id, title, ...rest } = tool({ id: 'a' });
    folder.write(morePath, statement(a, rest));
    await follower.follow();
    expect(mirror.nodes.get(homePath)).toMatchObject({
      broken: [],
      diagnostics: [],
      tools: [{ tool: { id: 'a', title: 'A' } }],
    });
    folder.remove(morePath);
    await follower.follow();
    expect(mirror.nodes.get(homePath)).toMatchObject({ tools: [], broken: [a] });
  });

  it('that is removed leaves what the second states as data, and is merged again when it comes back', async () => {
    const { folder, follower, mirror, open } = await start({
      [homePath]: tool({ id: 'a' }),
      [morePath]: statement(a, { tier: 'experimental' }),
    });
    const merged = snapshot(mirror);
    folder.remove(homePath);
    await follower.follow();
    expect(snapshot(mirror)).toMatchObject([[morePath, { tools: [], diagnostics: [], broken: [] }]]);
    expect(
      open()
        .match()
        .map(({ object }) => object.value),
    ).toEqual(['experimental']);
    folder.write(homePath, tool({ id: 'a' }));
    await follower.follow();
    expect(snapshot(mirror)).toEqual(merged);
  });

  it('keeps what the second last stated while that cannot be read', async () => {
    const { folder, follower, mirror } = await start({
      [homePath]: tool({ id: 'a' }),
      [morePath]: statement(a, { tier: 'internal' }),
    });
    const tier = () => mirror.nodes.get(homePath)?.tools[0]?.tool.tier;
    folder.write(morePath, '{"@id": oops');
    await follower.follow();
    expect(mirror.nodes.get(morePath)).toMatchObject({ broken: 'all', diagnostics: [{ code: 'unreadable' }] });
    expect(tier()).toBe('internal');
    folder.write(homePath, tool({ id: 'a', title: 'Another' }));
    await follower.follow();
    expect(mirror.nodes.get(homePath)?.tools).toMatchObject([{ tool: { title: 'Another', tier: 'internal' } }]);
    folder.write(morePath, statement(a, { tier: 'experimental' }));
    await follower.follow();
    expect(tier()).toBe('experimental');
  });

  it('keeps what the second last stated of a part while that part of it cannot be read', async () => {
    const only = `${a}/input/only`;
    const { folder, follower, mirror } = await start({
      [homePath]: tool({ id: 'a' }),
      [morePath]: [statement(only, { description: 'Only' }), statement(a, { tier: 'experimental' })],
    });
    const found = () => {
      const node = mirror.nodes.get(homePath)?.tools[0]?.tool;
      return [node?.tier, node?.io.inputs[0]?.description];
    };
    expect(found()).toEqual(['experimental', 'Only']);
    folder.write(morePath, [statement(only, { descripton: 'Other' }), statement(a, { openWorld: true })]);
    await follower.follow();
    expect(mirror.nodes.get(morePath)).toMatchObject({ broken: [only], diagnostics: [{ code: 'invalid-node' }] });
    expect(found()).toEqual(['stable', 'Only']);
    folder.write(morePath, ['no node', statement(a, { tier: 'internal' })]);
    await follower.follow();
    expect(mirror.nodes.get(morePath)).toMatchObject({ broken: 'all' });
    expect(found()).toEqual(['internal', 'Only']);
  });

  it('is not ingested again for it: only the second is written', async () => {
    const { folder, follower, open } = await start({ [homePath]: tool({ id: 'a' }) });
    const row = open().document(homePath);
    folder.write(morePath, statement(a, { tier: 'experimental' }));
    await follower.follow();
    expect(open().document(homePath)).toEqual(row);
    expect(row?.lifted.tools).toMatchObject([{ tool: { tier: 'stable' } }]);
  });

  it('is not merged again when the second states something else of another one only', async () => {
    const more = (tier: string) => [statement(a, { tier: 'experimental' }), statement(b, { tier })];
    const bPath = 'graph/tools/b.json';
    const { folder, follower, mirror } = await start({
      [homePath]: tool({ id: 'a' }),
      [bPath]: tool({ id: 'b' }),
      [morePath]: more('experimental'),
    });
    mirror.takeChanges();
    folder.write(morePath, more('internal'));
    await follower.follow();
    expect([...mirror.takeChanges().keys()].sort()).toEqual([morePath, bPath]);
    folder.write(morePath, [...more('internal')].reverse());
    await follower.follow();
    expect([...mirror.takeChanges().keys()]).toEqual([morePath]);
  });

  it('with two homes is merged in neither by the statements of the other', async () => {
    const other = 'graph/tools/other.json';
    const { mirror } = await start({
      [homePath]: tool({ id: 'a', title: 'A' }),
      [other]: { '@graph': [{ '@type': 'Tool', ...tool({ id: 'a', title: 'B' }) }, statement(b, { title: 'C' })] },
    });
    const homes = [
      [homePath, 'A'],
      [other, 'B'],
    ] as const;
    for (const [path, title] of homes) {
      expect(mirror.nodes.get(path)).toMatchObject({ diagnostics: [], tools: [{ document: path, tool: { title } }] });
    }
  });

  it('is merged in its parts too where they have IRIs of their own', async () => {
    const { mirror, folder, follower } = await start({
      [homePath]: partialHome(a, {
        ...{ title: 'A', description: 'Described', satisfies: { '@id': `${base}skill/s` } },
        invoke: { '@type': '@json', '@value': { shell: 'run' } },
        inputs: { '@list': [{ '@id': port, [propertyIri('name')]: 'p' }] },
      }),
    });
    const inputs = () => mirror.nodes.get(homePath)?.tools[0]?.tool.io.inputs;
    expect(mirror.nodes.get(homePath)).toMatchObject({ tools: [], broken: [a], diagnostics: [{ subject: a }] });
    folder.write(morePath, statement(port, { schema: 'urn:type', description: 'P' }));
    await follower.follow();
    expect(inputs()).toEqual([{ name: 'p', schema: 'urn:type', description: 'P' }]);
    folder.write(morePath, statement(port, { schema: 'urn:type' }));
    await follower.follow();
    expect(inputs()).toEqual([{ name: 'p', schema: 'urn:type' }]);
  });

  it('follows what a third states of a part that only the second leads to', async () => {
    const third = 'graph/third.json';
    const { folder, follower, mirror } = await start({
      [homePath]: tool({ id: 'a' }),
      [morePath]: { ...partialHome(a, { remedies: { '@id': remedy } }), '@type': [] },
      [third]: statement(remedy, { none: 'first' }),
    });
    const remedies = () => mirror.nodes.get(homePath)?.tools[0]?.tool.remedies;
    expect(remedies()).toEqual([{ none: 'first' }]);
    folder.write(third, statement(remedy, { none: 'second' }));
    await follower.follow();
    expect(remedies()).toEqual([{ none: 'second' }]);
    folder.remove(third);
    await follower.follow();
    expect(mirror.nodes.get(homePath)).toMatchObject({ tools: [], broken: [a] });
  });

  it('is told once of a document that describes its part at home and is its home', async () => {
    const atHome = { '@graph': [{ '@type': 'Tool', ...tool({ id: 'a' }) }, statement(remedy, { none: 'x' })] };
    const { mirror } = await start({
      [homePath]: atHome,
      [morePath]: [
        { ...partialHome(a, { remedies: { '@id': remedy } }), '@type': [] },
        statement(remedy, { none: 'y' }),
      ],
    });
    expect(mirror.nodes.get(homePath)?.diagnostics.map(({ message }) => message)).toEqual([
      `remedies.none: two different values, "x" in ${homePath} and "y" in ${morePath}; keep one`,
    ]);
  });
});

describe('a start', () => {
  it('from the store gives the merged nodes, and reads the quads only of documents that are merged', async () => {
    const { folder, mirror, open } = await start({
      [homePath]: tool({ id: 'a' }),
      'graph/tools/b.json': tool({ id: 'b' }),
      [morePath]: statement(a, { tier: 'experimental' }),
    });
    const store = open();
    const reading = vi.spyOn(store, 'documentQuads');
    const again = new Follower(store, folder);
    await again.follow();
    expect(snapshot(again.mirror)).toEqual(snapshot(mirror));
    expect([...again.mirror.takeChanges().keys()].sort()).toEqual(folder.paths.sort());
    expect(reading.mock.calls.map(([path]) => path)).toEqual([morePath, homePath]);
  });

  it('without a document that cannot be looked at does not merge what the store has of it (decision 3)', async () => {
    const { folder, open } = await start({
      [homePath]: tool({ id: 'a' }),
      [morePath]: statement(a, { tier: 'experimental' }),
    });
    const { mirror } = new Follower(open(), folder);
    mirror.forget([morePath]);
    await mirror.apply({ changed: [], removed: [] });
    expect(snapshot(mirror)).toMatchObject([[homePath, { tools: [{ tool: { tier: 'stable' } }] }]]);
  });
});

describe('a document that another process has written meanwhile', () => {
  const files = { [homePath]: tool({ id: 'a' }), [morePath]: statement(a, { tier: 'experimental' }) };

  it.each([
    ['the second one', '1', statement(a, { tier: 'internal' })],
    ['any, by another version of the program', '2', statement(a, { tier: 'experimental' })],
  ])('is to be read again when it is %s', async (_, version, content) => {
    const { folder, open } = await start(files);
    const [mine, theirs] = [open(), open(version)];
    const later = new Follower(mine, folder);
    const document = await ingestDocument(sourceFile(morePath, content), { base, allowIris: [], contexts: new Map() });
    const lifted = lift(document.quads, base, morePath, document.pointers);
    const expected = theirs.document(morePath)?.signature;
    const write = () => theirs.putDocuments([{ document, lifted, signature: 'theirs', expected }]).written;
    // Their write comes after the signatures were read; in one case also after the rows were.
    const rows = mine.documents.bind(mine);
    vi.spyOn(mine, 'documents').mockImplementation(() => {
      const before = version === '1' ? rows() : undefined;
      expect(write()).toEqual([morePath]);
      return before ?? rows();
    });
    expect(await later.mirror.apply({ changed: [], removed: [] })).toEqual(new Set([morePath]));
    folder.write(morePath, content);
    await later.follow();
    expect(snapshot(later.mirror)).toEqual(await freshSnapshot(folder));
  });

  it('is not held when it was new and is gone again before this process looked', async () => {
    const { folder, follower, open } = await start(files);
    const later = new Follower(open(), folder);
    folder.write('graph/new.json', statement(b, { tier: 'internal' }));
    await follower.follow();
    folder.remove('graph/new.json');
    await later.follow();
    expect(snapshot(later.mirror)).toEqual(await freshSnapshot(folder));
  });

  it('is to be read again when it is the home, which is merged as it was until then', async () => {
    const { folder, follower, mirror, open } = await start(files);
    const other = new Follower(open(), folder);
    folder.write(homePath, tool({ id: 'a', title: 'Another' }));
    await other.follow();
    const third = sourceFile('graph/third.json', statement(a, { openWorld: true }));
    const before = mirror.nodes.get(homePath);
    expect(await mirror.apply({ changed: [third], removed: [] })).toEqual(new Set([homePath]));
    expect(mirror.nodes.get(homePath)).toEqual(before);
    folder.write('graph/third.json', statement(a, { openWorld: true }));
    await follower.follow();
    expect(snapshot(mirror)).toEqual(await freshSnapshot(folder));
    expect(mirror.nodes.get(homePath)?.tools).toMatchObject([{ tool: { title: 'Another', openWorld: true } }]);
  });
});

/** What each document of the random folders may hold. */
const variants: Readonly<Record<string, readonly (object | string)[]>> = {
  [homePath]: [
    tool({ id: 'a', title: 'A' }),
    tool({ id: 'a', title: 'A', tier: 'experimental' }),
    partialHome(a, { title: 'A', description: 'Half' }),
    { ...tool({ id: 'a' }), unknownKey: 1 },
    '{"half',
    {
      '@graph': [
        { '@type': 'Tool', ...tool({ id: 'a' }) },
        { '@type': 'Tool', ...tool({ id: 'b' }) },
      ],
    },
  ],
  'graph/tools/b.json': [
    tool({ id: 'b' }),
    partialHome(b, { inputs: { '@list': [{ '@id': port }] }, remedies: { '@id': remedy } }),
    tool({ id: 'a', title: 'A second home' }),
  ],
  [morePath]: [
    statement(a, { tier: 'experimental' }),
    statement(a, { tier: 'internal', satisfies: ['more'] }),
    [statement(a, { title: 'A' }), statement(b, { title: 'Contradicts' })],
    [statement(`${a}/input/only`, { description: 'Only' }), statement(b, { remedies: [{ none: 'no way' }] })],
    [statement(port, { schema: 'urn:type', description: 'Named' }), statement(remedy, { error: 'x' })],
    [{ ...partialHome(a, { remedies: { '@id': remedy } }), '@type': [] }, statement(b, { openWorld: true })],
    { '@type': 'Tool', ...tool({ id: 'b' }) },
  ],
  'graph/yet-more.json': [
    statement(a, { title: 'B' }),
    [partialHome(port, {}), statement(remedy, { none: 'no way' })],
    statement(port, { required: true }),
    statement(a, { openWorld: true, renders: ['x', 'y'] }),
    (() => {
      const { id, io, ...rest } = tool({ id: 'b' });
      return [statement(b, rest), statement(remedy, { none: 'no way' })];
    })(),
    statement(`${a}/input/only/arg`, { joined: true }),
  ],
};

interface Edit {
  readonly path: string;
  /** Which variant is written; undefined removes the document. */
  readonly variant: number | undefined;
}

const edit: fc.Arbitrary<Edit> = fc.constantFrom(...Object.keys(variants)).chain((path) =>
  fc.record({
    path: fc.constant(path),
    variant: fc.option(fc.nat((variants[path]?.length ?? 1) - 1), { nil: undefined, freq: 4 }),
  }),
);

function perform(folder: Folder, { path, variant }: Edit): void {
  const content = variant === undefined ? undefined : variants[path]?.[variant];
  if (content === undefined) folder.remove(path);
  else folder.write(path, content);
}

describe('whatever the order of edits', () => {
  it('the mirror has what a fresh one has of the same folder, restarts included', async () => {
    const step = fc.oneof({ weight: 6, arbitrary: edit }, { weight: 1, arbitrary: fc.constant('restart' as const) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), async (batches) => {
        const folder = new Folder();
        const open = stateFolder();
        let follower = new Follower(open(), folder);
        for (const batch of batches) {
          for (const one of batch) {
            if (one === 'restart') follower = new Follower(open(), folder);
            else perform(folder, one);
          }
          await follower.follow();
          expect(snapshot(follower.mirror)).toEqual(await freshSnapshot(folder));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('two mirrors of one store, which see the edits at different times, both end with that', async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: edit },
      { weight: 2, arbitrary: fc.constantFrom<('first' | 'second' | 'both')[]>('first', 'second', 'both') },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const folder = new Folder();
        const open = stateFolder();
        const [first, second] = [new Follower(open(), folder), new Follower(open(), folder)];
        for (const one of steps) {
          if (one === 'first') await first.follow();
          else if (one === 'second') await second.follow();
          else if (one === 'both') await Promise.all([first.follow(), second.follow()]);
          else perform(folder, one);
        }
        await Promise.all([first.follow(), second.follow()]);
        const expected = await freshSnapshot(folder);
        expect(snapshot(first.mirror)).toEqual(expected);
        expect(snapshot(second.mirror)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});
