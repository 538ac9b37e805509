import { knownDifferences } from './answered-rows.js';

knownDifferences([
  {
    name: 'an alternative of a path gives a term once, and not once for each predicate',
    data: ':g { :a :p :b ; :q :b }',
    query: 'SELECT ?x { :a :p|:q ?x }',
    rows: [':b', ':b'],
    answered: [':b'],
  },
  {
    name: 'a path of no step from a term that is in no triple has no end',
    query: 'SELECT ?x { :nowhere :knows* ?x }',
    rows: [':nowhere'],
    answered: [],
  },
  {
    name: 'a path of no step between two equal terms that are in no triple',
    query: 'ASK { :nowhere :knows* :nowhere }',
    rows: ['true'],
    answered: ['false'],
  },
  {
    name: 'booleans have no order in an expression',
    query: 'SELECT ?x { BIND(false < true AS ?x) }',
    rows: ['true'],
    answered: ['-'],
  },
  {
    name: 'a number is written in its canonical form',
    data: ':g { :a :p "01"^^xsd:integer }',
    query: 'SELECT (STR(?x) AS ?text) { :a :p ?x }',
    rows: ['"01"'],
    answered: ['"1"'],
  },
  {
    name: 'two spellings of one number are one term',
    data: ':g { :a :p "01"^^xsd:integer, 1 }',
    query: 'SELECT ?x { :a :p ?x }',
    rows: ['01', '1'],
    answered: ['1'],
  },
]);
