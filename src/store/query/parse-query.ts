import { Parser } from '@traqula/parser-sparql-1-1';
import { AstFactory, type Query, type SparqlQuery, type Update } from '@traqula/rules-sparql-1-1';
import { errorMessage } from '../../error-message.js';
import { positionAt } from '../../text-position.js';
import { QueryError, type QueryErrorCode } from './query-error.js';
import { nodesOf } from './query-nodes.js';

/** Longer texts are refused before they are read. */
const longestQuery = 1_048_576;
/** The engine would read another character in its place. */
export const halfPair = 'half a surrogate pair is no character; write the whole pair';

const factory = new AstFactory();
const parser = new Parser({ defaultContext: { astFactory: factory }, lexerConfig: { positionTracking: 'full' } });

/**
 * The parsed query. `prefixes` are those that it need not declare. Throws a QueryError for what is not SPARQL 1.1 (`syntax`), and for what
 * would change the graph or ask another service (`refused`).
 */
export function parseQuery(sparql: string, prefixes: ReadonlyMap<string, string>): Query {
  if (sparql.length > longestQuery) {
    throw new QueryError('syntax', `the query has ${sparql.length} characters, at most ${longestQuery} are read`);
  }
  if (!sparql.isWellFormed()) throw new QueryError('syntax', halfPair, positionAt(sparql, sparql.search(/\p{Cs}/u)));
  const parsed = parse(sparql, prefixes);
  if (parsed.type === 'update') throw updateError(sparql, parsed);
  for (const node of nodesOf(parsed)) {
    if (node.type !== 'pattern' || node.subType !== 'service') continue;
    throw errorAt(
      sparql,
      node,
      'refused',
      'SERVICE would ask another server; only the graph of this instance is asked',
    );
  }
  return declaring(parsed, prefixes);
}

/** A QueryError that names the place of a node, where it has one. */
export function errorAt(sparql: string, node: object, code: QueryErrorCode, words: string): QueryError {
  const start = placeOf(node);
  return new QueryError(code, words, start === undefined ? undefined : positionAt(sparql, start));
}

/** The offset at which a node is written; undefined for one that is not written, or not in this text. */
export function placeOf(node: object): number | undefined {
  const loc: unknown = 'loc' in node ? node.loc : undefined;
  if (typeof loc !== 'object' || loc === null || !('start' in loc)) return undefined;
  return typeof loc.start === 'number' ? loc.start : undefined;
}

function parse(sparql: string, prefixes: ReadonlyMap<string, string>): SparqlQuery {
  try {
    return parser.parse(sparql, { prefixes: Object.fromEntries(prefixes) });
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new QueryError('syntax', 'it is nested too deeply; write it flatter');
    throw syntaxError(sparql, errorMessage(error));
  }
}

function updateError(sparql: string, { updates }: Update): QueryError {
  const [operation] = updates.flatMap(({ operation: found }) => (found === undefined ? [] : [found]));
  if (operation === undefined) {
    return new QueryError('syntax', 'there is no query; expected SELECT, ASK, CONSTRUCT or DESCRIBE', {
      line: 1,
      column: 1,
    });
  }
  const name =
    operation.subType === 'modify' ? 'an update' : operation.subType.toUpperCase().replace(/(?=DATA|WHERE)/, ' ');
  const words = `${name} would change the graph, which only documents do; expected SELECT, ASK, CONSTRUCT or DESCRIBE`;
  return errorAt(sparql, operation, 'refused', words);
}

/** Declares what the query uses without declaring it, so that it says the same wherever it is read. */
function declaring(query: Query, prefixes: ReadonlyMap<string, string>): Query {
  const declared = new Set(query.context.flatMap((one) => (one.subType === 'prefix' ? [one.key] : [])));
  const used = new Set<string>();
  for (const node of nodesOf(query)) {
    if (node.type === 'term' && node.subType === 'namedNode' && 'prefix' in node) used.add(node.prefix);
  }
  const missing = [...used].filter((name) => !declared.has(name));
  const context = missing.map((name) => {
    const namespace = factory.termNamed(factory.gen(), prefixes.get(name) ?? '');
    return factory.contextDefinitionPrefix(factory.gen(), name, namespace);
  });
  return { ...query, context: [...context, ...query.context] };
}

