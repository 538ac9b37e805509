import { conformance } from './answered-rows.js';

conformance('basic graph patterns', [
  { name: 'one triple with a variable', query: 'SELECT ?n { :bob :name ?n }', rows: ['"Bob"'] },
  { name: 'no match', query: 'SELECT ?n { :nobody :name ?n }', rows: [] },
  { name: 'an empty group has one solution', query: 'SELECT * { }', rows: [''] },
  {
    name: 'a join on a subject',
    query: 'SELECT ?s ?n { ?s :age 30 ; :name ?n }',
    rows: [':alice "Alice"', ':carol "Carol"@en'],
  },
  { name: 'a list of objects', query: 'SELECT ?s { ?s :knows :bob, :carol }', rows: [':alice'] },
  {
    name: 'a chain',
    query: 'SELECT ?a ?c { ?a :knows ?b . ?b :knows ?c }',
    rows: [':alice :carol', ':alice :dave', ':bob :dave'],
  },
  {
    name: 'the same variable twice',
    data: ':g { :a :p :a, :b . :b :p :a }',
    query: 'SELECT ?x { ?x :p ?x }',
    rows: [':a'],
  },
  { name: 'a variable as predicate', query: 'SELECT ?p { :bob ?p ?o }', rows: ['rdf:type', ':name', ':age', ':knows'] },
  { name: 'a product of two patterns', query: 'SELECT ?a ?b { ?a :age 25 . :dave :name ?b }', rows: [':bob "Dave"'] },
  { name: 'a blank node is a variable that is not seen', query: 'SELECT * { [] :age 25 ; :name ?n }', rows: ['"Bob"'] },
  {
    name: 'a labelled blank node joins',
    query: 'SELECT ?n { :alice :knows _:b . _:b :name ?n }',
    rows: ['"Bob"', '"Carol"@en'],
  },
  { name: 'a plain text is no text with a language', query: 'SELECT ?s { ?s :name "Carol" }', rows: [] },
  {
    name: 'columns of SELECT * in the order of the text',
    query: 'SELECT * { ?z :knows ?a . ?a :age 25 }',
    rows: [':alice :bob'],
  },
  { name: 'a selected variable that nothing binds', query: 'SELECT ?s ?none { ?s :age 25 }', rows: [':bob -'] },
]);

conformance('OPTIONAL', [
  {
    name: 'keeps what has no match',
    query: 'SELECT ?s ?m { ?s a :Person OPTIONAL { ?s :mail ?m } }',
    rows: [':alice "alice@a.example"', ':bob -', ':carol -'],
  },
  {
    name: 'two beside each other',
    query: 'SELECT ?m ?a { ?s :name "Dave" OPTIONAL { ?s :mail ?m } OPTIONAL { ?s :age ?a } }',
    rows: ['- -'],
  },
  {
    name: 'one within another',
    query: 'SELECT ?s ?k ?m { ?s :age 25 OPTIONAL { ?s :knows ?k OPTIONAL { ?k :mail ?m } } }',
    rows: [':bob :carol -'],
  },
  {
    name: 'its FILTER sees the variables before it',
    query: 'SELECT ?s ?k { ?s :age ?a OPTIONAL { ?s :knows ?k . ?k :age ?b FILTER(?b > ?a) } }',
    rows: [':alice -', ':bob :carol', ':carol -'],
  },
  {
    name: 'a FILTER after it removes',
    query: 'SELECT ?s { ?s a :Person OPTIONAL { ?s :mail ?m } FILTER(!BOUND(?m)) }',
    rows: [':bob', ':carol'],
  },
  { name: 'at the beginning of a group', query: 'SELECT ?x { OPTIONAL { :nobody :name ?x } }', rows: ['-'] },
  {
    name: 'a variable left without a value joins with any',
    query: 'SELECT ?m { :bob :age 25 OPTIONAL { :bob :mail ?m } :alice :mail ?m }',
    rows: ['"alice@a.example"'],
  },
]);

