import { conformance } from './answered-rows.js';

const data = ':g1 { :a :p 1 . :b :p 2 } :g2 { :a :p 1 . :c :p 3 } :g3 { :g1 :about :a }';

conformance('the default graph', [
  {
    name: 'is the merge of the named graphs, each triple once',
    data,
    query: 'SELECT ?s ?o { ?s :p ?o }',
    rows: [':a 1', ':b 2', ':c 3'],
  },
  { name: 'counts a triple of two graphs once', data, query: 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }', rows: ['4'] },
  { name: 'sums a value of two graphs once', data, query: 'SELECT (SUM(?o) AS ?n) { ?s :p ?o }', rows: ['6'] },
  { name: 'joins across graphs', query: 'SELECT ?n { :bob :knows ?k . ?k :name ?n }', rows: ['"Carol"@en'] },
]);

conformance('GRAPH', [
  { name: 'with a name', data, query: 'SELECT ?s { GRAPH :g1 { ?s :p ?o } }', rows: [':a', ':b'] },
  {
    name: 'with a variable',
    data,
    query: 'SELECT ?g ?s { GRAPH ?g { ?s :p ?o } }',
    rows: [':g1 :a', ':g1 :b', ':g2 :a', ':g2 :c'],
  },
  {
    name: 'with a variable that a triple outside binds',
    data,
    query: 'SELECT ?s { ?g :about :a GRAPH ?g { ?s :p ?o } }',
    rows: [':a', ':b'],
  },
  { name: 'one that is not there', data, query: 'SELECT ?s { GRAPH :gone { ?s ?p ?o } }', rows: [] },
  { name: 'what follow took out is in no graph', data, query: 'ASK { GRAPH ?g { :before ?p ?o } }', rows: ['false'] },
  {
    name: 'a graph of which all was taken out is no name to an empty pattern',
    data: ':g { :a :p 1 }',
    query: 'SELECT ?g { GRAPH ?g { } }',
    rows: [':g'],
  },
  { name: 'does not join across graphs', query: 'SELECT ?n { GRAPH ?g { :bob :knows ?k . ?k :name ?n } }', rows: [] },
  {
    name: 'names by DISTINCT',
    data,
    query: 'SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }',
    rows: [':g1', ':g2', ':g3'],
  },
  { name: 'two graphs with the same triple', data, query: 'SELECT ?g { GRAPH ?g { :a :p 1 } }', rows: [':g1', ':g2'] },
  { name: 'FILTER within', data, query: 'SELECT ?s { GRAPH ?g { ?s :p ?o FILTER(?o > 1) } }', rows: [':b', ':c'] },
  {
    name: 'in EXISTS',
    data,
    query: 'SELECT ?s { ?s :p ?o FILTER NOT EXISTS { GRAPH :g2 { ?s :p ?o } } }',
    rows: [':b'],
  },
  {
    name: 'in MINUS',
    data,
    query: 'SELECT ?s { GRAPH :g1 { ?s :p ?o } MINUS { GRAPH :g2 { ?s :p ?o } } }',
    rows: [':b'],
  },
  { name: 'in OPTIONAL', data, query: 'SELECT ?s ?g { ?s :p 2 OPTIONAL { GRAPH ?g { ?s :p ?o } } }', rows: [':b :g1'] },
  {
    name: 'GROUP BY the graph',
    data,
    query: 'SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g',
    rows: [':g1 2', ':g2 2', ':g3 1'],
  },
]);

conformance('FROM and FROM NAMED', [
  { name: 'FROM is the default graph', data, query: 'SELECT ?s FROM :g1 { ?s :p ?o }', rows: [':a', ':b'] },
  {
    name: 'two of FROM are merged, each triple once',
    data,
    query: 'SELECT ?s FROM :g1 FROM :g2 { ?s :p ?o }',
    rows: [':a', ':b', ':c'],
  },
  { name: 'with FROM there is no named graph', data, query: 'SELECT ?g FROM :g1 { GRAPH ?g { ?s :p ?o } }', rows: [] },
  {
    name: 'FROM NAMED alone has an empty default graph',
    data,
    query: 'SELECT ?s FROM NAMED :g1 { ?s :p ?o }',
    rows: [],
  },
  {
    name: 'FROM NAMED chooses among the graphs',
    data,
    query: 'SELECT ?g ?s FROM NAMED :g2 { GRAPH ?g { ?s :p ?o } }',
    rows: [':g2 :a', ':g2 :c'],
  },
  {
    name: 'both',
    data,
    query: 'SELECT ?g ?s FROM :g3 FROM NAMED :g1 { ?g :about ?s GRAPH ?g { ?s :p 1 } }',
    rows: [':g1 :a'],
  },
  {
    name: 'two of FROM and one of FROM NAMED',
    data,
    query: 'SELECT ?s ?g FROM :g1 FROM :g2 FROM NAMED :g2 { ?s :p ?o OPTIONAL { GRAPH ?g { ?s :p ?o } } }',
    rows: [':a :g2', ':b -', ':c :g2'],
  },
  { name: 'one that is not there is empty', data, query: 'SELECT ?s FROM :gone { ?s :p ?o }', rows: [] },
  {
    name: 'relative to BASE',
    data,
    query: 'BASE <urn:x:g1> SELECT ?s FROM <urn:x:g1> FROM <urn:x:g3> { ?s :p ?o }',
    rows: [':a', ':b'],
  },
  { name: 'in ASK', data, query: 'ASK FROM :g1 { :c :p 3 }', rows: ['false'] },
  {
    name: 'in CONSTRUCT',
    data,
    query: 'CONSTRUCT { ?s :q ?o } FROM :g2 WHERE { ?s :p ?o }',
    rows: [':a :q 1', ':c :q 3'],
  },
]);