/** The parser tells places in three ways, of which two are pictures, or not at all. */
function syntaxError(sparql: string, message: string): QueryError {
  const drawn = /^Parse error on line (\d+)\n[\s\S]*?\n(-*)\^/.exec(message);
  if (drawn !== null) {
    const position = { line: Number(drawn[1]), column: (drawn[2]?.length ?? 0) + 1 };
    const found = /found: '?([^\s']+)'?\s*$/.exec(message)?.[1];
    return new QueryError('syntax', `${found === undefined ? 'this' : `"${found}"`} is not expected here`, position);
  }
  if (message.startsWith('Parse error')) {
    const expected = /Expecting --> (\S+) <--/.exec(message)?.[1];
    const words = expected === undefined ? 'it ends too early' : `it ends too early: expected "${expected}"`;
    return new QueryError('syntax', words, positionAt(sparql, sparql.trimEnd().length));
  }
  const offset = /at offset: (\d+)/.exec(message)?.[1];
  if (offset !== undefined) return unreadable(sparql, Number(offset));
  if (message.startsWith('Variable not allowed in projection')) {
    const words =
      'a variable that is selected beside GROUP BY or an aggregate is not grouped by; add it to GROUP BY, or write SAMPLE';
    return new QueryError('syntax', words);
  }
  const prefix = /^Unknown prefix: (.*)$/.exec(message)?.[1];
  if (prefix !== undefined) {
    const at = placeOfPrefix(sparql, prefix);
    return new QueryError('syntax', `the prefix "${prefix}:" is not declared; add PREFIX ${prefix}: <…>`, at);
  }
  const variable = /\(\?([^)]+)\)|^Variable (\S+) used/.exec(message);
  const at = variable === null ? undefined : placeOfAssignment(sparql, variable[1] ?? variable[2] ?? '');
  return new QueryError('syntax', message.split('\n', 1)[0] ?? message, at);
}

/** What the lexer stopped at: the whole word, where it has stopped within one. */
function unreadable(sparql: string, offset: number): QueryError {
  const before = /\w{0,100}$/.exec(sparql.slice(Math.max(0, offset - 100), offset))?.[0] ?? '';
  const start = offset - before.length;
  const word = /^[A-Za-z]\w{0,100}/.exec(sparql.slice(start, start + 100))?.[0];
  if (word === undefined) {
    const found = [...sparql.slice(offset, offset + 2)][0] ?? '';
    return new QueryError('syntax', `unexpected character "${found}"`, positionAt(sparql, offset));
  }
  const words = `"${word}" is not expected here; a name needs its prefix, as tg:${word}`;
  return new QueryError('syntax', words, positionAt(sparql, start));
}

/** What may hold a name that is not one: an IRI, a string, a comment. */
const tokens =
  /<[^<>"{}|^`\\\s]*>|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|#[^\n\r]*|[\w.\-\u00b7-\uffff]*:/g;

function placeOfPrefix(sparql: string, prefix: string): QueryError['position'] {
  for (const token of sparql.matchAll(tokens)) {
    if (token[0] === `${prefix}:`) return positionAt(sparql, token.index);
  }
  return undefined;
}

/** The last place where the variable is assigned: what is wrong with an assignment is that there is another before it. */
function placeOfAssignment(sparql: string, variable: string): QueryError['position'] {
  const assigned = [...sparql.matchAll(/\bAS\s+[?$]([\w\u00b7-\uffff]+)/gi)].filter(([, name]) => name === variable);
  const last = assigned.at(-1);
  return last && positionAt(sparql, last.index);
}
