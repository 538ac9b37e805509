import { errorMessage } from '../../error-message.js';
import type { BindingTerm, LiteralTerm } from './graph-query.js';
import { errorAt, parseQuery } from './parse-query.js';
import { resolvedIri } from './prepare-query.js';
import { QueryError } from './query-error.js';
import { nodesOf } from './query-nodes.js';

/** Both throw, with the reason as the message, for what is no IRI and no language tag. */
export interface TermChecks {
  readonly namedNode: (iri: string) => unknown;
  readonly literal: (text: string, language: string) => unknown;
}

/**
 * What the engine cannot read of a query that the parser accepts: the first IRI or language tag in its text that is none, with the place, or
 * one among the bindings. Undefined where all are right.
 */
export function faultyTerm(
  sparql: string,
  prefixes: ReadonlyMap<string, string>,
  bindings: ReadonlyMap<string, BindingTerm>,
  checks: TermChecks,
): QueryError | undefined {
  for (const [name, term] of bindings) {
    const words = term.termType === 'NamedNode' ? iriFault(term.value, checks) : literalFault(term, checks);
    if (words !== undefined) return new QueryError('binding', `?${name}: ${words}`);
  }
  const query = parseQuery(sparql, prefixes);
  for (const node of nodesOf(query)) {
    if (node.type !== 'term') continue;
    if (node.subType === 'namedNode' && !('prefix' in node)) {
      const words = iriFault(resolvedIri(node, query.context), checks);
      if (words !== undefined) return errorAt(sparql, node, 'syntax', words);
    }
    if (node.subType === 'literal' && typeof node.langOrIri === 'string') {
      const words = languageFault(node.langOrIri, checks);
      if (words !== undefined) return errorAt(sparql, node, 'syntax', words);
    }
  }
  return undefined;
}

function literalFault({ language, datatype }: LiteralTerm, checks: TermChecks): string | undefined {
  return language === '' ? iriFault(datatype.value, checks) : languageFault(language, checks);
}

function iriFault(iri: string, { namedNode }: TermChecks): string | undefined {
  const why = faultOf(() => namedNode(iri));
  if (why === undefined) return undefined;
  const shown = `<${iri.slice(0, 100)}>`;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(iri)) return `${shown} is no IRI: ${why}`;
  return `${shown} is a relative IRI; write it in full, or with a prefix, or begin the query with BASE <…>`;
}

function languageFault(language: string, { literal }: TermChecks): string | undefined {
  const why = faultOf(() => literal('', language));
  return why === undefined ? undefined : `"${language.slice(0, 100)}" is no language tag: ${why}`;
}

function faultOf(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}
