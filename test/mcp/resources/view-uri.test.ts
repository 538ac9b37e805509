import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewAt } from '../../../src/mcp/resources/view-uri.js';
import { servedView } from './known-service.js';

function at(uris: readonly (string | undefined)[], uri: string) {
  const views = uris.map((own, i) => servedView({ id: `v${i}`, ...(own === undefined ? {} : { uri: own }) }));
  const found = viewAt(views, uri);
  return found && [found.view.id, Object.fromEntries(found.params)];
}

describe('The view at a URI', () => {
  it('is the one that has it, before any template', () => {
    const uris = [undefined, 'notes://{id}', 'notes://{id}/x', 'notes://one'];
    expect(at(uris, 'notes://one')).toEqual(['v3', {}]);
    expect(at(uris, 'notes://two')).toEqual(['v1', { id: 'two' }]);
    expect(at(uris, 'notes://two/x')).toEqual(['v2', { id: 'two' }]);
  });

  it.each([
    'notes://',
    'notes://a/',
    'notes://a/y',
    'notes://a/x/y',
    'notes:a',
    'other://a',
    'notes://a?b',
    'notes://%ff',
  ])('is none for %s', (uri) => expect(at([undefined, 'notes://{id}', 'notes://{id}/x'], uri)).toBeUndefined());

  it('has any values that a URI is expanded with (RFC 6570)', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const [x, y, z] = [a, b, c].map(encodeURIComponent);
        const params = { a, b, c };
        expect(at(['t://{a}/of/{b}?c={c}'], `t://${x}/of/${y}?c=${z}`)).toEqual(['v0', params]);
      }),
    );
  });

  it('is found in time that the length of the URI bounds', () => {
    const template = `t://${Array.from({ length: 100 }, (_, i) => `{v${i}}`).join('/')}`;
    expect(at([template], `t://${'a/'.repeat(100_000)}`)).toBeUndefined();
  });
});
