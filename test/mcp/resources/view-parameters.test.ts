import fc from 'fast-check';
import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';
import { ResourceRequestError } from '../../../src/mcp/resources/resource-text.js';
import { bindingsOf, termOf, valuesOfTexts } from '../../../src/mcp/resources/view-parameters.js';
import type { ServedParameter } from '../../../src/projection/view-state.js';
import { servedView } from './known-service.js';

const parameter = (
  name: string,
  type: ServedParameter['type'],
  over: Partial<ServedParameter> = {},
): ServedParameter => ({
  ...{ name, schema: `urn:t#/$defs/${name}`, type },
  ...over,
});
const view = servedView({
  id: 'v',
  parameters: [
    parameter(
      'text',
      { type: 'string', pattern: '^[a-z]+$', maxLength: 10 },
      { linearPatterns: ['^[a-z]+$'], required: true },
    ),
    parameter('iri', { type: 'string', format: 'iri' }),
    parameter('n', { type: 'integer', minimum: 1 }),
    parameter('x', { type: 'number' }),
    parameter('on', { type: 'boolean' }),
    parameter('day', { type: 'string', format: 'date' }),
    parameter('at', { type: 'string', format: 'date-time', examples: ['2026-11-30T13:45:00Z'] }),
  ],
});

const bound = async (texts: Record<string, string>) =>
  Array.from(await bindingsOf(view, valuesOfTexts(view, new Map(Object.entries(texts)))), ([name, term]) => [
    name,
    term.termType === 'Literal' ? `${term.value} ${term.datatype.value.replace(/^.*#/, '')}` : `<${term.value}>`,
  ]);

describe('The values of a view', () => {
  it('are terms by the types of their parameters; what is not given is unbound', async () => {
    expect(await bound({ text: 'abc' })).toEqual([['text', 'abc string']]);
    const all = {
      text: 'abc',
      iri: 'urn:a:b',
      n: '3',
      x: '1.5',
      on: 'false',
      day: '2026-12-01',
      at: '2026-12-01T00:00:00Z',
    };
    expect(await bound(all)).toEqual([
      ['text', 'abc string'],
      ['iri', '<urn:a:b>'],
      ['n', '3 integer'],
      ['x', '1.5E0 double'],
      ['on', 'false boolean'],
      ['day', '2026-12-01 date'],
      ['at', '2026-12-01T00:00:00Z dateTime'],
    ]);
  });

  it.each([
    [{}, 'text: required, but missing'],
    [{ text: 'A b' }, 'text: must match pattern "^[a-z]+$"'],
    [{ text: 'abcdefghijk' }, 'text: must NOT have more than 10 characters'],
    [{ text: 'a', iri: 'a b' }, 'iri: '],
    [{ text: 'a', iri: 'urn:x> } DROP ALL #' }, 'iri: expected an absolute IRI'],
    [{ text: 'a', iri: 'relative' }, 'iri: expected an absolute IRI'],
    [{ text: 'a', n: '0' }, 'n: must be >= 1'],
    [{ text: 'a', n: '1.5' }, 'n: must be integer'],
    [{ text: 'a', n: '0x10' }, 'n: must be integer'],
    [{ text: 'a', n: '9007199254740993' }, 'n: is an integer beyond 2^53'],
    [{ text: 'a', on: '1' }, 'on: must be boolean'],
    [{ text: 'a', day: 'today' }, 'day: must match format "date"'],
    [{ text: 'a', at: '2026-11-30' }, 'at: must match format "date-time"; an example is "2026-11-30T13:45:00Z"'],
    [{ text: 'a', txt: 'a' }, 'unknown parameter "txt"; did you mean text?'],
    [{ text: 'A', n: '0' }, /text: .*; n: /],
  ])('are refused by their names: %j', async (texts, words) => {
    await expect(bound(texts)).rejects.toThrow(ResourceRequestError);
    await expect(bound(texts)).rejects.toThrow(words);
  });

  it('is the term that JSON-LD makes of the value, whatever it is', async () => {
    const typed = fc.oneof(
      fc.tuple(fc.constant<ServedParameter['type']>({ type: 'string' }), fc.string({ unit: 'grapheme' })),
      fc.tuple(fc.constant<ServedParameter['type']>({ type: 'string', format: 'iri' }), fc.constant('urn:a:b')),
      fc.tuple(fc.constant<ServedParameter['type']>({ type: 'integer' }), fc.maxSafeInteger()),
      fc.tuple(
        fc.constant<ServedParameter['type']>({ type: 'number' }),
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-6, max: 1e9 }),
      ),
      fc.tuple(fc.constant<ServedParameter['type']>({ type: 'boolean' }), fc.boolean()),
    );
    await fc.assert(
      fc.asyncProperty(typed, async ([type, value]) => {
        const object = type.format === 'iri' ? { '@id': value } : value;
        const [quad] = (await jsonld.toRDF({ '@id': 'urn:s', 'urn:p': object } as never)) as unknown as {
          object: { value: string; datatype?: { value: string } };
        }[];
        const term = termOf({ type }, value);
        expect(term.value).toBe(quad?.object.value);
        if (term.termType === 'Literal') expect(term.datatype.value).toBe(quad?.object.datatype?.value);
      }),
    );
  });
});
