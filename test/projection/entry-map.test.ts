import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingEntries, EntryMap } from '../../src/projection/entry-map.js';
import type { Entry } from '../../src/projection/generation.js';

const entry = (name: string): Entry => ({ name }) as Entry;
const names = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 30 });

describe('Entries by name', () => {
  it('are what a Map of them is, in the order of the names', () => {
    fc.assert(
      fc.property(names, names, (first, second) => {
        const before = first.map(entry);
        const map = EntryMap.empty.with(new Set(), before);
        const gone = new Set(before.filter(({ name }) => second.includes(name) || name.length % 2 === 0));
        const added = second.map(entry);
        const next = map.with(gone, added);
        const expected = [...before.filter((it) => !gone.has(it)), ...added];
        expected.sort((a, b) => (a.name < b.name ? -1 : 1));
        expect([...next.values()]).toEqual(expected);
        expect([...next]).toEqual(expected.map((it) => [it.name, it]));
        expect(next.size).toBe(expected.length);
        for (const it of expected) expect(next.get(it.name)).toBe(it);
        for (const name of first) expect(next.has(name)).toBe(expected.some((it) => it.name === name));
        expect(map.size).toBe(before.length);
        const told = differingEntries(map, next);
        const compared = differingEntries(new Map(map), new Map(next));
        expect([new Set(told.gone), new Set(told.added)]).toEqual([new Set(compared.gone), new Set(compared.added)]);
      }),
    );
  });

  it('tell what two of them do not have in common', () => {
    fc.assert(
      fc.property(names, names, fc.integer({ min: 0, max: 9 }), (first, second, kept) => {
        const before = EntryMap.empty.with(new Set(), first.map(entry));
        const same = [...before.values()].filter(({ name }) => second.includes(name)).slice(0, kept);
        const fresh = second.filter((name) => !same.some((it) => it.name === name)).map(entry);
        const now = EntryMap.empty.with(new Set(), [...same, ...fresh]);
        const { gone, added } = differingEntries(before, now);
        expect(new Set(added)).toEqual(new Set(fresh));
        expect(added).toHaveLength(fresh.length);
        expect([...gone].sort()).toEqual([...before.values()].filter((it) => !same.includes(it)).sort());
      }),
    );
  });
});
