import { describe, expect, it } from 'vitest';
import { sourceNodes } from '../../src/ingest/source-nodes.js';
import { contextIri } from '../../src/store/vocabulary.js';

const pointers = (tree: unknown) => sourceNodes(tree).nodes.map(({ pointer }) => pointer);

describe('The nodes of a document', () => {
  it('are those of named graphs too, at any depth', () => {
    const node = { id: 'a' };
    expect(pointers([{ '@id': 'urn:g', '@graph': [node, node] }, node])).toEqual(['/0/@graph/0', '/0/@graph/1', '/1']);
    expect(pointers({ '@graph': [{ '@graph': node }, { '@graph': [{ '@graph': [node] }] }] })).toEqual([
      '/@graph/0/@graph',
      '/@graph/1/@graph/0/@graph/0',
    ]);
  });

  it('have the contexts of the graphs around them, and share them where they have none of their own', () => {
    const tree = {
      '@context': 'a',
      '@graph': [{ '@context': 'b', '@graph': [{ id: 'x' }, { id: 'y' }, { '@context': 'c', id: 'z' }] }],
    };
    const [x, y, z] = sourceNodes(tree).nodes.map(({ contexts }) => contexts);
    expect(x?.map(({ value }) => value)).toEqual(['a', 'b']);
    expect(y).toBe(x);
    expect(z).toEqual([
      { value: 'a', pointer: '/@context' },
      { value: 'b', pointer: '/@graph/0/@context' },
      { value: 'c', pointer: '/@graph/0/@graph/2/@context' },
    ]);
  });

  it('are beside their graph no keys of ours, whichever graph', () => {
    const stray = { '@graph': [], title: 'x' };
    for (const [tree, pointer] of [
      [stray, '/title'],
      [[{ ...stray, '@context': contextIri }], '/0/title'],
    ] as const) {
      expect(sourceNodes(tree)).toMatchObject({ nodes: [], faults: [{ pointer, atKey: true }] });
    }
  });

  it('are what a document in a context of its own says of its graph', () => {
    const tree = { '@context': { made: 'urn:made' }, '@id': 'urn:g', made: 'today', '@graph': [{ made: 'now' }] };
    expect(sourceNodes(tree).faults).toEqual([]);
    expect(sourceNodes(tree).nodes.map(({ value }) => Object.keys(value))).toEqual([
      ['made'],
      ['@context', '@id', 'made'],
    ]);
  });

  it.each([[5], [{ '@graph': 5 }], [[5]], [{ '@graph': [{ '@graph': 'x' }] }]])('are no %j', (tree) => {
    expect(sourceNodes(tree)).toMatchObject({
      nodes: [],
      faults: [{ message: expect.stringMatching(/expected an? /) }],
    });
  });
});
