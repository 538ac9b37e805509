import { expect, it } from 'vitest';
import { contentKind, isMediaType, isTextual } from '../src/media-type.js';

it.each([
  ['image/png', true],
  ['image/svg+xml', true],
  ['text/plain; charset=utf-8', true],
  ['application/vnd.ms-excel', true],
  ['png', false],
  ['image/', false],
  ['/png', false],
  ['image/png/x', false],
  ['image png', false],
  ['text/plain;\n', false],
  [`a/${'b'.repeat(127)}`, true],
  [`a/${'b'.repeat(128)}`, false],
])('%j is a media type: %s', (text, is) => {
  expect(isMediaType(text)).toBe(is);
});

it.each([
  ['image/png', 'image', false],
  ['IMAGE/SVG+XML', 'image', true],
  ['audio/wav', 'audio', false],
  ['text/markdown; charset=utf-8', 'resource', true],
  ['application/json', 'resource', true],
  ['application/ld+json', 'resource', true],
  ['application/pdf', 'resource', false],
  ['video/mp4', 'resource', false],
  ['application/imagejson', 'resource', false],
])('%s is content of the kind %s, and text: %s', (mediaType, kind, textual) => {
  expect([contentKind(mediaType), isTextual(mediaType)]).toEqual([kind, textual]);
});
