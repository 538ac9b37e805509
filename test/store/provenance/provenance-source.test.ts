import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProvenanceSource } from '../../../src/store/provenance/provenance-source.js';
import { openRecordStore, type RecordStore } from '../../../src/store/record-store.js';
import { base, history, instanceHistory, iri, parts, type TestInstance, tool } from './told-history.js';

let folder: string;
let store: RecordStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolgraph-provenance-'));
  store = openRecordStore(folder);
});

afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

const at = (n: number) => new Date(Date.UTC(2026, 0, 2, 3, n));
const text = ({ subject, predicate, object }: Quad) => `${subject.value} ${predicate.value} ${object.value}`;

/** What a reader holds that takes each change as it is told. */
class Reader {
  readonly #source = new ProvenanceSource({ folder, base });
  #cursor: ReturnType<ProvenanceSource['changesSince']>['cursor'] | undefined;
  readonly graphs = new Map<string, Set<string>>();

  /** How many quads were told; undefined when all were told anew. */
  follow(): number | undefined {
    const changes = this.#source.changesSince(this.#cursor);
    this.#cursor = changes.cursor;
    if (changes.startsOver) this.graphs.clear();
    for (const graph of changes.removedGraphs ?? []) this.graphs.delete(graph);
    let count = 0;
    for (const quad of changes.added) {
      const graph = this.graphs.get(quad.graph.value) ?? new Set();
      expect(graph.has(text(quad)), `${text(quad)} was told before`).toBe(false);
      this.graphs.set(quad.graph.value, graph.add(text(quad)));
      count += 1;
    }
    return changes.startsOver ? undefined : count;
  }

  close(): void {
    this.#source.close();
  }
}

function everything(): Map<string, Set<string>> {
  const source = new ProvenanceSource({ folder, base });
  const graphs = new Map(Array.from(source.graphs(), ([graph, quads]) => [graph, new Set(quads().map(text))]));
  source.close();
  return graphs;
}

describe('The provenance of an instance', () => {
  it('tells nothing where there is no file, and nothing twice where nothing has changed', () => {
    const nowhere = new ProvenanceSource({ folder: join(folder, 'nowhere'), base });
    const first = nowhere.changesSince(undefined);
    expect([first.startsOver, ...first.added]).toEqual([true]);
    expect(nowhere.changesSince(first.cursor).startsOver).toBe(false);
    store.nextGeneration('k', 'd', at(0), { history: history([instanceHistory({ a: { tools: { x: '1' } } })]) });
    const reader = new Reader();
    expect(reader.follow()).toBeUndefined();
    expect(reader.graphs.size).toBe(3);
    expect(reader.follow()).toBe(0);
    reader.close();
  });

  it('begins again where another file stands in the place of the one that was read', () => {
    const reader = new Reader();
    store.nextGeneration('k', 'd', at(0), { history: history([instanceHistory({ a: { tools: { x: '1' } } })]) });
    reader.follow();
    store.close();
    for (const part of ['', '-wal', '-shm']) rmSync(join(folder, `records.db${part}`), { force: true });
    store = openRecordStore(folder);
    store.nextGeneration('k', 'd', at(0), { history: history([], parts({ y: 'a' })) });
    expect(reader.follow()).toBeUndefined();
    expect(reader.graphs).toEqual(everything());
    reader.close();
  });

  it('says of each document what git told of it, and that it was not asked', () => {
    const quadsOf = (number: number) =>
      [...everything()].find(([graph]) => graph.endsWith(`/document/${number}`))?.[1] ?? new Set();
    const stated = (number: number, ending: string) => [...quadsOf(number)].some((one) => one.endsWith(ending));
    const instance = { a: { tools: {} }, b: { tools: {} }, c: { tools: {} } };
    store.nextGeneration('k', 'd', at(0), { history: history([instanceHistory(instance)]) });
    expect(stated(1, '#gitState not asked yet')).toBe(true);
    expect(store.documentsForGit('unasked', at(1)).map(({ path }) => path)).toEqual(['a', 'b', 'c']);
    store.putGitAnswers(
      new Map([
        [1, { state: 'committed', head: 'C1' }],
        [2, { state: 'modified', head: 'C1' }],
        [3, { state: 'unavailable', reason: 'why' }],
      ]),
      at(1),
    );
    expect(stated(1, '#commit C1') && stated(2, '#gitHead C1') && stated(3, '#gitReason why')).toBe(true);
    expect(stated(2, '#commit C1')).toBe(false);
    expect(store.documentsForGit('uncommitted', at(2)).map(({ number }) => number)).toEqual([2]);
    store.putGitAnswers(new Map([[2, { state: 'committed', head: 'C2' }]]), at(2));
    expect(stated(2, '#gitState modified') && stated(2, '#gitHead C1') && stated(2, '#commit C2')).toBe(true);
    store.nextGeneration('k', 'e', at(3), {
      history: history([instanceHistory({ ...instance, a: { tools: {}, format: '2' } }, { changed: ['a'] })]),
    });
    store.nextGeneration('k', 'f', at(4), {
      history: history([instanceHistory({ ...instance, a: { tools: {}, format: '3' } }, { changed: ['a'] })]),
    });
    expect(store.documentsForGit('unasked', at(5)).map(({ number }) => number)).toEqual([5]);
    expect(stated(4, '#gitState unavailable')).toBe(true);
  });
});

