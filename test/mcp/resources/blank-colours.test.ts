import fc from 'fast-check';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { type BlankTriple, blankColours } from '../../../src/mcp/resources/blank-colours.js';
import type { ResultTerm } from '../../../src/store/query/graph-query.js';

const { namedNode, literal, blankNode } = DataFactory;

function triple(subject: string, predicate: string, object: string): BlankTriple {
  return { subject: term(subject), predicate, object: term(object) };
}

/** `_a` is a blank node. */
function term(text: string): ResultTerm {
  return (text.startsWith('_') ? blankNode(text.slice(1)) : namedNode(`urn:${text}`)) as never;
}

/** The classes into which all nodes fall at once when each is told by the classes beside it, until none falls apart any more. */
function classesAtOnce(triples: readonly BlankTriple[]): string[] {
  const names = namesIn(triples);
  let classes = new Map(names.map((name) => [name, '']));
  for (const _ of [...names, '']) {
    const of = (one: ResultTerm, self: string) => (one.value === self ? '*' : (classes.get(one.value) ?? one.value));
    const words = names.map((name): [string, string] => {
      const said = triples.filter(({ subject, object }) => [subject, object].some(({ value }) => value === name));
      const all = said.map((one) => `${of(one.subject, name)} ${one.predicate} ${of(one.object, name)}`);
      return [name, JSON.stringify([classes.get(name), ...all.sort()])];
    });
    const numbers = [...new Set(words.map(([, text]) => text))].sort();
    classes = new Map(words.map(([name, text]) => [name, `class ${numbers.indexOf(text)}`]));
  }
  return groups(classes);
}

function namesIn(triples: readonly BlankTriple[]): string[] {
  const terms = triples.flatMap(({ subject, object }) => [subject, object]);
  return [...new Set(terms.flatMap(({ termType, value }) => (termType === 'BlankNode' ? [value] : [])))];
}

function groups(colours: ReadonlyMap<string, string>): string[] {
  const found = new Map<string, string[]>();
  for (const [name, colour] of colours) found.set(colour, [...(found.get(colour) ?? []), name]);
  return Array.from(found.values(), (names) => names.sort().join(' ')).sort();
}

const node = fc.oneof(
  fc.constantFrom('a', 'b'),
  fc.nat(5).map((n) => `_n${n}`),
);
const triples = fc.array(
  fc.tuple(node, fc.constantFrom('p', 'q'), node).map((parts) => triple(...parts)),
  { maxLength: 12 },
);

describe('The colours of blank nodes', () => {
  it('tell apart what is told apart by all that is said', () => {
    fc.assert(
      fc.property(triples, (some) => {
        expect(groups(blankColours(some))).toEqual(classesAtOnce(some));
      }),
    );
  });

  it('are the same whatever the labels and the order', () => {
    fc.assert(
      fc.property(triples, (some) => {
        const renamed = (one: ResultTerm) =>
          one.termType === 'BlankNode' ? (blankNode(`z${one.value}`) as never) : one;
        const other = some
          .map(({ subject, predicate, object }) => ({ subject: renamed(subject), predicate, object: renamed(object) }))
          .reverse();
        const colours = blankColours(other);
        for (const [name, colour] of blankColours(some)) expect(colours.get(`z${name}`)).toBe(colour);
      }),
    );
  });

  it('of a long chain are found without looking at all of it again for each that is told apart', () => {
    const length = 400;
    let looks = 0;
    const chain = Array.from({ length }, (_, i): BlankTriple => {
      const { subject, object } = triple(`_n${i}`, 'p', `_n${i + 1}`);
      return {
        subject,
        object,
        get predicate() {
          looks += 1;
          return 'p';
        },
      };
    });
    expect(new Set(blankColours(chain).values()).size).toBe(length + 1);
    expect(looks).toBeLessThan(20 * length);
  });

  it('do not mistake a text for a node', () => {
    const said = [{ subject: blankNode('a'), predicate: 'p', object: literal('') }, triple('_b', 'p', '_c')];
    expect(new Set(blankColours(said as BlankTriple[]).values()).size).toBe(3);
  });
});
