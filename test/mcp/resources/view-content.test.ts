import { describe, expect, it } from 'vitest';
import { generationMeta } from '../../../src/mcp/generation-meta.js';
import { viewContent } from '../../../src/mcp/resources/view-content.js';
import { Iri, LiteralTerm } from '../../../src/store/rdf-terms.js';
import { XSD } from '../../../src/store/vocabulary.js';
import { rows } from './known-service.js';

const _meta = generationMeta({ number: 7, digest: 'e'.repeat(64) });

function contentOf(mimeType: string, ...terms: (Iri | LiteralTerm)[]) {
  const result = rows(
    ['value'],
    terms.map((value) => ({ value })),
  );
  return viewContent({ id: 'v' }, { uri: 'notes://a', mimeType, _meta }, result);
}

const bytes = (text: string, type: 'base64Binary' | 'hexBinary' = 'base64Binary') =>
  new LiteralTerm(text, new Iri(`${XSD}${type}`));

describe('What is read at the uri of a view with a media type', () => {
  it.each([
    ['text/plain', new LiteralTerm('Größe'), { text: 'Größe' }],
    ['image/svg+xml', new LiteralTerm('<svg/>'), { text: '<svg/>' }],
    ['text/uri-list', new Iri('urn:x:y'), { text: 'urn:x:y' }],
    ['text/plain', new LiteralTerm(''), { text: '' }],
    ['image/png', bytes('AP8='), { blob: 'AP8=' }],
    ['image/png', bytes(' AP\n8= '), { blob: 'AP8=' }],
    ['image/png', bytes('00ff', 'hexBinary'), { blob: 'AP8=' }],
    ['text/plain', bytes('R3LDtsOfZQ=='), { text: 'Größe' }],
    ['text/plain', bytes('AP8='), { blob: 'AP8=' }],
  ])('is the value: %s %o', (mimeType, term, body) => {
    expect(contentOf(mimeType, term)).toEqual({ uri: 'notes://a', mimeType, ...body, _meta });
  });

  it('is nothing where there is no value', () => {
    expect(contentOf('text/plain')).toBeUndefined();
    expect(viewContent({ id: 'v' }, { uri: 'notes://a', mimeType: 'text/plain', _meta }, rows(['value'], [{}]))).toBe(
      undefined,
    );
  });

  it('is one value', () => {
    const a = new LiteralTerm('a');
    expect(() => contentOf('text/plain', a, a)).toThrow(
      'the view v has 2 rows; a resource with a media type is one value',
    );
    const two = rows(['a', 'b'], [{ a, b: a }]);
    expect(() => viewContent({ id: 'v' }, { uri: 'notes://a', mimeType: 'text/plain', _meta }, two)).toThrow(
      'a row of 2 values',
    );
  });

  it('is no more than a message may have', () => {
    const large = new LiteralTerm('a'.repeat(8 * 1024 * 1024));
    expect(() => contentOf('text/plain', large)).toThrow(
      'the view v takes 8388610 bytes, and a message at most 8388608',
    );
    expect(() => contentOf('image/png', bytes('AAAA'.repeat(2 * 1024 * 1024 + 1)))).toThrow('takes 8388612 bytes');
  });
});
