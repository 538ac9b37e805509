import { describe, expect, it } from 'vitest';
import { formatOf, looksLikeNodes } from '../../src/ingest/document-kind.js';

describe('formatOf', () => {
  it.each([
    ['a.json', 'json'],
    ['graph/A.JSON', 'json'],
    ['a.jsonld', 'json'],
    ['SKILL.md', 'markdown'],
    ['a.yaml', 'yaml'],
    ['a.yml', 'yaml'],
    ['a.ttl', 'turtle'],
    ['a.trig', 'trig'],
    ['a.nt', 'ntriples'],
    ['a.NQ', 'nquads'],
    ['a.txt', 'other'],
    ['json', 'other'],
    ['a.json/b', 'other'],
    ['a.constructor', 'other'],
  ])('%s is %s', (path, format) => expect(formatOf(path)).toBe(format));
});

describe('looksLikeNodes', () => {
  it.each(['graph/tools/a.json5', 'graph/a.JSONC', 'graph/types/t.toml', 'graph/tools/a.rdf'])(
    'is data: %s',
    (path) => {
      expect(looksLikeNodes({ path })).toBe(true);
    },
  );

  it.each([
    'graph/tools/run.sh',
    'graph/tools/tool.ts',
    'graph/tools/README.txt',
    'graph/tools/README',
    'graph/tools/a.json.bak',
    'graph/tools/a.json.orig',
    'graph/skills/x/data.toml',
    'Cargo.toml',
  ])('is none, or is not there for nodes: %s', (path) => {
    expect(looksLikeNodes({ path })).toBe(false);
  });
});
