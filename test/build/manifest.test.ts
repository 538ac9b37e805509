import { describe, expect, it } from 'vitest';
import { manifestOf, parseManifest, renderManifest } from '../../src/build/manifest.js';

const digest = 'a'.repeat(64);

describe('A manifest', () => {
  it('is read as it was written, and has the same bytes whatever the order of the files', () => {
    const one = manifestOf(
      new Map([
        ['mcp-tools.json', 'a'],
        ['schemas/b.input.json', 'b'],
      ]),
    );
    const other = manifestOf(
      new Map([
        ['schemas/b.input.json', 'b'],
        ['mcp-tools.json', 'a'],
      ]),
    );
    expect(renderManifest(one)).toBe(renderManifest(other));
    expect(parseManifest(renderManifest(one))).toEqual({ complete: true, files: one.files });
  });

  it.each<[string, string]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['a digest that is none', JSON.stringify({ complete: true, files: { 'tools.jsonld': 'abc' } })],
    ...['../x', '/etc/passwd', 'package.json', 'server.ts', 'schemas/../x.input.json', 'schemas/a/b.input.json'].map(
      (path): [string, string] => [`the path ${path}`, JSON.stringify({ complete: true, files: { [path]: digest } })],
    ),
  ])('is not taken from a text with %s', (_, text) => {
    expect(parseManifest(text)).toBeUndefined();
  });
});
