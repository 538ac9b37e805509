import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { IngestedDocument } from '../../src/ingest/document.js';
import { ingestDocument, readContextDocument } from '../../src/ingest/ingest.js';
import { contextIri } from '../../src/store/vocabulary.js';
import { base, ingest, messages, places, sourceFile, tool, triples } from './ingest-source.js';

const path = 'graph/tools/a.yaml';

/** All that a document became, apart from where it is. */
function outcome({ kind, diagnostics, broken, pointers, ...document }: IngestedDocument): unknown {
  const findings = diagnostics.map(({ code, message, pointer, subject }) => ({ code, message, pointer, subject }));
  // Nodes without IRI may be called after the document.
  const named = triples(document as IngestedDocument).map((triple) => triple.replaceAll('a.yaml', 'a.json'));
  return { kind, triples: named, broken, pointers, findings };
}

describe('A tree in YAML', () => {
  const same = async (tree: unknown, folderKind?: 'types'): Promise<void> => {
    const settings = folderKind === undefined ? {} : { folderKind };
    const json = await ingest('graph/tools/a.json', JSON.stringify(tree), settings);
    expect(outcome(await ingest(path, stringify(tree), settings))).toEqual(outcome(json));
  };

  it('gives the quads and the findings that it gives in JSON', async () => {
    const keys = [...Object.keys(tool()), '@id', '@type', '@context', '@graph', 'deprecated', 'remedies', '$defs'];
    const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), value, async (key, replaced) => {
        // JSON has no -0, and YAML would read a key << as a merge.
        const text = JSON.stringify(tool({ [key]: replaced })).replaceAll('"<<"', '"<"');
        await same(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      'a type document',
      { $id: 'https://example.org/t', $defs: { A: { type: 'string' }, B: 5, 'c d': { title: 'C' } } },
    ],
    ['a context', { '@context': { a: 'urn:a', b: { '@id': 'urn:b', '@type': '@id' } } }],
    ['a context that is refused', { '@context': { '@import': 'https://example.org/c' } }],
    ['many nodes', { '@graph': [tool(), { '@type': 'Skill', name: 'docs' }, tool({ id: 'b', invok: 1 }), 5] }],
    ['an array of nodes', [tool(), tool({ id: 'b', satisfies: [] })]],
    ['a node of another context', { '@context': { n: 'urn:n' }, '@id': `${base}x`, n: [1, true, 'x'] }],
    ['what is no node', 'text'],
    ['nothing but null', [null]],
  ])('that is %s is read as in JSON', (_, tree) => same(tree));

  it('has every finding at its place in the text', async () => {
    const text = `id: a
title: A
# a comment
invok: {shell: x}
invoke:
  shell: [x]
io:
  inputs:
    - name: x
      schema: nowhere
      arg: {flag: -x}
satisfies: [s]
`;
    const document = await ingest(path, text);
    expect(places(document)).toEqual([
      ['invalid-node', 6, 10],
      ['invalid-node', 10, 15],
      ['invalid-node', 4, 1],
    ]);
    expect(messages(document).at(-1)).toContain('did you mean "invoke"?');
    expect(document.broken).toEqual([`${base}tool/a`]);
  });

  it('G8: may have one BOM and CRLF, and UTF-16 is a clear error', async () => {
    const text = stringify(tool({ description: 'one\ntwo\n' }));
    const document = await ingest(path, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    expect(document.diagnostics).toEqual([]);
    expect(document.quads).toEqual((await ingest(path, text)).quads);
    const wide = await ingest(path, Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(places(wide)).toEqual([['unreadable', 1, 1]]);
    expect(messages(wide)[0]).toContain('UTF-16');
  });

  it.each(['__proto__', 'constructor', 'prototype'])('G6: may not have the key %s', async (key) => {
    const document = await ingest(path, `${stringify(tool())}downstream:\n  x:\n    ${key}: 1\n`);
    expect(document.diagnostics).toMatchObject([
      { code: 'invalid-node', pointer: `/downstream/x/${key}`, message: expect.stringContaining('is reserved') },
    ]);
    const lines = stringify(tool()).split('\n').length;
    expect(places(document)).toEqual([['invalid-node', lines + 2, 5]]);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('G6: may not have a merge key', async () => {
    const document = await ingest(path, `base: &b {id: a}\n<<: *b\n`);
    expect(places(document)).toEqual([['invalid-node', 2, 1]]);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('G6: may not have a key twice', async () => {
    const document = await ingest(path, 'id: a\ninvoke:\n  shell: x\n  "shell": y\nid: b\n');
    expect(places(document)).toEqual([
      ['invalid-node', 4, 3],
      ['invalid-node', 5, 1],
    ]);
    expect(messages(document)).toEqual([
      'the key "shell" is given twice (first in line 3); remove one',
      'the key "id" is given twice (first in line 1); remove one',
    ]);
    expect(document).toMatchObject({ quads: [], broken: 'all' });
  });

  it('may not hold half a surrogate pair', async () => {
    for (const half of ['\\ud800', '\\U0000d800']) {
      const document = await ingest(path, stringify(tool({ title: 'HERE' })).replace('HERE', `"x${half}"`));
      expect(messages(document)).toEqual([expect.stringContaining('half a surrogate pair')]);
    }
    const whole = await ingest(path, stringify(tool({ title: 'HERE' })).replace('HERE', '"\\ud83d\\ude00"'));
    expect(triples(whole)).toContain('tool/readme-sync title "😀"');
  });

  it('may use an anchor for what two ports have in common', async () => {
    const text = stringify(tool(), { aliasDuplicateObjects: false });
    const schema = 'https://example.org/types#/$defs/Slug';
    const shared = text.replace(schema, `&s ${schema}`).replace('https://example.org/types#/$defs/Path', '*s');
    const document = await ingest(path, shared);
    expect(document.diagnostics).toEqual([]);
    const written = await ingest(path, text.replace('https://example.org/types#/$defs/Path', schema));
    expect(document.quads).toEqual(written.quads);
  });

  it('is refused when it is larger than the limit', async () => {
    const document = await ingest(path, stringify(tool({ description: 'x'.repeat(2000) })), {
      limits: { bytes: 1024 },
    });
    expect(messages(document)).toEqual([expect.stringMatching(/at most 1024 are read/)]);
  });
});

describe('Any text in YAML', () => {
  const token = fc.constantFrom(
    ...[
      'a',
      '"b"',
      "'",
      '"',
      ': ',
      '- ',
      '? ',
      '\n',
      '  ',
      '\t',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&x ',
      '*x',
      '!t ',
      '!!int ',
    ],
    ...[
      '|',
      '>',
      '---',
      '...',
      '%YAML 1.2',
      '# c',
      '<<',
      '"@context"',
      '@',
      '\\',
      '\u2028',
      '\r',
      '\ud83d\ude00',
      '.inf',
      '\0',
    ],
  );

  it('gives quads or a finding in one line', async () => {
    const text = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const document = await ingest('graph/a.yaml', content);
        if (document.kind !== 'context') {
          expect(document.quads.length + document.diagnostics.length).toBeGreaterThan(0);
        }
        for (const { code, message } of document.diagnostics) {
          expect(code, message).not.toBe('internal-error');
          expect(message).not.toMatch(/[\r\n]/);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('A context document in YAML', () => {
  const text = '# terms of ours\n"@context":\n  team: https://example.org/team\n';

  it('is one for documents in JSON and in YAML', async () => {
    const content = readContextDocument(sourceFile('graph/c.yaml', text));
    expect(content).toEqual({ '@context': { team: 'https://example.org/team' } });
    const contexts = new Map([['graph/c.yaml', content]]);
    for (const [name, write] of [
      ['a.json', JSON.stringify],
      ['a.yml', stringify],
    ] as const) {
      const document = await ingest(
        `graph/${name}`,
        write({ '@context': [contextIri, 'c.yaml'], '@type': 'Tool', ...tool({ team: 'x' }) }),
        { contexts },
      );
      expect(document.diagnostics).toEqual([]);
      expect(triples(document)).toContain('tool/readme-sync team "x"');
    }
  });

  it('is the only thing that readContextDocument takes', () => {
    for (const other of ['"@context": {}\nid: a', '"@context": [', '- "@context"', 'a: 1']) {
      expect(readContextDocument(sourceFile('graph/c.yaml', other))).toBeUndefined();
    }
    expect(readContextDocument(sourceFile('graph/c.ttl', text))).toBeUndefined();
  });
});

describe('A document with a context', () => {
  it.each([
    ['graph/a.json', JSON.stringify],
    ['graph/a.yaml', stringify],
  ] as const)('gives the same whether or not it was looked at for a context before: %s', async (name, write) => {
    const text = write({ '@context': contextIri, '@type': 'Tool', ...tool({ invok: 1 }) });
    const context = { base, allowIris: [], contexts: new Map() };
    const file = sourceFile(name, text);
    expect(readContextDocument(file)).toBeUndefined();
    const document = await ingestDocument(file, context);
    expect(document).toEqual(await ingestDocument(sourceFile(name, text), context));
    expect(document.diagnostics[0]).toMatchObject({ line: expect.any(Number), pointer: '/invok' });
    // What was parsed then is used once, and by the same limits only.
    expect(await ingestDocument(file, context)).toEqual(document);
    readContextDocument(file);
    const strict = await ingestDocument(file, { ...context, limits: { depth: 2 } });
    expect(messages(strict)).toEqual([expect.stringContaining('nested deeper than 2 levels')]);
  });

  it('is parsed once', async () => {
    // Only where the first two keys do not tell that it is no context document.
    const file = sourceFile('graph/a.json', { '@type': 'Tool', '@context': contextIri, ...tool() });
    const before = Uint8Array.from(file.bytes);
    readContextDocument(file);
    file.bytes.fill(0x20);
    const document = await ingestDocument(file, { base, allowIris: [], contexts: new Map() });
    expect(document.diagnostics).toEqual([]);
    expect(document.quads).toEqual((await ingest('graph/a.json', before)).quads);
  });
});
