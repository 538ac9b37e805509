import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IngestedDocument } from '../../src/ingest/document.js';
import { ingestDocument, readContextDocument } from '../../src/ingest/ingest.js';
import { contextIri } from '../../src/store/vocabulary.js';
import { base, ingest, messages, places, sourceFile, tool } from './ingest-source.js';

const path = 'graph/tools/a.json';

describe('A file that cannot be read', () => {
  it('G8: one BOM and CRLF are fine', async () => {
    const text = `\ufeff${JSON.stringify(tool(), null, 2).replaceAll('\n', '\r\n')}`;
    const document = await ingest(path, text);
    expect(document.diagnostics).toEqual([]);
    expect(document.quads).toEqual((await ingest(path, tool())).quads);
  });

  it('G8: UTF-16 is a clear error', async () => {
    const document = await ingest(path, Buffer.from(`\ufeff${JSON.stringify(tool())}`, 'utf16le'));
    expect(places(document)).toEqual([['unreadable', 1, 1]]);
    expect(messages(document)[0]).toContain('save it as UTF-8');
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it.each([
    ['{\n  "id": "a",\n}', 3, 1],
    ['{\n  "id": a\n}', 2, 9],
    ['{\n  "id": "a"\n', 3, 1],
    ['', 1, 1],
  ])('has the place of its syntax error: %j', async (text, line, column) => {
    const document = await ingest(path, text);
    expect(places(document)).toEqual([['unreadable', line, column]]);
    expect(document.broken).toBe('all');
  });

  it('is refused when it is larger than the limit', async () => {
    const document = await ingest(path, tool({ description: 'x'.repeat(2000) }), { limits: { bytes: 1024 } });
    expect(messages(document)).toEqual([expect.stringMatching(/at most 1024 are read.*limits\.documentBytes/)]);
  });

  it('is refused when it is nested too deeply, a million levels included', async () => {
    const depth = 65;
    const document = await ingest(path, `{"a":\n${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(places(document)).toEqual([['unreadable', 2, 64]]);
    const deep = await ingest(path, '['.repeat(1_000_000) + ']'.repeat(1_000_000));
    expect(places(deep)).toEqual([['unreadable', 1, 65]]);
  });

  it('is left alone when it is of no form of ours', async () => {
    expect(await ingest('graph/logo.svg', '<svg/>')).toMatchObject({ kind: 'prose', quads: [], diagnostics: [] });
  });
});

describe('G6: keys', () => {
  it.each(['__proto__', 'constructor', 'prototype'])('named %s are refused at any depth', async (key) => {
    const text = JSON.stringify(tool(), null, 2);
    const top = await ingest(path, text.replace('{\n', `{\n  "${key}": {"polluted": true},\n`));
    expect(places(top)).toEqual([['invalid-node', 2, 3]]);
    expect(messages(top)[0]).toMatch(/reserved.*use another name/);
    const deep = await ingest(path, text.replace('"shell"', `"${key}": 1, "shell"`));
    expect(deep.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: `/invoke/${key}`, line: 6, column: 5 }]);
    expect(deep).toMatchObject({ quads: [], broken: 'all' });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('given twice are refused, with both places', async () => {
    const text = JSON.stringify(tool(), null, 2).replace('"title"', '"id": "other",\n  "title"');
    const document = await ingest(path, text);
    expect(places(document)).toEqual([['invalid-node', 3, 3]]);
    expect(messages(document)).toEqual(['the key "id" is given twice (first in line 2); remove one']);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('given twice are refused in a document too large to say where', async () => {
    const text = JSON.stringify(tool({ downstream: { x: 'y'.repeat(600_000) } })).replace('"id"', '"id":"b","id"');
    expect(messages(await ingest(path, text))).toEqual([expect.stringContaining('one key twice')]);
  });
});

describe('readContextDocument', () => {
  it.each([
    ['{"@context": "urn:c"}', true],
    ['{"@context": "urn:c", "$schema": "s"}', true],
    ['{"@context": "urn:a", "@context": "urn:c"}', false],
    ['{"@context": "urn:c", "\\u0024schema": "s"}', true],
    ['{"@context": "urn:c", "id": "a"}', false],
    ['\n{ "@context" :"urn:c" ,\n"@type": "Tool", "$schema": "s"}', false],
  ])('of %s gives it: %s', (text, isContext) => {
    expect(readContextDocument(sourceFile('graph/c.json', text)) !== undefined).toBe(isContext);
  });

  it('gives the content of a context document and of nothing else', () => {
    const content = { '@context': { a: 'urn:a' } };
    expect(readContextDocument(sourceFile('graph/c.jsonld', content))).toEqual(content);
    expect(readContextDocument(sourceFile('graph/c.jsonld', { ...content, $schema: 's' }))).toBeDefined();
    for (const other of [tool(), { ...content, id: 'a' }, '{', '[]', '{"@context":{"__proto__":"urn:a"}}']) {
      expect(readContextDocument(sourceFile('graph/c.jsonld', other))).toBeUndefined();
    }
    expect(readContextDocument(sourceFile('graph/c.txt', content))).toBeUndefined();
  });
});

describe('Any input', () => {
  /** Quads or a finding, each finding in one line with its document, and no blank node. */
  const check = (document: IngestedDocument): void => {
    if (document.kind !== 'prose' && document.kind !== 'context') {
      expect(document.quads.length + document.diagnostics.length).toBeGreaterThan(0);
    }
    for (const { message, document: name, code } of document.diagnostics) {
      expect(message).not.toMatch(/[\r\n]/);
      expect(name).toBe(document.path);
      expect(code, message).not.toBe('internal-error');
    }
    if (document.broken === 'all' || document.broken.length > 0) expect(document.diagnostics).not.toEqual([]);
    for (const { subject, object } of document.quads) {
      expect([subject.termType, object.termType]).not.toContain('BlankNode');
    }
  };

  it('that is JSON gives quads or a finding', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ stringUnit: 'binary' }), async (text) => check(await ingest(path, text))),
      { numRuns: 300 },
    );
  });

  it('that is a Tool with one value replaced gives quads or a finding', async () => {
    const keys = [
      ...Object.keys(tool()),
      '@id',
      '@type',
      '@context',
      '@graph',
      '@reverse',
      '$schema',
      'deprecated',
      'remedies',
    ];
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), jsonLdValue());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), value, async (key, replaced) => {
        check(await ingest(path, tool({ [key]: replaced })));
      }),
      { numRuns: 500 },
    );
  });

  it('that is JSON-LD of any context gives quads or a finding', async () => {
    await fc.assert(
      fc.asyncProperty(jsonLdValue(), jsonLdValue(), fc.string(), async (context, value, key) => {
        check(await ingest('graph/a.jsonld', { '@context': [contextIri, context], '@type': 'View', [key]: value }));
        check(await ingest('graph/a.jsonld', { '@context': context, '@id': `${base}x`, [key]: value }));
      }),
      { numRuns: 500 },
    );
  });

  it('that is bytes, or Markdown, gives no exception', async () => {
    const front = fc.string({ unit: 'binary' }).map((text) => Buffer.from(`---\nname: a\n${text}\n---\n`));
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), front);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(path, 'graph/skills/a.md', 'graph/a.ttl'), bytes, async (name, content) => {
        check(await ingest(name, content));
      }),
      { numRuns: 300 },
    );
  });

  it('is not changed, and gives the same result again', async () => {
    const file = sourceFile(path, tool());
    const before = Buffer.from(file.bytes);
    const context = { base, allowIris: [], contexts: new Map() };
    const first = await ingestDocument(file, context);
    expect(await ingestDocument(file, context)).toEqual(first);
    expect(Buffer.from(file.bytes).equals(before)).toBe(true);
  });

  it('has at most about a hundred findings', async () => {
    const ports = Array.from({ length: 90 }, () => ({ nme: 1, shema: 2 }));
    const document = await ingest(path, tool({ io: { inputs: ports } }));
    expect(document.diagnostics).toHaveLength(101);
    expect(messages(document).at(-1)).toContain('more problems');
  });

  it('that makes us fail is an internal-error in one line, and no exception', async () => {
    class FailingMap extends Map<string, unknown> {
      override get(): unknown {
        throw new Error('first line\nsecond line');
      }
    }
    const document = await ingest(path, { '@context': 'x.jsonld', ...tool() }, { contexts: new FailingMap() });
    expect(document.diagnostics).toMatchObject([{ code: 'internal-error', document: path }]);
    expect(messages(document)[0]).toContain('first line second line');
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('breaks a node even when its findings are no longer listed', async () => {
    const bad = { '@type': 'Tool', id: 'bad', io: { inputs: Array.from({ length: 60 }, () => ({ nme: 1 })) } };
    const document = await ingest('graph/a.json', { '@graph': [bad, { ...bad, id: 'worse' }] });
    expect(document).toMatchObject({ quads: [], broken: [`${base}tool/bad`, `${base}tool/worse`] });
  });
});

/** Values made of the words that JSON-LD processors look for. */
function jsonLdValue(): fc.Arbitrary<unknown> {
  const key = fc.constantFrom(
    '@id',
    '@type',
    '@value',
    '@list',
    '@set',
    '@graph',
    '@context',
    '@reverse',
    '@nest',
    '@language',
    '@included',
    '@index',
    '@container',
    '@json',
    '@vocab',
    '@version',
    'title',
    'io',
    'inputs',
    'a',
    'a:b',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(
        '@id',
        '@json',
        '@list',
        '_:b',
        'urn:x',
        '../x',
        '',
        'Tool',
        null,
        true,
        5,
        1e-9,
        contextIri,
      ),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }));
  return value;
}
