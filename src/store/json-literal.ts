import { reservedKeys } from '../../schemas/tool.js';

/** Nesting of objects and arrays; beyond it, what walks a value recursively could exhaust the stack. */
const deepest = 100;

export type JsonLiteral = { readonly value: unknown } | { readonly fault: string };

/** Parses the text of an `rdf:JSON` literal. Refuses what a document may not hold either: reserved keys, and unbounded depth. */
export function parseJsonLiteral(text: string): JsonLiteral {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'expected JSON text in a literal of the type rdf:JSON' };
  }
  const pending: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= deepest) return { fault: `expected JSON that is nested at most ${deepest} deep` };
    for (const [key, inner] of Object.entries(next.value)) {
      if (reservedKeys.has(key)) return { fault: `the key "${key}" is reserved; use another` };
      pending.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return { value };
}
