import { describe, expect, it } from 'vitest';
import { GenerationHolder } from '../src/generation-holder.js';
import type { Generation } from '../src/projection/generation.js';

function generation(number: number, fields: Partial<Generation> = {}): Generation {
  return {
    number,
    key: 'k',
    digest: `digest ${number}`,
    listDigest: `list ${number}`,
    entries: new Map(),
    omissions: [],
    views: new Map(),
    viewOmissions: [],
    problems: [],
    ...fields,
  };
}

describe('A generation holder', () => {
  it('tells of each generation, with the one before', () => {
    const holder = new GenerationHolder();
    const told: unknown[] = [];
    holder.subscribe((change) => told.push(change));
    const [first, second] = [generation(1), generation(2)];
    holder.publish(first);
    holder.publish(second);
    expect(told).toEqual([
      { generation: first, previous: undefined },
      { generation: second, previous: first },
    ]);
  });

  it('replaces the current generation in silence by one of the same digest, whose places in files may be others', () => {
    const holder = new GenerationHolder();
    holder.publish(generation(1));
    let told = 0;
    holder.subscribe(() => told++);
    const moved = generation(1, {
      problems: [{ code: 'invalid-node', severity: 'error', message: 'wrong', document: 'graph/a.json', line: 7 }],
    });
    holder.publish(moved);
    expect(holder.current).toBe(moved);
    expect(told).toBe(0);
  });

  it('says nothing of a name that was never listed, nor of one that is internal', () => {
    const holder = new GenerationHolder();
    const omission = {
      id: 'secret',
      iri: 'urn:t:tool/secret',
      name: 'secret',
      code: 'internal',
      reason: 'its tier is internal',
      document: 'graph/secret.json',
      pointer: '',
    } as const;
    holder.publish(generation(1, { omissions: [omission] }));
    expect(holder.absence('secret')).toBeUndefined();
    expect(holder.absence('__proto__')).toBeUndefined();
  });
});
