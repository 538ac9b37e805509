import {
  AstFactory,
  type Expression,
  type Pattern,
  type PatternValues,
  type Query,
  type SubSelect,
  type TermIri,
  type TermLiteral,
} from '@traqula/rules-sparql-1-1';
import { nearestName } from '../../nearest-name.js';
import { RDF, rdf, XSD } from '../vocabulary.js';
import type { BindingTerm } from './graph-query.js';
import { errorAt, halfPair } from './parse-query.js';
import { QueryError } from './query-error.js';
import { nodesOf } from './query-nodes.js';

const factory = new AstFactory();

/** The letters and digits of VARNAME: nothing in it could end the name. */
const variableName = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*$/u;
/** What the grammar of SPARQL admits between `<` and `>`, with a scheme: a relative IRI would depend on where it is read. */
export const absoluteIri = /^[A-Za-z][A-Za-z0-9+.-]*:[^\p{Cc}\p{Cs}\p{Z}<>"{}|^`\\]*$/u;
const languageTag = /^[A-Za-z]+(?:-[A-Za-z0-9]+)*$/;

/** A query, or a subquery of it: where a variable means the same. */
type Scope = Query | SubSelect;

interface Binding {
  readonly name: string;
  readonly term: TermIri | TermLiteral;
}

/**
 * The query with each term as the only value of its variable: a VALUES block at the beginning of each group that uses it, because what a
 * group computes does not see what stands beside it. Throws a QueryError `binding` for a term that no query can hold, and for a variable
 * that the query does not use, assigns itself, or means otherwise in a subquery. `sparql` is the text of the query, for places.
 */
export function bindQuery(sparql: string, query: Query, bindings: ReadonlyMap<string, BindingTerm>): Query {
  let bound = query;
  for (const [name, term] of bindings) {
    if (!variableName.test(name)) throw bindingError(name, 'this is no name of a variable: letters, digits and "_"');
    if (!variablesIn(query).has(name)) throw bindingError(name, unusedWords(name, query));
    bound = inScope(sparql, bound, { name, term: termNode(name, term) });
  }
  return bound;
}

function inScope<T extends Scope>(sparql: string, scope: T, binding: Binding): T {
  const { name } = binding;
  const assignment = assignmentOf(scope, name);
  if (assignment !== undefined) {
    throw errorAt(
      sparql,
      assignment,
      'binding',
      `?${name}: the query assigns this variable itself; give it another name`,
    );
  }
  const ungrouped = ungroupedUse(scope, name);
  if (ungrouped !== undefined) {
    const words = `?${name}: it stands beside an aggregate; write SAMPLE(?${name}), or add it to GROUP BY`;
    throw errorAt(sparql, ungrouped, 'binding', words);
  }
  const where = scope.where ?? factory.patternGroup([], factory.gen());
  return { ...scope, where: { ...where, patterns: inGroup(sparql, where.patterns, binding, true) } };
}

/** The patterns of a group, with the value before them where they use the variable, or where `always`. */
function inGroup(sparql: string, patterns: readonly Pattern[], binding: Binding, always = false): Pattern[] {
  const inner = patterns.map((pattern) => inPattern(sparql, pattern, binding));
  if (!always && !patterns.some((pattern) => uses(pattern, binding.name))) return inner;
  // A subquery is all that its group may hold.
  const beside = inner.map((one) => (one.type === 'query' ? factory.patternGroup([one], factory.gen()) : one));
  return [valuesOf(binding), ...beside];
}

function inPattern(sparql: string, pattern: Pattern, binding: Binding): Pattern {
  if (!uses(pattern, binding.name)) return pattern;
  if (pattern.type === 'query') return inSubquery(sparql, pattern, binding);
  switch (pattern.subType) {
    case 'union':
      return {
        ...pattern,
        patterns: pattern.patterns.map((group) => ({ ...group, patterns: inGroup(sparql, group.patterns, binding) })),
      };
    case 'group':
    case 'optional':
    case 'minus':
    case 'graph':
      return { ...pattern, patterns: inGroup(sparql, pattern.patterns, binding) };
    default:
      // EXISTS in a filter or BIND sees the values of the group that it is in.
      return pattern;
  }
}

function inSubquery(sparql: string, subquery: SubSelect, binding: Binding): SubSelect {
  const { name } = binding;
  const isSelected = subquery.variables.some(
    (one) => one.type === 'wildcard' || (one.type === 'term' && one.value === name),
  );
  if (!isSelected && assignmentOf(subquery, name) === undefined) {
    const words = `?${name}: the subquery uses this variable and does not select it, so it is another one there; select it, or rename it`;
    throw errorAt(sparql, firstUse(subquery, name) ?? subquery, 'binding', words);
  }
  return inScope(sparql, subquery, binding);
}

/** Whether the variable occurs anywhere in a pattern. */
function uses(pattern: object, name: string): boolean {
  return firstUse(pattern, name) !== undefined;
}

function firstUse(part: object, name: string): object | undefined {
  for (const node of nodesOf(part))
    if (node.type === 'term' && node.subType === 'variable' && node.value === name) return node;
  return undefined;
}

function variablesIn(part: object): Set<string> {
  const names = new Set<string>();
  for (const node of nodesOf(part)) if (node.type === 'term' && node.subType === 'variable') names.add(node.value);
  return names;
}

/** Where the scope itself gives the variable a value: `AS ?name` in SELECT, BIND or GROUP BY. */
function assignmentOf(scope: Scope, name: string): object | undefined {
  const selected = scope.subType === 'select' ? scope.variables : [];
  const grouped = scope.solutionModifiers.group?.groupings ?? [];
  for (const one of [...selected, ...grouped])
    if ('variable' in one && one.variable.value === name) return one.variable;
  return assignmentIn(scope.where?.patterns ?? [], name);
}

function assignmentIn(patterns: readonly Pattern[], name: string): object | undefined {
  for (const pattern of patterns) {
    if (pattern.type === 'query') continue;
    if (pattern.subType === 'bind' && pattern.variable.value === name) return pattern.variable;
    const found = 'patterns' in pattern ? assignmentIn(pattern.patterns, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A use in which the variable would have no value: beside an aggregate, where only the keys of the groups have one. */
function ungroupedUse(scope: Scope, name: string): object | undefined {
  const { group, having, order } = scope.solutionModifiers;
  const selected = scope.subType === 'select' ? scope.variables : [];
  const results = [...selected, ...(having?.having ?? []), ...(order?.orderDefs ?? [])];
  const isAggregated = group !== undefined || results.some((one) => aggregates(one).length > 0);
  if (!isAggregated || group?.groupings.some((key) => 'value' in key && key.value === name)) return undefined;
  const inside = new Set(results.flatMap(aggregates).flatMap((aggregate) => [...nodesOf(aggregate)]));
  return results
    .flatMap((one) => [...nodesOf('type' in one ? one : one.expression)])
    .find((node) => node.type === 'term' && node.subType === 'variable' && node.value === name && !inside.has(node));
}

function aggregates(part: object): Expression[] {
  return [...nodesOf(part)].flatMap((node) =>
    node.type === 'expression' && node.subType === 'aggregate' ? [node] : [],
  );
}

function valuesOf({ name, term }: Binding): PatternValues {
  const variable = factory.termVariable(name, factory.gen());
  return factory.patternValues([variable], [Object.fromEntries([[name, term]])], factory.gen());
}

function termNode(name: string, term: BindingTerm): TermIri | TermLiteral {
  if (term.termType === 'NamedNode') return factory.termNamed(factory.gen(), checkedIri(name, term.value));
  const { value, language, datatype } = term;
  if (!value.isWellFormed()) throw bindingError(name, halfPair);
  if (datatype.value === rdf.langString) {
    if (!languageTag.test(language)) throw bindingError(name, `"${language}" is no language tag`);
    return factory.termLiteral(factory.gen(), value, language);
  }
  if (datatype.value === `${RDF}dirLangString`) {
    throw bindingError(name, 'SPARQL 1.1 cannot write a text with a direction; give it without');
  }
  if (datatype.value === `${XSD}string`) return factory.termLiteral(factory.gen(), value);
  return factory.termLiteral(factory.gen(), value, factory.termNamed(factory.gen(), checkedIri(name, datatype.value)));
}

function checkedIri(name: string, iri: string): string {
  if (absoluteIri.test(iri)) return iri;
  throw bindingError(name, `expected an absolute IRI without spaces and <>"{}|^\`\\, and it is "${iri.slice(0, 100)}"`);
}

function bindingError(name: string, words: string): QueryError {
  return new QueryError('binding', `?${name}: ${words}`);
}

function unusedWords(name: string, query: Query): string {
  const nearest = nearestName(name, variablesIn(query));
  return `the query does not use this variable${nearest === undefined ? '' : `; did you mean ?${nearest}?`}`;
}
