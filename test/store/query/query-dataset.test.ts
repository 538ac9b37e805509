import fc from 'fast-check';
import { expect, it } from 'vitest';
import { loadOxigraph } from '../../../src/store/query/oxigraph.js';
import { QueryDataset } from '../../../src/store/query/query-dataset.js';

const oxigraph = await loadOxigraph(256);
const integer = '^^<http://www.w3.org/2001/XMLSchema#integer>';
const triple = fc.tuple(
  fc.constantFrom('<a:1>', '<a:2>'),
  fc.constantFrom('<p:1>', '<p:2>'),
  // Two spellings of one number are one term to the engine.
  fc.constantFrom(`"1"${integer}`, `"01"${integer}`, '"x"', '"x"@en', '<a:1>'),
);
const changes = fc.array(fc.tuple(fc.constantFrom('g:1', 'g:2', 'g:3'), fc.array(triple, { maxLength: 8 })), {
  maxLength: 10,
});
const questions = [
  'SELECT ?g { GRAPH ?g { } } ORDER BY ?g',
  'SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p STR(?o) LANG(?o)',
  'SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g ?s ?p STR(?o) LANG(?o)',
];

it('has after any changes of graphs what a dataset has that is loaded anew', () => {
  fc.assert(
    fc.property(changes, (made) => {
      const followed = new QueryDataset(oxigraph);
      for (const [graph, triples] of made) followed.replaceGraph(graph, triples);
      const fresh = new QueryDataset(oxigraph);
      const last = [...new Map(made)];
      fresh.load(last.flatMap(([graph, triples]) => triples.map((one) => [...one, `<${graph}>`] as const)));
      expect(followed.size).toBe(fresh.size);
      for (const question of questions) expect(followed.results(question)).toBe(fresh.results(question));
    }),
    { numRuns: 300 },
  );
});

it('has a triple of several graphs once, of those that FROM names too', () => {
  const dataset = new QueryDataset(oxigraph);
  dataset.replaceGraph('g:1', [['<a:1>', '<p:1>', '"x"']]);
  dataset.replaceGraph('g:2', [['<a:1>', '<p:1>', '"x"']]);
  const rows = (text: string, merged?: readonly string[]) =>
    JSON.parse(dataset.results(text, merged && { merged, named: [] })).results.bindings.length;
  expect(rows('SELECT * { ?s ?p ?o }')).toBe(1);
  expect(rows('SELECT * { ?s ?p ?o }', ['g:1', 'g:2'])).toBe(1);
  expect(rows('SELECT * { GRAPH ?g { ?s ?p ?o } }')).toBe(2);
  dataset.removeGraph('g:1');
  expect(rows('SELECT * { ?s ?p ?o }')).toBe(1);
  dataset.removeGraph('g:2');
  expect(rows('SELECT * { ?s ?p ?o }')).toBe(0);
});
