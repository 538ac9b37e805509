import { conformance } from './answered-rows.js';

conformance('ASK', [
  { name: 'true', query: 'ASK { :alice :knows :bob }', rows: ['true'] },
  { name: 'false', query: 'ASK { :bob :knows :alice }', rows: ['false'] },
  { name: 'of nothing is true', query: 'ASK { }', rows: ['true'] },
  { name: 'with WHERE and a FILTER', query: 'ASK WHERE { ?s :age ?a FILTER(?a > 30) }', rows: ['false'] },
]);

conformance('CONSTRUCT', [
  {
    name: 'a template',
    query: 'CONSTRUCT { ?o :knownBy ?s } WHERE { ?s :knows ?o FILTER(?s != :alice) }',
    rows: [':carol :knownBy :bob', ':dave :knownBy :carol'],
  },
  {
    name: 'gives a triple once',
    query: 'CONSTRUCT { :all :age ?a } { ?s :age ?a }',
    rows: [':all :age 25', ':all :age 30'],
  },
  {
    name: 'leaves out a triple with an unbound variable',
    query: 'CONSTRUCT { ?s :m ?m . ?s :is true } { VALUES ?s { :alice :bob } OPTIONAL { ?s :mail ?m } }',
    rows: [':alice :m "alice@a.example"', ':alice :is true', ':bob :is true'],
  },
  {
    name: 'leaves out a triple with a literal as subject',
    query: 'CONSTRUCT { ?n :of ?s . ?s :has ?n } { ?s :age 25 ; :name ?n }',
    rows: [':bob :has "Bob"'],
  },
  {
    name: 'a blank node is another one for each solution',
    query: 'CONSTRUCT { [] :age ?a } { VALUES ?a { 1 2 } }',
    rows: ['_:1 :age 1', '_:2 :age 2'],
  },
  {
    name: 'a labelled blank node is one in a solution',
    query: 'CONSTRUCT { _:x :name ?n . _:x :of ?s } { ?s :age 25 ; :name ?n }',
    rows: ['_:1 :name "Bob"', '_:1 :of :bob'],
  },
  {
    name: 'the short form',
    query: 'CONSTRUCT WHERE { ?s :knows :carol }',
    rows: [':alice :knows :carol', ':bob :knows :carol'],
  },
  {
    name: 'with ORDER BY and LIMIT',
    query: 'CONSTRUCT { ?s :first ?a } { ?s :age ?a } ORDER BY ?a LIMIT 1',
    rows: [':bob :first 25'],
  },
  { name: 'an empty template', query: 'CONSTRUCT { } { ?s :age ?a }', rows: [] },
  {
    name: 'a predicate that is a variable',
    query: 'CONSTRUCT { :x ?p ?o } { :dave ?p ?o }',
    rows: [':x :name "Dave"'],
  },
  {
    name: 'a list',
    query: 'CONSTRUCT { ?s :list (?a) } { ?s :age ?a FILTER(?a < 30) }',
    rows: [':bob :list _:1', '_:1 rdf:first 25', '_:1 rdf:rest rdf:nil'],
  },
]);

// What DESCRIBE gives is up to the service (16.4): docs/query.md says the triples with the resource as subject.
conformance('DESCRIBE', [
  { name: 'a resource', query: 'DESCRIBE :dave', rows: [':dave :name "Dave"'] },
  {
    name: 'with what two graphs state, each triple once',
    data: ':g { :a :p 1 } :h { :a :p 1 ; :q 2 }',
    query: 'DESCRIBE :a',
    rows: [':a :p 1', ':a :q 2'],
  },
  {
    name: 'what a pattern finds',
    data: ':g { :a :p 1 . :b :p 2 ; :q 3 }',
    query: 'DESCRIBE ?s { ?s :q 3 }',
    rows: [':b :p 2', ':b :q 3'],
  },
  {
    name: 'all variables',
    data: ':g { :a :p :b . :b :q 3 . :c :r :b }',
    query: 'DESCRIBE * { ?s :p ?o }',
    rows: [':a :p :b', ':b :q 3'],
  },
  { name: 'what is not there', query: 'DESCRIBE :nobody', rows: [] },
  {
    name: 'two resources',
    data: ':g { :a :p 1 . :b :p 2 . :c :p 3 }',
    query: 'DESCRIBE :a :b FROM :g',
    rows: [':a :p 1', ':b :p 2'],
  },
]);
