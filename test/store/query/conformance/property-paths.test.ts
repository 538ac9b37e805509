import { conformance } from './answered-rows.js';

/** A chain with a loop at its end, in two graphs. */
const data = ':g { :a :p :b ; :q :c . :b :p :c . :e :q :a } :h { :c :p :d . :d :p :c ; :r "x" }';

conformance('property paths', [
  { name: 'a sequence', data, query: 'SELECT ?x { :a :p/:p ?x }', rows: [':c'] },
  { name: 'a sequence across graphs', data, query: 'SELECT ?x { :b :p/:p ?x }', rows: [':d'] },
  {
    name: 'a sequence keeps duplicates',
    data: ':g { :a :p :b, :c . :b :q :d . :c :q :d }',
    query: 'SELECT ?x { :a :p/:q ?x }',
    rows: [':d', ':d'],
  },
  { name: 'an alternative', data, query: 'SELECT ?x { :a :p|:q ?x }', rows: [':b', ':c'] },
  { name: 'an inverse', data, query: 'SELECT ?x { :c ^:p ?x }', rows: [':b', ':d'] },
  { name: 'an inverse of a sequence', data, query: 'SELECT ?x { :c ^(:p/:p) ?x }', rows: [':a', ':c'] },
  { name: 'siblings by an inverse and a step', data, query: 'SELECT ?x { :b :p/^:p ?x }', rows: [':b', ':d'] },
  { name: 'one or more', data, query: 'SELECT ?x { :a :p+ ?x }', rows: [':b', ':c', ':d'] },
  {
    name: 'one or more reaches its beginning by a loop, once',
    data,
    query: 'SELECT ?x { :c :p+ ?x }',
    rows: [':c', ':d'],
  },
  { name: 'zero or more', data, query: 'SELECT ?x { :a :p* ?x }', rows: [':a', ':b', ':c', ':d'] },
  { name: 'zero or one', data, query: 'SELECT ?x { :a :p? ?x }', rows: [':a', ':b'] },
  { name: 'backwards from the object', data, query: 'SELECT ?x { ?x :p+ :c }', rows: [':a', ':b', ':c', ':d'] },
  { name: 'zero or more to a literal', data, query: 'SELECT ?x { ?x :r* "x" }', rows: [':d', '"x"'] },
  { name: 'between two terms', data, query: 'ASK { :a :p+ :d }', rows: ['true'] },
  { name: 'between two terms that nothing connects', data, query: 'ASK { :d :p+ :a }', rows: ['false'] },
  {
    name: 'with both ends open',
    data: ':g { :a :p :b . :b :p :c }',
    query: 'SELECT ?x ?y { ?x :p+ ?y }',
    rows: [':a :b', ':a :c', ':b :c'],
  },
  {
    name: 'zero or more with both ends open has each node of the graph',
    data: ':g { :a :p :b }',
    query: 'SELECT ?x ?y { ?x :p* ?y }',
    rows: [':a :a', ':a :b', ':b :b'],
  },
  {
    name: 'zero or one with both ends open',
    data: ':g { :a :p :b . :c :q :a }',
    query: 'SELECT ?x ?y { ?x :p? ?y }',
    rows: [':a :a', ':a :b', ':b :b', ':c :c'],
  },
  { name: 'the same variable at both ends', data, query: 'SELECT ?x { ?x :p+ ?x }', rows: [':c', ':d'] },
  { name: 'a negated predicate', data, query: 'SELECT ?x { :a !:p ?x }', rows: [':c'] },
  { name: 'a negated set', data, query: 'SELECT ?x ?y { ?x !(:p|:q) ?y }', rows: [':d "x"'] },
  { name: 'a negated inverse', data, query: 'SELECT ?x { :a !^:p ?x }', rows: [':e'] },
  {
    name: 'a negated set of both directions',
    data: ':g { :a :p :b ; :q :c . :d :p :a ; :q :a }',
    query: 'SELECT ?x { :a !(:p|^:q) ?x }',
    rows: [':c', ':d'],
  },
  { name: 'repetition of an alternative', data, query: 'SELECT ?x { :e (:p|:q)+ ?x }', rows: [':a', ':b', ':c', ':d'] },
  { name: 'repetition of a sequence', data, query: 'SELECT ?x { :a (:p/:p)+ ?x }', rows: [':c'] },
  { name: 'repetition of an inverse', data, query: 'SELECT ?x { :b (^:p)+ ?x }', rows: [':a'] },
  { name: 'a step after a repetition', data, query: 'SELECT ?x { :a :p*/:r ?x }', rows: ['"x"'] },
  { name: 'a binds before |', data, query: 'SELECT ?x { :e :q/:p|:q ?x }', rows: [':b', ':a'] },
  {
    name: 'a repetition with GRAPH stays in the graph',
    data,
    query: 'SELECT ?x { GRAPH :g { :a :p+ ?x } }',
    rows: [':b', ':c'],
  },
  {
    name: 'a triple of two graphs is one step',
    data: ':g { :a :p :b } :h { :a :p :b . :b :p :c }',
    query: 'SELECT ?x { :a :p/:p ?x }',
    rows: [':c'],
  },
]);
