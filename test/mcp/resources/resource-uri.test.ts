import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseResourceUri, resourceUri } from '../../../src/mcp/resources/resource-uri.js';

describe('The URI of a resource', () => {
  it('gives back any name and any parameters', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(
        text,
        fc.uniqueArray(fc.tuple(text, fc.string({ unit: 'grapheme' })), { selector: ([key]) => key }),
        (name, params) => {
          const uri = resourceUri('tool', name, params);
          expect(parseResourceUri(uri)).toEqual({ kind: 'tool', name, params: new Map(params) });
          expect(uri).toMatch(/^[\x21-\x7e]+$/);
        },
      ),
    );
  });

  it.each([
    ['toolgraph://tools', { kind: 'tools', params: new Map() }],
    ['toolgraph://tools?', { kind: 'tools', params: new Map() }],
    [
      'toolgraph://view/a?x=1=2&y',
      {
        kind: 'view',
        name: 'a',
        params: new Map([
          ['x', '1=2'],
          ['y', ''],
        ]),
      },
    ],
  ])('is read: %s', (uri, address) => {
    expect(parseResourceUri(uri)).toEqual(address);
  });

  it.each([
    '',
    'tools',
    'toolgraph:tools',
    'toolgraph://',
    'toolgraph://tools/',
    'toolgraph://tool/a/b',
    'toolgraph://tool/a#b',
    'toolgraph://tool/%zz',
    'toolgraph://tool/%ff',
    'toolgraph://view/a?x=1&x=2',
    'TOOLGRAPH://tools',
    'file:///etc/passwd',
  ])('is none: %j', (uri) => {
    expect(parseResourceUri(uri)).toBeUndefined();
  });
});
