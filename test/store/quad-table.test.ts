import type { Quad, Term } from '@rdfjs/types';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { DataFactory, Store } from 'n3';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeTriples } from '../../src/store/document-write.js';
import { prepareGraphSchema } from '../../src/store/graph-schema.js';
import { matchSql, QuadTable } from '../../src/store/quad-table.js';
import { TermDictionary } from '../../src/store/term-dictionary.js';
import { encodeTerm } from '../../src/store/term-text.js';

const { namedNode, literal, quad } = DataFactory;
const opened: Database.Database[] = [];

afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

function open(): { db: Database.Database; terms: TermDictionary; quads: QuadTable } {
  const db = new Database(':memory:');
  opened.push(db);
  expect(prepareGraphSchema(db)).toBeUndefined();
  const terms = new TermDictionary(db);
  return { db, terms, quads: new QuadTable(db, terms) };
}

const columns = ['s', 'p', 'o', 'g'] as const;
const patterns = Array.from({ length: 16 }, (_, bits) => columns.filter((_, i) => bits & (1 << i)));

function text({ subject, predicate, object, graph }: Quad): string {
  return JSON.stringify([subject, predicate, object, graph].map(encodeTerm));
}

describe('a match', () => {
  it.each(patterns.map((bound) => [bound.join('') || 'nothing', bound] as const))(
    'with %s bound reads one covering index from its bound prefix',
    (_, bound) => {
      const { db } = open();
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${matchSql(bound)}`).all(...bound.map(() => 1)) as {
        detail: string;
      }[];
      expect(plan).toHaveLength(1);
      const detail = plan[0]?.detail ?? '';
      if (bound.length === 0) expect(detail).toMatch(/^SCAN quad( USING COVERING INDEX \w+)?$/);
      else if (bound.includes('g') && bound.length < 4) expect(detail).toMatch(/^SEARCH quad USING PRIMARY KEY \(g=\?/);
      else expect(detail).toMatch(/^SEARCH quad USING (PRIMARY KEY|COVERING INDEX quad_(spo|pos|osp)) \(/);
      const prefix = /\((.*)\)/.exec(detail)?.[1]?.split(' AND ').length ?? 0;
      const best = bound.includes('g') ? [...'gspo'].findIndex((c) => !bound.includes(c as 'g')) : bound.length;
      expect(prefix).toBe(best < 0 ? 4 : best);
    },
  );

  it('finds what an N3.Store finds, for any quads and any pattern', () => {
    const node = fc.constantFrom('urn:a', 'urn:b', 'urn:c').map((iri) => namedNode(iri));
    const value = fc.oneof(
      node,
      fc.constantFrom('urn:a', 'x', 'long '.repeat(30)).map((lexical) => literal(lexical)),
      fc.constantFrom('x', 'urn:a').map((lexical) => literal(lexical, 'en')),
    );
    const graph = fc.constantFrom('urn:g', 'urn:h').map((iri) => namedNode(iri));
    const anyOf = <T extends Term>(term: fc.Arbitrary<T>) => fc.option(term, { nil: null });
    const stored = fc.array(
      fc.tuple(node, node, value, graph).map(([s, p, o, g]) => quad(s, p, o, g)),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        stored,
        fc.array(fc.tuple(anyOf(node), anyOf(node), anyOf(value), anyOf(graph)), { minLength: 1, maxLength: 10 }),
        (all, queries) => {
          const { quads, terms } = open();
          for (const name of ['urn:g', 'urn:h']) {
            const inGraph = all.filter((one) => one.graph.value === name);
            quads.replaceGraph(
              terms.intern(namedNode(name)),
              encodeTriples(inGraph, (term) => terms.intern(term)),
            );
          }
          terms.publish();
          const reference = new Store(all);
          for (const query of queries) {
            const expected = [...reference.match(...query)].map((one) => text(one as Quad)).sort();
            expect(
              quads
                .match(...query)
                .map(text)
                .sort(),
            ).toEqual(expected);
          }
          opened.pop()?.close();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of a term that no quad ever held finds nothing', () => {
    expect(open().quads.match(namedNode('urn:unknown'))).toEqual([]);
  });
});

describe('the term dictionary', () => {
  it('finds no term of a transaction that was rolled back, although it was found in that transaction', () => {
    const { db, terms } = open();
    const rolledBack = db.transaction(() => {
      const id = terms.intern(namedNode('urn:a'));
      expect(terms.find(namedNode('urn:a'))).toBe(id);
      throw new Error('roll back');
    });
    expect(() => rolledBack.immediate()).toThrow('roll back');
    terms.discard();
    expect(terms.find(namedNode('urn:a'))).toBeUndefined();
  });

  it('gives no id of a transaction that was rolled back to another term', () => {
    const { db, terms } = open();
    const rolledBack = db.transaction(() => {
      terms.intern(namedNode('urn:a'));
      throw new Error('roll back');
    });
    expect(() => rolledBack.immediate()).toThrow('roll back');
    terms.discard();
    const [b, a] = db
      .transaction(() => [terms.intern(namedNode('urn:b')), terms.intern(namedNode('urn:a'))])
      .immediate();
    terms.publish();
    expect(a).not.toBe(b);
    expect(terms.term(Number(a)).value).toBe('urn:a');
    expect(terms.find(namedNode('urn:b'))).toBe(b);
  });
});
