import canonicalize from 'canonicalize';
import { byCodeUnits } from '../code-units.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import type { TypeNode, TypeRegistry } from './node.js';

/**
 * Types by IRI. Two documents that define one type in different ways are a `duplicate-id` naming both; the first by path is
 * used, so that the result does not depend on the order of reading.
 */
export function typeRegistry(nodes: readonly TypeNode[]): {
  readonly types: TypeRegistry;
  readonly problems: readonly Diagnostic[];
} {
  const types = new Map<string, TypeNode>();
  const problems: Diagnostic[] = [];
  for (const node of [...nodes].sort(byDocument)) {
    const first = types.get(node.iri);
    if (first === undefined) types.set(node.iri, node);
    else if (canonicalize(first.schema) !== canonicalize(node.schema)) {
      const message = `the type ${node.iri} is defined differently in ${first.document}; keep one of the two`;
      problems.push(problem('duplicate-id', message, { document: node.document, subject: node.iri }));
    }
  }
  return { types, problems };
}

function byDocument(a: TypeNode, b: TypeNode): number {
  return byCodeUnits(a.document, b.document) || byCodeUnits(a.iri, b.iri);
}
