import { escapeStep } from '../json-pointer.js';
import type { Issue } from './refusal.js';

/** How deep a value from outside may be nested; the root is the first level. */
export const depthLimit = 128;
/** How many values arguments or an output may hold, containers included: each costs a look-up, a check and a line of a walk on the main thread. */
export const valuesLimit = 100_000;

/** What one walk over a value finds. */
export interface ValueBounds {
  /** The first value at which `faultOf` finds something wrong. */
  readonly issue?: Issue;
  /** It is nested deeper than `depthLimit` (a cycle too); the walk ended there. */
  readonly isTooDeep?: true;
  /** It holds more values than it may; the walk ended there. */
  readonly isTooMany?: true;
  /** How many values there are, containers included. */
  readonly values: number;
}

/**
 * Walks what is in a container from outside without recursion, so that no depth can overflow the stack. `faultOf` says what is wrong
 * with a value or its key, to be read after the path; `mostValues` is how many values there may be. Pure.
 */
export function measureValue(
  root: object,
  faultOf: (value: unknown, key: string | number) => string | undefined,
  mostValues = Number.POSITIVE_INFINITY,
): ValueBounds {
  const pending: Container[] = [{ container: root, path: '', depth: 1 }];
  let values = 1;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { container, path, depth } = next;
    if (depth > depthLimit) return { values, isTooDeep: true };
    // Of a large container no list of its members is made first.
    if (values + sizeOf(container) > mostValues) return { values, isTooMany: true };
    for (const [key, value] of members(container)) {
      values += 1;
      const message = faultOf(value, key);
      if (message !== undefined) return { values, issue: { path: `${path}/${escapeStep(String(key))}`, message } };
      // Only containers are queued: ten million numbers in one array must not become ten million queue entries.
      if (typeof value === 'object' && value !== null) {
        pending.push({ container: value, path: `${path}/${escapeStep(String(key))}`, depth: depth + 1 });
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

function sizeOf(container: object): number {
  return Array.isArray(container) ? container.length : Object.keys(container).length;
}

function members(container: object): Iterable<[string | number, unknown]> {
  return Array.isArray(container) ? container.entries() : Object.entries(container);
}
