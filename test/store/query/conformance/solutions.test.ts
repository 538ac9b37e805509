import { conformance } from './answered-rows.js';

const numbers = ':g { :a :n 1, 2 . :b :n 3 . :c :m "x" . }';
const mixed = ':g { :a :v "text" . :b :v 1 . :c :v :iri . :d :w 1 }';

conformance('aggregates', [
  { name: 'COUNT of all', query: 'SELECT (COUNT(*) AS ?n) { ?s :knows ?o }', rows: ['4'] },
  { name: 'COUNT of values', query: 'SELECT (COUNT(?m) AS ?n) { ?s a :Person OPTIONAL { ?s :mail ?m } }', rows: ['1'] },
  { name: 'COUNT DISTINCT', query: 'SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s :knows ?o }', rows: ['3'] },
  {
    name: 'COUNT DISTINCT of rows',
    query: 'SELECT (COUNT(DISTINCT *) AS ?n) { { :bob :age ?a } UNION { :bob :age ?a } }',
    rows: ['1'],
  },
  { name: 'COUNT of none is 0', query: 'SELECT (COUNT(*) AS ?n) { :nobody :knows ?o }', rows: ['0'] },
  { name: 'SUM', data: numbers, query: 'SELECT (SUM(?v) AS ?n) { ?s :n ?v }', rows: ['6'] },
  { name: 'SUM DISTINCT', query: 'SELECT (SUM(DISTINCT ?a) AS ?n) { ?s :age ?a }', rows: ['55'] },
  { name: 'SUM of none is 0', data: numbers, query: 'SELECT (SUM(?v) AS ?n) { ?s :none ?v }', rows: ['0'] },
  { name: 'SUM with a text is an error', data: mixed, query: 'SELECT (SUM(?v) AS ?n) { ?s :v ?v }', rows: ['-'] },
  { name: 'AVG', data: numbers, query: 'SELECT (AVG(?v) AS ?n) { ?s :n ?v }', rows: ['2.0'] },
  { name: 'AVG of none is 0', data: numbers, query: 'SELECT (AVG(?v) AS ?n) { ?s :none ?v }', rows: ['0'] },
  { name: 'MIN and MAX', data: numbers, query: 'SELECT (MIN(?v) AS ?a) (MAX(?v) AS ?b) { ?s :n ?v }', rows: ['1 3'] },
  { name: 'MIN of none is an error', data: numbers, query: 'SELECT (MIN(?v) AS ?a) { ?s :none ?v }', rows: ['-'] },
  { name: 'SAMPLE', query: 'SELECT (SAMPLE(?n) AS ?a) { :bob :name ?n }', rows: ['"Bob"'] },
  { name: 'SAMPLE of none is an error', query: 'SELECT (SAMPLE(?n) AS ?a) { :nobody :name ?n }', rows: ['-'] },
  {
    name: 'GROUP_CONCAT',
    query: 'SELECT (GROUP_CONCAT(?n) AS ?all) { { SELECT ?n { VALUES ?n { "a" "b" } } ORDER BY ?n } }',
    rows: ['"a b"'],
  },
  {
    name: 'GROUP_CONCAT with a separator',
    query: 'SELECT (GROUP_CONCAT(DISTINCT ?n; SEPARATOR=", ") AS ?all) { VALUES ?n { "a" "a" } }',
    rows: ['"a"'],
  },
  {
    name: 'GROUP_CONCAT of none is empty',
    query: 'SELECT (GROUP_CONCAT(?n) AS ?all) { :nobody :name ?n }',
    rows: ['""'],
  },
  {
    name: 'GROUP BY',
    query: 'SELECT ?s (COUNT(?o) AS ?n) { ?s :knows ?o } GROUP BY ?s',
    rows: [':alice 2', ':bob 1', ':carol 1'],
  },
  {
    name: 'GROUP BY of nothing has no group',
    query: 'SELECT ?s (COUNT(*) AS ?n) { ?s :none ?o } GROUP BY ?s',
    rows: [],
  },
  {
    name: 'GROUP BY an expression',
    query: 'SELECT ?t (COUNT(*) AS ?n) { ?s :age ?a } GROUP BY (?a >= 30 AS ?t)',
    rows: ['true 2', 'false 1'],
  },
  {
    name: 'GROUP BY two keys',
    query: 'SELECT ?a ?t (COUNT(*) AS ?n) { ?s :age ?a ; a ?t } GROUP BY ?a ?t',
    rows: ['25 :Person 1', '30 :Person 2'],
  },
  {
    name: 'what is unbound is a group',
    query: 'SELECT ?m (COUNT(*) AS ?n) { ?s a :Person OPTIONAL { ?s :mail ?m } } GROUP BY ?m',
    rows: ['"alice@a.example" 1', '- 2'],
  },
  { name: 'HAVING', query: 'SELECT ?s { ?s :knows ?o } GROUP BY ?s HAVING(COUNT(?o) > 1)', rows: [':alice'] },
  { name: 'HAVING without GROUP BY', query: 'SELECT (COUNT(*) AS ?n) { ?s :knows ?o } HAVING(COUNT(*) > 9)', rows: [] },
  {
    name: 'arithmetic of aggregates',
    data: numbers,
    query: 'SELECT (MAX(?v) - MIN(?v) AS ?n) { ?s :n ?v }',
    rows: ['2'],
  },
  {
    name: 'an aggregate of an expression',
    data: numbers,
    query: 'SELECT (SUM(?v * 2) AS ?n) { ?s :n ?v }',
    rows: ['12'],
  },
  {
    name: 'ORDER BY an aggregate',
    inOrder: true,
    query: 'SELECT ?a { ?s :age ?a } GROUP BY ?a ORDER BY DESC(COUNT(*))',
    rows: ['30', '25'],
  },
]);

