import type { WordedIssue } from './issue-words.js';

/** No document that toolgraph reads is as deep as this. */
const maxDepth = 100;

/**
 * The first place at which a value is none that JSON has a form for, or no text: `JSON.stringify` would drop it, change it or throw.
 * A member that is undefined counts as left out. Pure.
 */
export function unfitForJson(value: unknown): WordedIssue | undefined {
  return unfitAt(value, [], new Set());
}

function unfitAt(value: unknown, path: readonly PropertyKey[], holders: Set<object>): WordedIssue | undefined {
  if (typeof value !== 'object' || value === null) {
    const found = unfitScalar(value);
    return found === undefined ? undefined : { path, message: `expected what JSON has a form for, found ${found}` };
  }
  if (holders.has(value))
    return { path, message: 'expected what JSON has a form for, found an object that holds itself' };
  if (path.length >= maxDepth) {
    return {
      path: path.slice(0, 3),
      message: `nested deeper than ${maxDepth} levels, which is the limit; make it flatter`,
    };
  }
  if (!Array.isArray(value) && !isPlain(value)) {
    return {
      path,
      message: `expected what JSON has a form for, found an instance of ${value.constructor?.name ?? 'a class'}`,
    };
  }
  holders.add(value);
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'string' && !key.isWellFormed()) {
      return { path: [...path, key], atKey: true, message: `the key ${JSON.stringify(key)} has ${halfPair}` };
    }
    if (member === undefined && typeof key === 'string') continue;
    const unfit = unfitAt(member, [...path, key], holders);
    if (unfit !== undefined) return unfit;
  }
  holders.delete(value);
  return undefined;
}

const halfPair = 'half a surrogate pair, which is no character';

function unfitScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : `a string with ${halfPair}`;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (value === null || typeof value === 'boolean') return undefined;
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
