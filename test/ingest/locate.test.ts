import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { problem } from '../../src/diagnostic.js';
import { createLocator, locateFindings } from '../../src/ingest/locate.js';

const root = mkdtempSync(join(tmpdir(), 'toolgraph-locate-'));
const graph = { '@graph': [{ id: 'a' }, { id: 'b' }] };
writeFileSync(join(root, 'two.json'), JSON.stringify(graph, undefined, 2));
writeFileSync(join(root, 'mark.json'), `\ufeff${JSON.stringify(graph)}`);
writeFileSync(join(root, 'spelt.json'), '{"summary": "What","type":"read"}');
writeFileSync(join(root, 'broken.json'), '{"a": [');
writeFileSync(join(root, 'skill.md'), '# Title');
writeFileSync(join(root, 'two.yaml'), '# Two nodes\n"@graph":\n  - id: a\n  - id: b\n');
writeFileSync(join(root, 'two.ttl'), '<urn:a> <urn:p> <urn:b> .\n');

afterAll(() => rmSync(root, { recursive: true }));

describe('createLocator', () => {
  const locate = createLocator(root);

  it('finds a node in a document of many', () => {
    expect(locate({ document: 'two.json', pointer: '/@graph/1' })).toEqual({ line: 6, column: 5 });
    expect(locate({ document: 'two.json', pointer: '' })).toEqual({ line: 1, column: 1 });
  });

  it('finds a node in YAML, and none in a format that has no pointers', () => {
    expect(locate({ document: 'two.yaml', pointer: '/@graph/1' })).toEqual({ line: 4, column: 5 });
    expect(locate({ document: 'two.yaml', pointer: '/@graph/1/id' })).toEqual({ line: 4, column: 9 });
    expect(locate({ document: 'two.ttl', pointer: '' })).toBeUndefined();
  });

  it('finds a field in the spelling that the document has for it', () => {
    expect(locate({ document: 'spelt.json', pointer: '/description' })).toEqual({ line: 1, column: 13 });
    expect(locate({ document: 'spelt.json', pointer: '/effect' })).toEqual({ line: 1, column: 27 });
    expect(locate({ document: 'spelt.json', pointer: '/title' })).toEqual({ line: 1, column: 1 });
    expect(locate({ document: 'two.json', pointer: '/@graph/1/effect' })).toEqual({ line: 6, column: 5 });
  });

  it('does not count a byte order mark as a column', () => {
    expect(locate({ document: 'mark.json', pointer: '' })).toEqual({ line: 1, column: 1 });
  });

  it('knows no place in a document that is gone, is a folder, or has no pointers', () => {
    for (const document of ['gone.json', '.', 'skill.md', undefined]) {
      expect(locate(document === undefined ? { pointer: '' } : { document, pointer: '' })).toBeUndefined();
    }
    expect(locate({ document: 'two.json' })).toBeUndefined();
  });

  it('reads a document once for all of its findings', () => {
    const again = createLocator(root);
    writeFileSync(join(root, 'once.json'), '{\n"a": 1\n}');
    expect(again({ document: 'once.json', pointer: '/a' })).toEqual({ line: 2, column: 6 });
    rmSync(join(root, 'once.json'));
    expect(again({ document: 'once.json', pointer: '/a' })).toEqual({ line: 2, column: 6 });
  });

  it('does not fail on a document that is broken by now', () => {
    expect(locate({ document: 'broken.json', pointer: '/a/5' })).toEqual({ line: 1, column: 7 });
  });
});

describe('locateFindings', () => {
  it('adds a place where only the pointer is known, and keeps one that is', () => {
    const known = problem('invalid-node', 'bad', { document: 'two.json', pointer: '/@graph/1', line: 99, column: 1 });
    const unknown = problem('invalid-node', 'bad', { document: 'two.json', pointer: '/@graph/1/id' });
    expect(locateFindings([known, unknown], root)).toEqual([known, { ...unknown, line: 7, column: 13 }]);
  });
});