conformance('ORDER BY, LIMIT, OFFSET', [
  {
    name: 'ascending',
    inOrder: true,
    query: 'SELECT ?n { ?s :name ?m BIND(STR(?m) AS ?n) } ORDER BY ?n',
    rows: ['"Alice"', '"Bob"', '"Carol"', '"Dave"'],
  },
  {
    name: 'descending',
    inOrder: true,
    query: 'SELECT ?n { ?s :name ?m BIND(STR(?m) AS ?n) } ORDER BY DESC(?n)',
    rows: ['"Dave"', '"Carol"', '"Bob"', '"Alice"'],
  },
  {
    name: 'by two keys',
    inOrder: true,
    query: 'SELECT ?s { ?s :age ?a } ORDER BY DESC(?a) ?s',
    rows: [':alice', ':carol', ':bob'],
  },
  {
    name: 'by an expression',
    inOrder: true,
    query: 'SELECT ?x { VALUES ?x { 1 -3 2 } } ORDER BY ABS(?x)',
    rows: ['1', '2', '-3'],
  },
  {
    name: 'numbers by value',
    inOrder: true,
    query: 'SELECT ?x { VALUES ?x { 10 9 1.5 } } ORDER BY ?x',
    rows: ['1.5', '9', '10'],
  },
  {
    name: 'unbound, then IRIs, then literals',
    inOrder: true,
    query: 'SELECT ?x { VALUES ?x { "a" :a UNDEF } } ORDER BY ?x',
    rows: ['-', ':a', '"a"'],
  },
  {
    name: 'by a variable that is not selected',
    inOrder: true,
    query: 'SELECT ?n { ?s :name ?n ; :age ?a FILTER(?s != :carol) } ORDER BY ?a',
    rows: ['"Bob"', '"Alice"'],
  },
  { name: 'LIMIT', inOrder: true, query: 'SELECT ?s { ?s :name ?n } ORDER BY ?s LIMIT 2', rows: [':alice', ':bob'] },
  { name: 'LIMIT 0', query: 'SELECT ?s { ?s :name ?n } LIMIT 0', rows: [] },
  { name: 'OFFSET', inOrder: true, query: 'SELECT ?s { ?s :name ?n } ORDER BY ?s OFFSET 3', rows: [':dave'] },
  {
    name: 'LIMIT and OFFSET',
    inOrder: true,
    query: 'SELECT ?s { ?s :name ?n } ORDER BY ?s LIMIT 1 OFFSET 1',
    rows: [':bob'],
  },
  { name: 'OFFSET past the end', query: 'SELECT ?s { ?s :name ?n } OFFSET 9', rows: [] },
]);

conformance('DISTINCT and REDUCED', [
  { name: 'without them duplicates stay', query: 'SELECT ?a { ?s :age ?a }', rows: ['25', '30', '30'] },
  { name: 'DISTINCT', query: 'SELECT DISTINCT ?a { ?s :age ?a }', rows: ['25', '30'] },
  {
    name: 'DISTINCT of two variables',
    query: 'SELECT DISTINCT ?a ?t { ?s :age ?a ; a ?t }',
    rows: ['25 :Person', '30 :Person'],
  },
  {
    name: 'DISTINCT before LIMIT',
    inOrder: true,
    query: 'SELECT DISTINCT ?a { ?s :age ?a } ORDER BY ?a LIMIT 2',
    rows: ['25', '30'],
  },
  {
    name: 'DISTINCT keeps other languages',
    query: 'SELECT DISTINCT ?x { VALUES ?x { "a" "a"@en "a" } }',
    rows: ['"a"', '"a"@en'],
  },
  {
    name: 'REDUCED keeps what is there once',
    query: 'SELECT REDUCED ?s { ?s :age ?a }',
    rows: [':alice', ':bob', ':carol'],
  },
]);
