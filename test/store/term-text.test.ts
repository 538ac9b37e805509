import type { Literal, Term } from '@rdfjs/types';
import fc from 'fast-check';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { Iri } from '../../src/store/rdf-terms.js';
import { decodeTerm, encodeTerm, termRecord } from '../../src/store/term-text.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', '"', '""', '"@en', 'a"^^x', 'http://a/b', '_:b0', '#k', '<', '<q', '\\"', 'x'.repeat(49), '\0'),
);
const language = fc.constantFrom('en', 'de-at', 'zh-hant');
const term: fc.Arbitrary<Term> = fc.oneof(
  text.map((value) => DataFactory.namedNode(value)),
  text.map((value) => DataFactory.blankNode(value)),
  text.map((value) => DataFactory.literal(value)),
  fc.tuple(text, language).map(([value, tag]) => DataFactory.literal(value, tag)),
  fc.tuple(text, text).map(([value, type]) => DataFactory.literal(value, DataFactory.namedNode(`http://d/${type}`))),
  fc.constant(DataFactory.defaultGraph()),
);

describe('the text of a term', () => {
  it('is decoded to the same term, whatever quotes, languages and lengths it has', () => {
    fc.assert(
      fc.property(term, (original) => {
        const decoded = decodeTerm(encodeTerm(original));
        expect(decoded.termType).toBe(original.termType);
        expect(decoded.value).toBe(original.value);
        if (original.termType === 'Literal') {
          expect((decoded as Literal).language).toBe(original.language);
          expect((decoded as Literal).datatype.value).toBe(original.datatype.value);
        }
        expect(decoded.equals(original)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('is the same for two terms exactly when they are equal', () => {
    fc.assert(
      fc.property(term, term, (a, b) => {
        expect(encodeTerm(a) === encodeTerm(b)).toBe(a.equals(b));
        expect(decodeTerm(encodeTerm(a)).equals(b)).toBe(a.equals(b));
      }),
      { numRuns: 2000 },
    );
  });

  it('is written as N3.js writes it for ordinary terms', () => {
    expect(encodeTerm(DataFactory.namedNode('http://a/b'))).toBe('http://a/b');
    expect(encodeTerm(DataFactory.blankNode('b0'))).toBe('_:b0');
    expect(encodeTerm(DataFactory.literal('a "b"'))).toBe('"a "b""');
    expect(encodeTerm(DataFactory.literal('a', 'en'))).toBe('"a"@en');
    expect(encodeTerm(DataFactory.literal(1))).toBe('"1"^^http://www.w3.org/2001/XMLSchema#integer');
    expect(encodeTerm(DataFactory.defaultGraph())).toBe('');
  });

  it('keeps a literal that looks like an IRI apart from the IRI', () => {
    expect(decodeTerm(encodeTerm(DataFactory.literal('http://a/b'))).termType).toBe('Literal');
    expect(new Iri('http://a/b').equals(DataFactory.literal('http://a/b'))).toBe(false);
  });

  it('keeps the direction of a text', () => {
    const decoded = decodeTerm('"x"@ar--rtl') as Literal;
    expect([decoded.language, decoded.direction, decoded.datatype.value]).toEqual([
      'ar',
      'rtl',
      'http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString',
    ]);
    expect(encodeTerm(decoded)).toBe('"x"@ar--rtl');
  });

  it('does not exist for a variable', () => {
    expect(() => encodeTerm(DataFactory.variable('x'))).toThrow(TypeError);
  });
});

describe('the dictionary row of a term', () => {
  it('is keyed by the text up to 48 characters, and by its hash beyond', () => {
    expect(termRecord('x'.repeat(48))).toEqual({ key: 'x'.repeat(48), lex: null });
    const { key, lex } = termRecord('x'.repeat(49));
    expect(key).toMatch(/^#[A-Za-z0-9+/]{22}$/);
    expect(lex).toBe('x'.repeat(49));
  });

  it('has a hash that no text of a term can be', () => {
    fc.assert(fc.property(term, (one) => !encodeTerm(one).startsWith('#')));
  });
});