conformance('UNION', [
  { name: 'of two groups', query: 'SELECT ?x { { ?x :age 25 } UNION { ?x :name "Dave" } }', rows: [':bob', ':dave'] },
  {
    name: 'keeps what both give',
    query: 'SELECT ?x { { ?x :age 25 } UNION { ?x :name "Bob" } }',
    rows: [':bob', ':bob'],
  },
  {
    name: 'with other variables on each side',
    query: 'SELECT ?a ?b { { :bob :age ?a } UNION { :dave :name ?b } }',
    rows: ['25 -', '- "Dave"'],
  },
  {
    name: 'of three groups',
    query: 'SELECT ?x { { BIND(1 AS ?x) } UNION { BIND(2 AS ?x) } UNION { BIND(3 AS ?x) } }',
    rows: ['1', '2', '3'],
  },
  {
    name: 'joined with what stands before',
    query: 'SELECT ?s ?v { ?s :age 30 { ?s :mail ?v } UNION { ?s :name ?v } }',
    rows: [':alice "alice@a.example"', ':alice "Alice"', ':carol "Carol"@en'],
  },
  { name: 'with an empty group', query: 'SELECT ?x { { } UNION { ?x :age 25 } }', rows: ['-', ':bob'] },
]);

conformance('MINUS', [
  {
    name: 'takes away what is compatible',
    query: 'SELECT ?s { ?s a :Person MINUS { ?s :mail ?m } }',
    rows: [':bob', ':carol'],
  },
  {
    name: 'takes nothing away where no variable is shared',
    query: 'SELECT ?s { ?s :age 25 MINUS { ?x :name ?y } }',
    rows: [':bob'],
  },
  {
    name: 'takes nothing away by a pattern without variables',
    query: 'SELECT ?s { ?s :age 25 MINUS { :alice :age 30 } }',
    rows: [':bob'],
  },
  {
    name: 'its FILTER does not see the variables outside',
    query: 'SELECT ?s { ?s :age ?a MINUS { ?s :knows ?k FILTER(?a = 30) } }',
    rows: [':alice', ':bob', ':carol'],
  },
  {
    name: 'by two variables',
    query: 'SELECT ?a ?b { ?a :knows ?b MINUS { ?a :age 30 . ?a :knows ?b . ?b :age 25 } }',
    rows: [':alice :carol', ':bob :carol', ':carol :dave'],
  },
  {
    name: 'keeps duplicates of what stays',
    query: 'SELECT ?a { ?a :knows ?b MINUS { ?a :age 25 } }',
    rows: [':alice', ':alice', ':carol'],
  },
]);

conformance('EXISTS and NOT EXISTS', [
  { name: 'EXISTS', query: 'SELECT ?s { ?s a :Person FILTER EXISTS { ?s :mail ?m } }', rows: [':alice'] },
  { name: 'NOT EXISTS', query: 'SELECT ?s { ?s :name ?n FILTER NOT EXISTS { ?s :age ?a } }', rows: [':dave'] },
  {
    name: 'NOT EXISTS without a shared variable removes all, unlike MINUS',
    query: 'SELECT ?s { ?s :age 25 FILTER NOT EXISTS { ?x :name ?y } }',
    rows: [],
  },
  {
    name: 'sees the variables outside in its FILTER',
    query: 'SELECT ?s { ?s :age ?a FILTER NOT EXISTS { ?x :age ?b FILTER(?b < ?a) } }',
    rows: [':bob'],
  },
  {
    name: 'EXISTS as part of an expression',
    query: 'SELECT ?s { ?s :name ?n FILTER(EXISTS { ?s :mail ?m } || ?n = "Dave") }',
    rows: [':alice', ':dave'],
  },
  {
    name: 'EXISTS in BIND',
    query: 'SELECT ?s ?e { ?s :name ?n BIND(EXISTS { ?s :age 30 } AS ?e) }',
    rows: [':alice true', ':bob false', ':carol true', ':dave false'],
  },
  {
    name: 'its variables are not seen outside',
    query: 'SELECT ?s ?m { ?s :age 30 FILTER EXISTS { ?s :mail ?m } }',
    rows: [':alice -'],
  },
  {
    name: 'one in another',
    query: 'SELECT ?s { ?s a :Person FILTER NOT EXISTS { ?s :knows ?k FILTER NOT EXISTS { ?k a :Person } } }',
    rows: [':alice', ':bob'],
  },
]);

