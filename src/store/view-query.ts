import { Parser } from '@traqula/parser-sparql-1-1';
import { errorMessage } from '../error-message.js';
import type { QueryVerdict } from '../projection/view-state.js';

/** Judges the query of a view that gives values to the variables `names`, without `?`. */
export function judgeQuery(query: string, names: readonly string[]): QueryVerdict {
  let ast: ReturnType<Parser['parse']>;
  try {
    ast = new Parser().parse(query);
  } catch (error) {
    return { fault: errorMessage(error) };
  }
  if (ast.type !== 'query') return { fault: 'it is an update; expected SELECT, ASK or CONSTRUCT' };
  const used = variablesIn(ast);
  const unused = names.find((name) => !used.has(name));
  if (unused !== undefined) return { fault: `it does not use ?${unused}; use it, or take the parameter out` };
  return { form: ast.subType };
}

function variablesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  if ('subType' in value && value.subType === 'variable' && 'value' in value) found.add(String(value.value));
  for (const member of Object.values(value)) variablesIn(member, found);
  return found;
}
