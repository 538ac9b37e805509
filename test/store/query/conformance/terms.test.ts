import { Iri, LiteralTerm } from '../../../../src/store/rdf-terms.js';
import { rdf, XSD } from '../../../../src/store/vocabulary.js';
import { conformance } from './answered-rows.js';

const data = `:g {
  :a :p "text" . :b :p "text"@en . :c :p "text"@en-GB . :d :p "5"^^:inches . :e :p 5 . :f :p 5.0 . :h :p true .
  :i :p "2020-02-29"^^xsd:date . :j :p "\\u00e4\\n\\"q\\"\\\\" . :\u00e9t\u00e9 :p "\u{1f600}" . :k :p "" . :l :p "05" .
}`;

conformance('terms in a pattern', [
  { name: 'a text', data, query: 'SELECT ?s { ?s :p "text" }', rows: [':a'] },
  { name: 'a text with a language', data, query: 'SELECT ?s { ?s :p "text"@en }', rows: [':b'] },
  {
    name: 'another region is another language',
    data,
    query: 'SELECT ?s { ?s :p ?o FILTER LANGMATCHES(LANG(?o), "en") }',
    rows: [':b', ':c'],
  },
  { name: 'a datatype of its own', data, query: 'SELECT ?s { ?s :p "5"^^:inches }', rows: [':d'] },
  { name: 'an integer is no decimal', data, query: 'SELECT ?s { ?s :p 5 }', rows: [':e'] },
  { name: 'a decimal', data, query: 'SELECT ?s { ?s :p 5.0 }', rows: [':f'] },
  { name: 'numbers by value in a FILTER', data, query: 'SELECT ?s { ?s :p ?o FILTER(?o = 5) }', rows: [':e', ':f'] },
  { name: 'a boolean', data, query: 'SELECT ?s { ?s :p true }', rows: [':h'] },
  { name: 'a date', data, query: 'SELECT ?s { ?s :p "2020-02-29"^^xsd:date }', rows: [':i'] },
  { name: 'escapes in a text', data, query: String.raw`SELECT ?s { ?s :p "\u00E4\n\"q\"\\" }`, rows: [':j'] },
  { name: 'a text in long quotes', data, query: `SELECT ?s { ?s :p '''\u00e4\n"q"\\\\''' }`, rows: [':j'] },
  {
    name: 'a text with escapes as a result',
    data,
    query: 'SELECT ?o { :j :p ?o }',
    rows: [JSON.stringify('\u00e4\n"q"\\')],
  },
  {
    name: 'a character outside the basic plane',
    data,
    query: 'SELECT ?s { ?s :p "\u{1f600}" }',
    rows: [':\u00e9t\u00e9'],
  },
  { name: 'a name with accents', data, query: 'SELECT ?o { :\u00e9t\u00e9 :p ?o }', rows: ['"\u{1f600}"'] },
  {
    name: 'a code point escape in a name',
    data,
    query: String.raw`SELECT ?o { <urn:x:\u00e9t\u00e9> :p ?o }`,
    rows: ['"\u{1f600}"'],
  },
  { name: 'an empty text', data, query: 'SELECT ?s { ?s :p "" }', rows: [':k'] },
  { name: 'a text of digits keeps its spelling', data, query: 'SELECT ?s { ?s :p "05" }', rows: [':l'] },
  {
    name: 'a prefix that the query declares',
    data,
    query: 'PREFIX y: <urn:x:> SELECT ?s { ?s y:p "text" }',
    rows: [':a'],
  },
  { name: 'what a query declares comes first', data, query: 'PREFIX : <urn:y:> SELECT ?s { ?s :p ?o }', rows: [] },
  {
    name: 'a relative IRI by BASE',
    data: ':g { <http://a.example/b> :p 1 }',
    query: 'BASE <http://a.example/> SELECT ?o { <b> :p ?o }',
    rows: ['1'],
  },
  {
    name: 'an escape in a prefixed name',
    data: ':g { <urn:x:a/b> :p 1 }',
    query: String.raw`SELECT ?o { :a\/b :p ?o }`,
    rows: ['1'],
  },
  { name: 'a comment', data, query: 'SELECT ?s { # all\n ?s :p "text" }', rows: [':a'] },
  {
    name: 'a list',
    data: ':g { :s :p :l1 . :l1 rdf:first 1 ; rdf:rest :l2 . :l2 rdf:first 2 ; rdf:rest rdf:nil }',
    query: 'SELECT ?a ?b { :s :p (?a ?b) }',
    rows: ['1 2'],
  },
]);

