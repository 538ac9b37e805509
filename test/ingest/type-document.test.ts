import { describe, expect, it } from 'vitest';
import { typeIri } from '../../src/ingest/type-document.js';
import { rdf, TG } from '../../src/store/vocabulary.js';
import { ingest, messages, places } from './ingest-source.js';

const $schema = 'https://json-schema.org/draft/2020-12/schema';
const $id = 'https://example.org/types';

describe('A type document', () => {
  it('gives each entry of $defs a node with its schema in JCS', async () => {
    const document = await ingest('graph/types.json', {
      $schema,
      $id,
      $defs: {
        Slug: { type: 'string', title: 'Slug', pattern: '^[a-z]+$', description: 'A slug.' },
        Small: { maximum: 1e-7, type: 'number', é: '\u2028😀', $ref: '#/$defs/Slug' },
      },
    });
    expect(document).toMatchObject({ kind: 'types', diagnostics: [], broken: [] });
    expect(document.quads).toHaveLength(6);
    const schemas = document.quads.filter(({ predicate }) => predicate.value === `${TG}jsonSchema`);
    expect(schemas.map(({ subject, object }) => [subject.value, object.value])).toEqual([
      [`${$id}#/$defs/Slug`, '{"description":"A slug.","pattern":"^[a-z]+$","title":"Slug","type":"string"}'],
      [`${$id}#/$defs/Small`, '{"$ref":"#/$defs/Slug","maximum":1e-7,"type":"number","é":"\u2028😀"}'],
    ]);
    expect(schemas.map(({ object }) => object.termType === 'Literal' && object.datatype.value)).toEqual([
      rdf.JSON,
      rdf.JSON,
    ]);
    expect(document.pointers.get(`${$id}#/$defs/Small`)).toBe('/$defs/Small');
  });

  it('writes a name that no IRI could hold as a URI fragment', () => {
    expect(typeIri($id, 'A b/c~d<é')).toBe(`${$id}#/$defs/A%20b~1c~0d%3C%C3%A9`);
  });

  it('with one entry that is no schema keeps the others', async () => {
    const document = await ingest('graph/types.json', { $id, $defs: { Good: { type: 'string' }, Bad: true } });
    expect(places(document)).toEqual([['invalid-node', 7, 12]]);
    expect(messages(document)[0]).toContain('$defs.Bad: expected a JSON Schema object, found true');
    expect(document.broken).toEqual([`${$id}#/$defs/Bad`]);
    expect(new Set(document.quads.map(({ subject }) => subject.value))).toEqual(new Set([`${$id}#/$defs/Good`]));
  });

  it.each([
    [{ $id: 'types.json', $defs: {} }, '/$id', 'an absolute IRI'],
    [{ $id: `${$id}#x`, $defs: {} }, '/$id', 'without fragment'],
    [{ $id, $defs: [] }, '/$defs', 'expected an object, found []'],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', $id, $defs: {} }, '/$schema', $schema],
  ])('with the wrong shape %j is a problem', async (content, pointer, words) => {
    const document = await ingest('graph/types.json', content);
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer, line: expect.any(Number) }]);
    expect(messages(document)[0]).toContain(words);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('that lacks $id or $defs is told what it lacks', async () => {
    const document = await ingest('graph/types.json', { $defs: {} }, { folderKind: 'types' });
    expect(messages(document)[0]).toContain('add "$id"');
    expect(messages(await ingest('graph/types.json', { $id }))[0]).toContain('add "$defs"');
  });

  it('G6: may not use a reserved key, nor a key twice', async () => {
    const reserved = `{"$id":"${$id}","$defs":{"A":{"properties":{\n"constructor":{}}}}}`;
    expect(places(await ingest('graph/types.json', reserved))).toEqual([['invalid-node', 2, 1]]);
    const twice = `{"$id":"${$id}","$defs":{"A":{},\n"A":{}}}`;
    expect(places(await ingest('graph/types.json', twice))).toEqual([['invalid-node', 2, 1]]);
  });
});
