import { describe, expect, it } from 'vitest';
import type { BindingTerm } from '../../../src/store/query/graph-query.js';
import { type PreparedQuery, prepareQuery } from '../../../src/store/query/prepare-query.js';
import { QueryError } from '../../../src/store/query/query-error.js';
import { Iri, LiteralTerm } from '../../../src/store/rdf-terms.js';
import { rdf } from '../../../src/store/vocabulary.js';

const prefixes = new Map([['', 'urn:x:']]);
const iri = new Iri('urn:x:a');

function prepared(sparql: string, bindings: Readonly<Record<string, BindingTerm>> = {}): PreparedQuery {
  return prepareQuery({ sparql, bindings: new Map(Object.entries(bindings)), prefixes, rows: 10 });
}

/** The code, with the place where it is told. */
function refusal(sparql: string, bindings: Readonly<Record<string, BindingTerm>> = {}): string {
  try {
    return prepared(sparql, bindings).text;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, position } = error;
    return position === undefined ? code : `${code} ${position.line}:${position.column}`;
  }
}

describe('bindings', () => {
  it.each<[string, string, Record<string, BindingTerm>, string]>([
    ['a variable that is not used', 'SELECT ?s { ?s :p 1 }', { x: iri }, 'binding'],
    ['no name of a variable', 'SELECT ?s { ?s :p 1 }', { 's }': iri }, 'binding'],
    ['one that BIND assigns', 'SELECT ?s {\n BIND(1 AS ?s) }', { s: iri }, 'binding 2:12'],
    ['one that SELECT assigns', 'SELECT (1 AS ?s) { }', { s: iri }, 'binding 1:14'],
    [
      'one that a subquery does not select',
      'SELECT ?a { ?a :p ?b { SELECT ?a { ?a :q ?b } } }',
      { b: iri },
      'binding 1:42',
    ],
    ['one beside an aggregate', 'SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o }', { s: iri }, 'binding 1:8'],
    ['a relative IRI', 'SELECT ?s { ?s :p 1 }', { s: new Iri('a') }, 'binding'],
    ['an IRI that would end itself', 'SELECT ?s { ?s :p 1 }', { s: new Iri('urn:x> } #') }, 'binding'],
    [
      'a language that is none',
      'SELECT ?s { ?s :p ?o }',
      { o: new LiteralTerm('a', new Iri(rdf.langString), 'e n') },
      'binding',
    ],
    ['half a character of a text', 'SELECT ?s { ?s :p ?o }', { o: new LiteralTerm('a\ud800') }, 'binding'],
    ['half a character of an IRI', 'SELECT ?s { ?s :p ?o }', { o: new Iri('urn:x:\ud800') }, 'binding'],
  ])('refuses %s', (_name, sparql, bindings, expected) => expect(refusal(sparql, bindings)).toBe(expected));

  it('takes one that is grouped by, or that an aggregate takes', () => {
    expect(prepared('SELECT ?s (COUNT(*) AS ?n) { ?s :p ?o } GROUP BY ?s', { s: iri }).form).toBe('select');
    expect(prepared('SELECT (COUNT(?s) AS ?n) { ?s :p ?o }', { s: iri }).form).toBe('select');
  });

  it('names the variable that was perhaps meant', () => {
    expect(() => prepared('SELECT ?skill { ?skill :p 1 }', { skil: iri })).toThrow('did you mean ?skill?');
  });
});

describe('what is refused', () => {
  it.each([
    ['INSERT DATA { :a :p 1 }', 'refused 1:1'],
    ['DELETE DATA { :a :p 1 }', 'refused 1:1'],
    ['DELETE WHERE { ?s ?p ?o }', 'refused 1:1'],
    ['DELETE { ?s ?p 1 } INSERT { ?s ?p 2 } WHERE { ?s ?p 1 }', 'refused 1:1'],
    ['PREFIX y: <urn:y:>\nDROP ALL', 'refused 2:1'],
    ['LOAD <http://a.example/>', 'refused 1:1'],
    ['SELECT * {\n  SERVICE <http://a.example/> { ?s ?p ?o } }', 'refused 2:3'],
    ['ASK { ?s :p ?o FILTER EXISTS { SERVICE SILENT ?x { ?s ?p ?o } } }', 'refused 1:32'],
    ['SELECT * { { SELECT * { SERVICE :x { } } } }', 'refused 1:25'],
    ['', 'syntax 1:1'],
    ['ASK {\n ?s :p "a\udc00" }', 'syntax 2:10'],
  ])('%s', (sparql, expected) => expect(refusal(sparql)).toBe(expected));
});

describe('what cannot be read', () => {
  it.each([
    ['SELECT ?x {\n ?x a Tool }', 'syntax 2:7', '"Tool" is not expected here; a name needs its prefix, as tg:Tool'],
    ['SELECT ?x WERE { ?x a :T }', 'syntax 1:11', '"WERE" is not expected here'],
    ["SELECT * { ?x a 'open }", 'syntax 1:17', 'unexpected character "\'"'],
    ['SELECT ?x ?y { ?x :p ?y } GROUP BY ?x', 'syntax', 'is not grouped by; add it to GROUP BY'],
  ])('%s is told by the whole word, or by what to do', (sparql, place, words) => {
    expect(refusal(sparql)).toBe(place);
    expect(() => prepared(sparql)).toThrow(words);
  });
});

describe('prepareQuery', () => {
  it('asks for one row more than may be, or for fewer where the query does', () => {
    expect(prepared('SELECT * { ?s :p ?o }').text).toMatch(/LIMIT 11\s*$/);
    expect(prepared('SELECT * { ?s :p ?o } LIMIT 3').text).toMatch(/LIMIT 3\s*$/);
    expect(prepared('SELECT * { ?s :p ?o } LIMIT 30').text).toMatch(/LIMIT 11\s*$/);
  });

  it('takes out FROM where there are two, relative ones by BASE', () => {
    const { dataset, text } = prepared('BASE <http://a.example/> SELECT * FROM <g> FROM :h FROM NAMED :n { ?s :p ?o }');
    expect(dataset).toEqual({ merged: ['http://a.example/g', 'urn:x:h'], named: ['urn:x:n'] });
    expect(text).not.toContain('FROM');
    expect(prepared('SELECT * FROM :g { ?s :p ?o }').dataset).toBeUndefined();
  });

  it('tells the variables in the order of the text', () => {
    expect(prepared('SELECT * { ?z :p ?a . ?a :q ?m }').variables).toEqual(['z', 'a', 'm']);
  });
});