conformance('values that are put in', [
  { name: 'an IRI', query: 'SELECT ?n { ?s :name ?n }', bindings: { s: new Iri('urn:x:bob') }, rows: ['"Bob"'] },
  { name: 'a text', query: 'SELECT ?s { ?s :name ?n }', bindings: { n: new LiteralTerm('Carol') }, rows: [] },
  {
    name: 'a text with a language',
    query: 'SELECT ?s { ?s :name ?n }',
    bindings: { n: new LiteralTerm('Carol', new Iri(rdf.langString), 'en', '') },
    rows: [':carol'],
  },
  {
    name: 'a number',
    query: 'SELECT ?s { ?s :age ?a }',
    bindings: { a: new LiteralTerm('25', new Iri(`${XSD}integer`)) },
    rows: [':bob'],
  },
  {
    name: 'is a column of the result',
    query: 'SELECT * { ?s :age ?a }',
    bindings: { a: new LiteralTerm('25', new Iri(`${XSD}integer`)) },
    rows: [':bob 25'],
  },
  {
    name: 'a text with quotes stays one',
    query: 'SELECT ?n { BIND(STR(?x) AS ?n) }',
    bindings: { x: new LiteralTerm('" } DROP ALL # \\ \n') },
    rows: [JSON.stringify('" } DROP ALL # \\ \n')],
  },
  {
    name: 'two',
    query: 'ASK { ?a :knows ?b }',
    bindings: { a: new Iri('urn:x:bob'), b: new Iri('urn:x:carol') },
    rows: ['true'],
  },
  {
    name: 'the name of a graph',
    query: 'SELECT ?s { GRAPH ?g { ?s :age ?a } }',
    bindings: { g: new Iri('urn:x:g2') },
    rows: [':carol'],
  },
  {
    name: 'in FILTER',
    query: 'SELECT ?s { ?s :age ?a FILTER(?a > ?least) }',
    bindings: { least: new LiteralTerm('25', new Iri(`${XSD}integer`)) },
    rows: [':alice', ':carol'],
  },
  {
    name: 'in both sides of UNION',
    query: 'SELECT ?v { { ?s :age ?v } UNION { ?s :name ?v } }',
    bindings: { s: new Iri('urn:x:bob') },
    rows: ['25', '"Bob"'],
  },
  {
    name: 'in OPTIONAL, of which the FILTER sees it',
    query: 'SELECT ?s ?k { ?s :age 25 OPTIONAL { ?s :knows ?k FILTER(?k = ?who) } }',
    bindings: { who: new Iri('urn:x:alice') },
    rows: [':bob -'],
  },
  {
    name: 'in MINUS',
    query: 'SELECT ?s { ?s a :Person MINUS { ?s :age ?a } }',
    bindings: { a: new LiteralTerm('30', new Iri(`${XSD}integer`)) },
    rows: [':bob'],
  },
  {
    name: 'in EXISTS',
    query: 'SELECT ?s { ?s a :Person FILTER EXISTS { ?s :knows ?k } }',
    bindings: { k: new Iri('urn:x:dave') },
    rows: [':carol'],
  },
  {
    name: 'in a subquery that selects it',
    query: 'SELECT ?s ?n { { SELECT ?s (COUNT(*) AS ?n) { ?s :knows ?k } GROUP BY ?s } }',
    bindings: { s: new Iri('urn:x:alice') },
    rows: [':alice 2'],
  },
  {
    name: 'in a subquery that is the whole query',
    query: 'SELECT ?s ?n { SELECT ?s (COUNT(*) AS ?n) { ?s :knows ?k } GROUP BY ?s }',
    bindings: { s: new Iri('urn:x:alice') },
    rows: [':alice 2'],
  },
  {
    name: 'two in a subquery',
    query: 'SELECT ?s { ?s a :Person { SELECT ?s ?k { ?s :knows ?k } } }',
    bindings: { s: new Iri('urn:x:alice'), k: new Iri('urn:x:carol') },
    rows: [':alice'],
  },
  {
    name: 'in CONSTRUCT',
    query: 'CONSTRUCT { ?s :aged ?a } { ?s :age ?a }',
    bindings: { s: new Iri('urn:x:bob') },
    rows: [':bob :aged 25'],
  },
  { name: 'in DESCRIBE', query: 'DESCRIBE ?s', bindings: { s: new Iri('urn:x:dave') }, rows: [':dave :name "Dave"'] },
]);
