import { expect, it } from 'vitest';
import { moduleQueries } from '../src/module-queries.js';
import type { BindingTerm, QueryOptions } from '../src/store/query/graph-query.js';

/** The term that a value of a function becomes. */
async function termOf(value: unknown): Promise<string | undefined> {
  let given: BindingTerm | undefined;
  const query = async (_: string, { bindings }: QueryOptions = {}) => {
    given = bindings?.get('v');
    return { kind: 'boolean', generation: { number: 1, digest: 'd' }, value: true } as const;
  };
  await moduleQueries({ query })('ASK { FILTER(?v) }', { v: value }, undefined as never);
  return given?.termType === 'Literal' ? `${given.value} ${given.datatype.value.split('#')[1]}` : given?.value;
}

it.each([
  ['text', 'text string'],
  [true, 'true boolean'],
  [3, '3 integer'],
  [-0, '0 integer'],
  [1e20, '100000000000000000000 integer'],
  [1e21, '1e+21 double'],
  [0.5, '0.5 double'],
  [{ iri: 'urn:x' }, 'urn:x'],
  [null, undefined],
  [Number.NaN, undefined],
])('The value %j of a function is a term of its kind, in a form that the kind has', async (value, expected) => {
  expect(await termOf(value)).toBe(expected);
});
