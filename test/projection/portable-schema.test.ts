import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonSchema } from '../../schemas/declaration.js';
import type { TypeRegistry } from '../../src/projection/node.js';
import { portableSchema } from '../../src/projection/portable-schema.js';
import { registry, typeIri, typesDocument } from './sample-node.js';

const slug = { type: 'string', pattern: '^[a-z]+$' } as const;
const string = { type: 'string' } as const;

function inlined(schema: JsonSchema, others: Readonly<Record<string, JsonSchema>> = {}) {
  return portableSchema(typeIri('It'), registry({ Slug: slug, ...others, It: schema }));
}

describe('portableSchema', () => {
  it.each<readonly [string, JsonSchema, JsonSchema]>([
    ['keeps a plain schema', slug, slug],
    [
      'drops what only identifies or comments',
      { $comment: 'c', $schema: 's', $defs: {}, 'x-mcp-header': 'H', ...slug },
      slug,
    ],
    ['infers a type from an enum', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    ['infers a type from numbers', { enum: [1, 1.5] }, { type: 'number', enum: [1, 1.5] }],
    ['infers a type from a const', { const: 3 }, { type: 'integer', const: 3 }],
    ['inlines a type of the same document', { $ref: '#/$defs/Slug' }, slug],
    ['inlines a type by its IRI', { $ref: typeIri('Slug') }, slug],
    ['inlines a type by a relative IRI', { $ref: 'sample.json#/$defs/Slug' }, slug],
    ['inlines a part of a type', { $ref: '#/$defs/Box/properties/a~1b' }, { type: 'integer' }],
    ['inlines its own $defs', { $ref: '#/$defs/Own', $defs: { Own: string } }, string],
    ['inlines a chain of references', { $ref: '#/$defs/ToSlug' }, { ...slug, title: 'Via' }],
    [
      'lets what stands beside a reference describe it',
      { $ref: '#/$defs/Told', description: 'new' },
      { ...string, description: 'new' },
    ],
    [
      'lets what stands beside a reference narrow it',
      { $ref: '#/$defs/Slug', maxLength: 4 },
      { ...slug, maxLength: 4 },
    ],
    [
      'inlines under properties and items',
      {
        type: 'object',
        properties: { a: { type: 'array', items: { $ref: '#/$defs/Slug' } } },
        additionalProperties: false,
      },
      { type: 'object', properties: { a: { type: 'array', items: slug } }, additionalProperties: false },
    ],
    [
      'keeps what additionalProperties has',
      { type: 'object', additionalProperties: { anyOf: [string, { type: 'number' }, true] } },
      { type: 'object', additionalProperties: { anyOf: [string, { type: 'number' }, true] } },
    ],
    [
      'leaves data alone that looks like keywords',
      { type: 'object', default: { $ref: 'x', $id: 'y' }, examples: [{ $defs: true }] },
      { type: 'object', default: { $ref: 'x', $id: 'y' }, examples: [{ $defs: true }] },
    ],
    [
      'keeps a composition below the root',
      { type: 'object', properties: { a: { type: 'string', anyOf: [slug] } } },
      { type: 'object', properties: { a: { type: 'string', anyOf: [slug] } } },
    ],
  ])('%s', (_title, schema, expected) => {
    const others = {
      Box: { type: 'object', properties: { 'a/b': { type: 'integer' } } },
      ToSlug: { $ref: '#/$defs/Slug', title: 'Via' },
      Told: { ...string, description: 'old' },
    };
    expect(inlined(schema, others)).toEqual({ schema: expected });
  });

  it('lets the own $defs of a type with an $id come before those of the document', () => {
    const own = { $id: 'https://example.org/own', $ref: '#/$defs/Slug', $defs: { Slug: { type: 'integer' } } };
    expect(inlined(own)).toEqual({ schema: { type: 'integer' } });
    expect(inlined({ $ref: '#/$defs/Slug', $defs: { Slug: { type: 'integer' } } })).toEqual({ schema: slug });
  });

  it.each<readonly [string, JsonSchema, string]>([
    [
      'P9: anyOf at its root',
      { type: 'string', anyOf: [string] },
      '/anyOf: "anyOf" at the root of a type; hosts drop tools that have it',
    ],
    [
      'P9: anyOf and no type',
      { anyOf: [string] },
      '/anyOf: "anyOf" at the root of a type; hosts drop tools that have it',
    ],
    ['if at its root', { type: 'string', if: true }, '/if: "if" at the root of a type; hosts drop tools that have it'],
    [
      'P9: a boolean schema under properties',
      { type: 'object', properties: { a: true } },
      '/properties/a: a boolean schema (true); expected an object with one "type"',
    ],
    [
      'a boolean schema under items',
      { type: 'array', items: { type: 'object', properties: { b: { type: 'array', items: false } } } },
      '/items/properties/b/items: a boolean schema (false); expected an object with one "type"',
    ],
    ['no type', { description: 'x' }, ': it has no "type"; expected one "type"'],
    ['an enum of several types', { enum: ['a', 1] }, ': it has no "type"; expected one "type"'],
    ['several types', { type: ['string', 'null'] }, ': it has the types string and null; expected one "type"'],
    ['an array without items', { type: 'array' }, ': an array without "items"'],
    [
      'an array without items in a property',
      { type: 'object', properties: { a: { type: 'array' } } },
      '/properties/a: an array without "items"',
    ],
    [
      'a property without a type',
      { type: 'object', properties: { a: {} } },
      '/properties/a: it has no "type"; expected one "type"',
    ],
    [
      'a property name that hosts refuse',
      { type: 'object', properties: { 'a b': string } },
      '/properties: the property name "a b"; expected 1 to 64 of A-Z a-z 0-9 _ . -',
    ],
    [
      'a reserved property name',
      { type: 'object', properties: { constructor: string } },
      '/properties: the property name "constructor"; expected 1 to 64 of A-Z a-z 0-9 _ . -',
    ],
    [
      'a pattern that is not valid',
      { type: 'string', pattern: '[' },
      '/pattern: expected a regular expression that is valid with flag u',
    ],
    [
      'a pattern that is valid only without flag u',
      { type: 'string', pattern: '\\-' },
      '/pattern: expected a regular expression that is valid with flag u',
    ],
    [
      'a key of patternProperties that is not valid',
      { type: 'object', patternProperties: { '(': string } },
      '/patternProperties: "(" is not a regular expression that is valid with flag u',
    ],
    ['a keyword with a wrong value', { type: 'string', minLength: -1 }, '/minLength: expected an integer of 0 or more'],
    ['an unknown type', { type: 'text' }, '/type: expected one of the types of JSON Schema, or an array of them'],
    ['an empty enum', { type: 'string', enum: [] }, '/enum: expected an array with at least one member'],
    [
      'required that is no list',
      { type: 'object', required: true },
      '/required: expected an array of different strings',
    ],
    ['properties that are no object', { type: 'object', properties: [] }, '/properties: expected an object of schemas'],
    ['items of an older draft', { type: 'array', items: [string] }, '/items: expected a schema'],
    [
      'a reference to itself',
      { type: 'object', properties: { a: { $ref: '#/$defs/It' } } },
      '/properties/a: it refers to itself by #/$defs/It; a recursive type cannot be inlined',
    ],
    [
      'a dynamic reference',
      { type: 'object', properties: { a: { $dynamicRef: '#a' } } },
      '/properties/a/$dynamicRef: expected a plain "$ref"',
    ],
    ['a reference that is no string', { $ref: 1 }, ': "$ref": expected a string'],
    [
      'an $id inside',
      { type: 'object', properties: { a: { $id: 'x', ...string } } },
      '/properties/a/$id: an "$id" inside of a type',
    ],
    [
      'something beside a reference that depends on it',
      { $ref: '#/$defs/Slug', additionalProperties: false },
      ': "additionalProperties" beside "$ref"; write it into the type that "$ref" names, or copy that type',
    ],
    [
      'something beside a reference that contradicts it',
      { $ref: '#/$defs/Slug', pattern: '^b$' },
      ': "pattern" beside "$ref"; write it into the type that "$ref" names, or copy that type',
    ],
  ])('refuses %s', (_title, schema, place) => {
    const at = place.startsWith(':') ? place : ` at ${place}`;
    expect(inlined(schema)).toEqual({ code: 'unportable-schema', message: `the type It (${typesDocument})${at}` });
  });

  it('refuses two types that refer to each other', () => {
    const other = { type: 'array', items: { $ref: '#/$defs/It' } };
    const found = inlined({ type: 'array', items: { $ref: '#/$defs/Other' } }, { Other: other });
    expect(found).toMatchObject({ code: 'unportable-schema', message: expect.stringContaining('refers to itself') });
  });

  it('refuses definitions that double at each step, and deep ones, soon', () => {
    const doubling: Record<string, JsonSchema> = { D0: string };
    for (let n = 1; n <= 30; n += 1) {
      const $ref = `#/$defs/D${n - 1}`;
      doubling[`D${n}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } };
    }
    expect(inlined({ $ref: '#/$defs/D12' }, doubling)).toMatchObject({
      message: expect.stringContaining('more than 2000'),
    });
    let deep: JsonSchema = string;
    for (let n = 0; n < 40; n += 1) deep = { type: 'array', items: deep };
    expect(inlined(deep)).toMatchObject({ message: expect.stringContaining('deeper than 32') });
  });

  it('says which type is not there, and which is meant', () => {
    const types: TypeRegistry = registry({ RepoPath: string });
    const unknown = (name: string) => portableSchema(typeIri(name), types);
    const message = (name: string, hint: string) => ({
      code: 'unresolved-schema',
      message: `no type document defines ${typeIri(name)}; ${hint}`,
    });
    const known = `did you mean ${typeIri('RepoPath')}?`;
    for (const name of ['repo-path', 'RepoPth', 'RepoPaath', 'RepoPatg', 'ReopPath']) {
      expect(unknown(name)).toEqual(message(name, known));
    }
    expect(unknown('Other')).toEqual(message('Other', 'add it to a type document, or correct the IRI'));
    expect(inlined({ $ref: 'https://example.org/missing.json#/$defs/X' })).toEqual({
      code: 'unresolved-schema',
      message: `the type It (${typesDocument}): "$ref" names https://example.org/missing.json#/$defs/X, which no type document defines`,
    });
  });

  it('gives a schema that Ajv compiles and that says the same as the referring one, whatever the types are', () => {
    const leaf = fc.constantFrom<JsonSchema>(
      slug,
      { type: 'integer', minimum: 1 },
      { type: 'boolean' },
      { enum: ['x', 'y'] },
    );
    const reference = fc.constantFrom<JsonSchema>({ $ref: '#/$defs/Slug' }, { $ref: '#/$defs/Pair' });
    const schema = fc.letrec<{ any: JsonSchema }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        leaf,
        reference,
        fc.record({ type: fc.constant('array'), items: tie('any') }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
          additionalProperties: fc.boolean(),
        }),
      ),
    })).any;
    const value = fc.letrec<{ any: Json }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.constantFrom<Json>('x', 'abc', 'A', 0, 1, true, null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('any')),
      ),
    })).any;
    const pair = { type: 'object', properties: { a: { $ref: '#/$defs/Slug' } }, required: ['a'] };
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 20 }), (written, values) => {
        const found = inlined(written, { Pair: pair });
        if (!('schema' in found)) throw new Error(found.message);
        const flat = new Ajv2020({ strict: false }).compile(found.schema);
        const referring = new Ajv2020({ strict: false }).compile({
          $defs: { Slug: slug, Pair: pair, It: written },
          $ref: '#/$defs/It',
        });
        for (const instance of values) expect(flat(instance)).toBe(referring(instance));
        expect(JSON.stringify(found.schema)).not.toContain('$ref');
      }),
      { numRuns: 30 },
    );
  });
});
