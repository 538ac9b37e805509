import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/ingest/document-kind.js';

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
