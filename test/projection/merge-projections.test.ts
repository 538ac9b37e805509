import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problem } from '../../src/diagnostic.js';
import type { Entry, Omission } from '../../src/projection/generation.js';
import { mergeProjections, type ProjectedInstance } from '../../src/projection/merge-projections.js';
import { entry, omission } from '../cli/generation-builder.js';

const nobody = () => undefined;

function instance(label: string, entries: readonly Entry[], omissions: readonly Omission[] = []): ProjectedInstance {
  const named = entries.map((one) => ({ ...one, document: `${label}/${one.id}.json` }));
  return {
    label,
    entries: new Map(named.map((one) => [one.name, one])),
    omissions: omissions.map((one) => ({ ...one, document: `${label}/${one.id}.json` })),
    views: new Map(),
    viewOmissions: [],
    problems: [],
  };
}

const places = ({ problems }: { readonly problems: readonly { code: string; document?: string | undefined }[] }) =>
  problems.map(({ code, document }) => `${code} ${document}`);

describe('mergeProjections', () => {
  it('unites entries, omissions and problems, each in its one order', () => {
    const a = instance('a', [entry('z'), entry('b')], [omission('y', 'unmet-os', 'r')]);
    const b = { ...instance('b', [entry('a')], [omission('x', 'tier', 'r')]), problems: [problem('unreadable', 'm')] };
    const merged = mergeProjections([a, b], [problem('invalid-config', 'n', { document: 'c' })], nobody);
    expect([...merged.entries.keys()]).toEqual(['a', 'b', 'z']);
    expect(merged.omissions.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(merged.problems.map(({ code }) => code)).toEqual(['unreadable', 'invalid-config']);
    expect(merged.entries.get('z')).toBe(a.entries.get('z'));
  });

  it('G5: refuses both of one name and names both, wherever they come from; a third of another name stays', () => {
    const merged = mergeProjections([instance('a', [entry('x'), entry('y')]), instance('b', [entry('x')])], [], nobody);
    expect([...merged.entries.keys()]).toEqual(['y']);
    expect(places(merged)).toEqual(['name-collision a/x.json', 'name-collision b/x.json']);
    const [first] = merged.problems;
    expect(first?.subject).toBe(entry('x').iri);
    expect(first?.message).toBe(
      '"x" of a/x.json has the same MCP name x as "x" of b/x.json; give one of the two instances a prefix under "include", or change one of the ids',
    );
  });

  it('lets the one that was served first serve on, and refuses every other', () => {
    const instances = ['a', 'b', 'c'].map((label) => instance(label, [entry('x')]));
    const merged = mergeProjections(instances, [], () => 'b');
    expect(merged.entries.get('x')?.document).toBe('b/x.json');
    expect(places(merged)).toEqual(['name-collision a/x.json', 'name-collision c/x.json']);
    for (const { message } of merged.problems) expect(message).toContain('as "x" of b/x.json, which was served first;');
  });

  it('lets no omission but one for ever keep a name, so that what is served does not depend on the host', () => {
    const withOmission = (code: Omission['code']) =>
      mergeProjections([instance('a', [entry('x')]), instance('b', [], [omission('x', code, 'r')])], [], nobody);
    for (const code of ['command-not-found', 'unmet-env', 'tier'] as const) {
      const merged = withOmission(code);
      expect([merged.entries.size, merged.omissions.length, merged.problems.length]).toEqual([0, 0, 2]);
    }
    for (const code of ['internal', 'mcp-only', 'manual-only'] as const) {
      const merged = withOmission(code);
      expect([merged.entries.size, merged.omissions.length, merged.problems.length]).toEqual([1, 1, 0]);
    }
    const wasServed = mergeProjections(
      [instance('a', [entry('x')]), instance('b', [], [omission('x', 'command-not-found', 'r')])],
      [],
      () => 'b',
    );
    expect([...wasServed.entries]).toEqual([]);
  });

  it('gives the same bytes whatever the order of the instances, and each tool has exactly one state', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 });
    const someInstances = fc.tuple(ids, ids, ids).map((lists) =>
      lists.map((list, i) => {
        const [entries, omitted] = [list.filter((_, n) => n % 3 !== 0), list.filter((_, n) => n % 3 === 0)];
        const omissions = omitted.map((id) => omission(id, 'unmet-os', 'r'));
        return instance(
          `i${i}`,
          entries.map((id) => entry(id)),
          omissions,
        );
      }),
    );
    fc.assert(
      fc.property(someInstances, fc.constantFrom('i0', 'i1', undefined), (instances, first) => {
        const merged = mergeProjections(instances, [], () => first);
        const turned = mergeProjections([...instances].reverse(), [], () => first);
        expect(turned).toEqual(merged);
        expect([...turned.entries.keys()]).toEqual([...merged.entries.keys()]);
        const states = [...merged.entries.values(), ...merged.omissions, ...merged.problems];
        const tools = instances.flatMap(({ entries, omissions }) => [...entries.values(), ...omissions]);
        expect(states.map(({ document }) => document).sort()).toEqual(tools.map(({ document }) => document).sort());
      }),
    );
  });

  it('has a digest that knows from which instance an omission is, and a list digest that does not', () => {
    const of = (label: string) =>
      mergeProjections(
        [instance('', [entry('t')]), instance(label, [entry('x')], [omission('y', 'tier', 'r')])],
        [],
        nobody,
      );
    expect(of('a').listDigest).toBe(of('b').listDigest);
    expect(of('a').digest).not.toBe(of('b').digest);
  });
});
