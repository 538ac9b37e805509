import { describe, expect, it } from 'vitest';
import { type Expandable, expandSound } from '../../src/ingest/expand-nodes.js';

const settings = { base: 'urn:x:', allowIris: [], isLarge: false };
const context = [{ a: 'urn:a' }];
const node = (i: number, key = 'a'): Expandable & { i: number } => ({
  i,
  context,
  isPlain: false,
  body: { '@id': `urn:x:${i}`, [key]: i },
});

async function expanded(nodes: readonly (Expandable & { i: number })[]) {
  const told: (number | undefined)[] = [];
  const sound = await expandSound(nodes, settings, (bad) => told.push(bad?.i));
  return { told, ...sound };
}

describe('expandSound', () => {
  it('finds the nodes that cannot be expanded, wherever they stand, and keeps the order of the others', async () => {
    for (const bad of [[0], [99], [3, 4, 50], [9, 10], Array.from({ length: 100 }, (_, i) => i)]) {
      const nodes = Array.from({ length: 100 }, (_, i) => node(i, bad.includes(i) ? 'unmapped' : 'a'));
      const { told, expanded: sound, subjects, quads } = await expanded(nodes);
      expect(told).toEqual(bad);
      const others = nodes.map(({ i }) => i).filter((i) => !bad.includes(i));
      expect(sound.map(({ i }) => i)).toEqual(others);
      expect(subjects).toEqual(others.map((i) => `urn:x:${i}`));
      expect(quads.map(({ object }) => object.value)).toHaveLength(others.length);
    }
  });

  it('expands a bounded number one by one: the rest is not determined', async () => {
    const nodes = Array.from({ length: 12_000 }, (_, i) => node(i, i % 50 === 0 ? 'unmapped' : 'a'));
    const { told } = await expanded(nodes);
    expect(told.at(-1)).toBeUndefined();
    expect(told.length).toBeGreaterThan(150);
    expect(told.length).toBeLessThan(240);
  });

  it('tells of no node what only two together show', async () => {
    const own = { '@type': 'https://w3id.org/toolgraph/ns#Tool' };
    const id = { 'http://purl.org/dc/terms/identifier': 'b' };
    const halves = [own, id].map((part, i) => ({
      i,
      context,
      isPlain: false,
      body: { '@id': 'urn:x:tool/a', ...part },
    }));
    const { told, quads } = await expanded(halves);
    expect(told).toEqual([undefined]);
    expect(quads).toEqual([]);
  });
});