conformance('BIND', [
  { name: 'a computed value', query: 'SELECT ?x { :bob :age ?a BIND(?a * 2 AS ?x) }', rows: ['50'] },
  {
    name: 'an error leaves it unbound, and keeps the solution',
    query: 'SELECT ?s ?x { ?s :age 25 ; :name ?n BIND(?n + 1 AS ?x) }',
    rows: [':bob -'],
  },
  { name: 'used by what follows', query: 'SELECT ?s { BIND(30 AS ?a) ?s :age ?a }', rows: [':alice', ':carol'] },
  { name: 'one after another', query: 'SELECT ?y { BIND(1 AS ?x) BIND(?x + 1 AS ?y) }', rows: ['2'] },
  {
    name: 'does not see what stands outside its group',
    query: 'SELECT ?y { ?s :age 25 { BIND(?s AS ?y) } }',
    rows: ['-'],
  },
  { name: 'an expression in SELECT', query: 'SELECT (?a + 1 AS ?b) (?b + 1 AS ?c) { :bob :age ?a }', rows: ['26 27'] },
]);

conformance('VALUES', [
  {
    name: 'of one variable',
    query: 'SELECT ?s ?a { VALUES ?s { :alice :bob } ?s :age ?a }',
    rows: [':alice 30', ':bob 25'],
  },
  {
    name: 'of two variables',
    query: 'SELECT ?s ?a { VALUES (?s ?a) { (:alice 30) (:bob 30) } ?s :age ?a }',
    rows: [':alice 30'],
  },
  {
    name: 'UNDEF matches any',
    query: 'SELECT ?s ?a { ?s :age ?a VALUES (?s ?a) { (UNDEF 25) (:carol UNDEF) } }',
    rows: [':bob 25', ':carol 30'],
  },
  { name: 'after the query', query: 'SELECT ?s { ?s :age ?a } VALUES ?a { 25 }', rows: [':bob'] },
  { name: 'keeps duplicates', query: 'SELECT ?x { VALUES ?x { 1 1 } }', rows: ['1', '1'] },
  { name: 'an empty block has no solution', query: 'SELECT ?x { VALUES ?x { } }', rows: [] },
  { name: 'no variables, one row', query: 'SELECT ?s { ?s :age 25 VALUES () { () } }', rows: [':bob'] },
]);

conformance('subqueries', [
  {
    name: 'its LIMIT is its own',
    query: 'SELECT ?s ?n { { SELECT ?s { ?s :age ?a } ORDER BY ?a LIMIT 1 } ?s :name ?n }',
    rows: [':bob "Bob"'],
  },
  {
    name: 'a variable that it does not select is another one',
    query: 'SELECT ?s ?a { ?s :age ?a { SELECT ?s { ?s :name ?a } } }',
    rows: [':alice 30', ':bob 25', ':carol 30'],
  },
  {
    name: 'an aggregate for each',
    query: 'SELECT ?s ?n { ?s :mail ?m { SELECT ?s (COUNT(?k) AS ?n) { ?s :knows ?k } GROUP BY ?s } }',
    rows: [':alice 2'],
  },
  {
    name: 'is evaluated before what is around it',
    query: 'SELECT ?m { ?s :age 25 { SELECT (MAX(?a) AS ?m) { ?s :age ?a } } }',
    rows: ['30'],
  },
  { name: 'DISTINCT within', query: 'SELECT ?a { { SELECT DISTINCT ?a { ?s :age ?a } } }', rows: ['25', '30'] },
  { name: 'VALUES at its end', query: 'SELECT ?s { { SELECT ?s { ?s :age ?a } VALUES ?a { 25 } } }', rows: [':bob'] },
  {
    name: 'in OPTIONAL',
    query: 'SELECT ?s ?n { ?s :name ?any OPTIONAL { SELECT ?s (COUNT(*) AS ?n) { ?s :knows ?k } GROUP BY ?s } }',
    rows: [':alice 2', ':bob 1', ':carol 1', ':dave -'],
  },
]);
