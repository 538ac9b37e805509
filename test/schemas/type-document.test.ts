import { describe, expect, it } from 'vitest';
import { TypeDocumentSchema } from '../../schemas/type-document.js';

const $id = 'https://example.org/types.schema.json';

describe('A type document', () => {
  it('has an absolute $id and its types in $defs, and may have more', () => {
    const document = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id,
      title: 'T',
      $defs: { A: { type: 'string' } },
    };
    expect(TypeDocumentSchema.parse(document)).toEqual(document);
  });

  it.each([
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#', $id, $defs: {} }],
    ['a relative $id', { $id: 'types.schema.json', $defs: {} }],
    ['an $id with a fragment', { $id: `${$id}#x`, $defs: {} }],
    ['a type that is no object', { $id, $defs: { A: true } }],
    ['no $defs', { $id }],
  ])('is refused with %s', (_, document) => {
    expect(TypeDocumentSchema.safeParse(document).success).toBe(false);
  });
});