it('tells again of a call and of generations that were there before the history had their key', () => {
  store.nextGeneration('k', 'before', at(0));
  const call = { id: 'c', name: 'x', started: at(0), by: { identity: 'none' as const } };
  store.putCall({ ...call, generation: { key: 'k', number: 1, digest: 'before' } }, { pid: 1, identity: 'i' });
  const reader = new Reader();
  reader.follow();
  store.nextGeneration('k', 'after', at(1), { history: history([], parts({})) });
  reader.follow();
  expect([...reader.graphs.values()].flatMap((quads) => [...quads]).join('\n')).toContain('#inGeneration ');
  expect(reader.graphs).toEqual(everything());
  reader.close();
});

it('followed by difference, it is what it is when all is read, after anything that is written', () => {
  const keep = { revisions: 1_000, days: 1_000 };
  const one = fc.constantFrom('one', 'two', 'three');
  const document = fc.dictionary(fc.constantFrom('x', 'y'), one);
  const act = fc.oneof(
    fc.record({
      kind: fc.constant('edit' as const),
      path: fc.constantFrom('a', 'b'),
      to: fc.option(document, { nil: undefined }),
    }),
    fc.record({ kind: fc.constant('call' as const), tool: fc.constantFrom('x', 'y'), ends: fc.boolean() }),
    fc.record({
      kind: fc.constantFrom(
        'git' as const,
        'drop' as const,
        'drop calls' as const,
        'interrupt' as const,
        'follow' as const,
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 20 }), (acts) => {
      const reader = new Reader();
      let instance: TestInstance = {};
      let declared: Record<string, string> = {};
      let base = 0;
      const server = { pid: 1, identity: 'i' };
      for (const [n, done] of acts.entries()) {
        const run = Math.random().toString(36);
        if (done.kind === 'edit') {
          const { [done.path]: _, ...rest } = instance;
          instance = done.to === undefined ? rest : { ...rest, [done.path]: { tools: done.to, changedAt: n } };
          const before = { base, parts: parts(declared) };
          declared = Object.assign({}, ...Object.values(instance).map(({ tools }) => tools)) as typeof declared;
          const told = history([instanceHistory(instance, { changed: [done.path] })], parts(declared), before);
          base = store.nextGeneration('k', JSON.stringify(declared), at(n), { history: told });
        } else if (done.kind === 'call') {
          const call = {
            ...{
              id: `${run}`,
              name: done.tool,
              started: at(n),
              by: { actor: 'a', role: 'r', identity: 'asserted' as const },
            },
            tool: { iri: iri(done.tool), revision: { digest: 'd', node: tool(done.tool, 'kept') } },
            generation: { key: 'k', number: base, digest: 'd' },
          };
          store.putCall(call, server);
          const end = { outcome: 'failed' as const, reason: 'why', finished: at(n), output: { bytes: 1, sha256: 's' } };
          if (done.ends) store.putCall({ ...call, end }, server);
        } else if (done.kind === 'git') {
          const asked = store.documentsForGit('unasked', at(n));
          store.putGitAnswers(new Map(asked.map(({ number }) => [number, { state: 'modified', head: 'C' }])), at(n));
        } else if (done.kind === 'drop') store.dropHistory({ ...keep, revisions: 1 }, at(n));
        else if (done.kind === 'drop calls') store.dropCalls({ records: 1, days: 1_000 }, at(n));
        else if (done.kind === 'interrupt') for (const one of store.serversWithCalls()) store.interrupt(one, at(n));
        else reader.follow();
      }
      reader.follow();
      expect(reader.graphs).toEqual(everything());
      reader.close();
    }),
    { numRuns: 60 },
  );
});
