import fc from 'fast-check';
import { terms } from '../../src/store/vocabulary.js';

/** A node with one value changed, and what was changed. */
export interface Breakage {
  readonly what: string;
  readonly node: Record<string, unknown>;
}

const rows = new Map(terms.map((row) => [row.key, row]));
const long = 'x'.repeat(70_000);
const textTerm = { '@value': 'x' };

/** Values that the kind of a key does not allow, whichever key it is. */
function wrongValues(key: string, value: unknown): readonly unknown[] {
  const row = rows.get(key);
  switch (row?.kind) {
    case 'text':
      if (row.many) return [[5], [''], [long], [{ '@id': 'urn:x:y' }]];
      return [5, true, long, '', { '@id': 'urn:x:y' }, [value, `${value}~`]];
    case 'boolean':
      return ['yes', 5, [true, false], { '@id': 'urn:x:y' }];
    case 'integer':
      return ['1', -1, 1001, 1.5, true, [value, 7]];
    case 'iri':
      return [5, textTerm, [value, 'urn:x:other']];
    case 'tool':
    case 'skill':
      return row.many ? [[5], [textTerm]] : [5, textTerm, [value, 'urn:x:other']];
    case 'list':
    case 'nodes':
      return [['x'], [5], ...(Array.isArray(value) ? [[...value, 'x']] : [])];
    case 'node':
      return ['x', {}, { joined: true }, { flag: '--a', positional: 0 }, { stdin: false }];
    default:
      return [];
  }
}

interface Site {
  readonly path: readonly (string | number)[];
  readonly key: string;
  readonly value: unknown;
}

/** Every key of the vocabulary in the node and in the nodes inside of it; not what lies in a JSON literal. */
function sites(value: unknown, path: Site['path'] = []): Site[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => sites(item, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const row = rows.get(key);
    const own = row === undefined ? [] : [{ path: [...path, key], key, value: member }];
    return row?.kind === 'json' ? own : [...own, ...sites(member, [...path, key])];
  });
}

/** The node with one value put in place of another, or one key left out. */
export function broken(node: Record<string, unknown>, kind: 'changed' | 'left out'): fc.Arbitrary<Breakage> {
  const all = sites(node).flatMap(({ path, key, value }): Breakage[] => {
    if (kind === 'left out') return [{ what: `${path.join('.')} left out`, node: withoutKey(node, path) }];
    return wrongValues(key, value).map((wrong) => ({
      what: `${path.join('.')}: ${JSON.stringify(wrong).slice(0, 60)}`,
      node: withValue(node, path, wrong),
    }));
  });
  return fc.constantFrom(...all);
}

function withValue(node: Record<string, unknown>, path: Site['path'], value: unknown): Record<string, unknown> {
  const copy = structuredClone(node);
  const key = path.at(-1) ?? '';
  holderOf(copy, path)[key] = value;
  return copy;
}

function withoutKey(node: Record<string, unknown>, path: Site['path']): Record<string, unknown> {
  const copy = structuredClone(node);
  delete holderOf(copy, path)[path.at(-1) ?? ''];
  return copy;
}

function holderOf(node: Record<string, unknown>, path: Site['path']): Record<string | number, unknown> {
  return path.slice(0, -1).reduce((holder, step) => holder[step] as Record<string, unknown>, node);
}
