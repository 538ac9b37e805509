import { escapeStep } from '../json-pointer.js';
import type { Issue } from './refusal.js';

const depthLimit = 128;

/** What one walk over the arguments finds. */
export interface ArgumentBounds {
  /** The first value that no JSON number or JSON text carries as it was meant. */
  readonly issue?: Issue;
  /** How many values there are, containers included. */
  readonly values: number;
}

/**
 * Walks arguments from outside without recursion, so that no depth can overflow the stack. Finds nesting deeper than 128 levels (a
 * cycle too) and integers beyond 2^53, which JSON.parse has already rounded (tool-node.md §4). Pure.
 */
export function measureArguments(args: object): ArgumentBounds {
  const pending: Container[] = [{ container: args, path: '', depth: 1 }];
  let values = 1;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { container, path, depth } = next;
    if (depth > depthLimit) {
      return { values, issue: { path: '', message: `are nested deeper than ${depthLimit} levels` } };
    }
    for (const [key, value] of members(container)) {
      values += 1;
      // Only containers are queued: ten million numbers in one array must not become ten million queue entries.
      if (typeof value === 'object' && value !== null) {
        pending.push({ container: value, path: `${path}/${escapeStep(String(key))}`, depth: depth + 1 });
      } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        const message = 'is an integer beyond 2^53, which JSON does not carry exactly';
        return { values, issue: { path: `${path}/${escapeStep(String(key))}`, message } };
      }
    }
  }
  return { values };
}

interface Container {
  readonly container: object;
  readonly path: string;
  readonly depth: number;
}

function members(container: object): Iterable<[string | number, unknown]> {
  return Array.isArray(container) ? container.entries() : Object.entries(container);
}
