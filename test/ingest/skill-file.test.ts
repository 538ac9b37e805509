import { describe, expect, it } from 'vitest';
import { base, ingest, messages, places, triples } from './ingest-source.js';

describe('A Markdown file', () => {
  it('with a name in its front matter is a skill', async () => {
    const text =
      '\ufeff---\r\nname: docs\r\ntitle: Docs\r\ndescription: >\r\n  Writes\r\n  docs.\r\nother: [1]\r\n---\r\n# Docs\r\n';
    const document = await ingest('graph/docs.md', text);
    expect(document).toMatchObject({ kind: 'skill', diagnostics: [], broken: [] });
    expect(triples(document)).toEqual([
      'skill/docs description "Writes docs.\\n"',
      'skill/docs name "docs"',
      'skill/docs title "Docs"',
      'skill/docs type Skill',
    ]);
    expect(document.quads.every(({ graph }) => graph.value === `${base}document/graph/docs.md`)).toBe(true);
  });

  it('named SKILL.md may take the name of its folder', async () => {
    const document = await ingest('graph/skills/code-review/SKILL.md', '---\ndescription: Reviews.\n---\n');
    expect(triples(document)).toContain('skill/code-review name "code-review"');
    const own = await ingest('graph/skills/code-review/SKILL.md', '---\nname: other\n---\n');
    expect(triples(own)).toContain('skill/other name "other"');
  });

  it.each([
    ['without front matter', '# Read me\n\nname: x\n'],
    ['with front matter that has no name', '---\ntitle: A page\n---\n'],
    ['that begins with a rule', '---\n\nSome: text: with\n\n---\n'],
    ['whose front matter is never closed', '---\nname: docs\n'],
    ['that is empty', ''],
    ['in another encoding', Buffer.from([0x23, 0x20, 0xe9])],
  ])('%s is prose and is left alone', async (_, text) => {
    expect(await ingest('graph/README.md', text)).toMatchObject({
      kind: 'prose',
      quads: [],
      diagnostics: [],
      broken: [],
    });
  });

  it.each([
    ['name: Not A Name', 'invalid-node', 2, 7, 'lower-case letters'],
    ['name: 5', 'invalid-node', 2, 7, 'expected a string, found 5'],
    ['name:', 'invalid-node', 2, 6, 'expected a string, found null'],
    ['name: [a]', 'invalid-node', 2, 7, 'expected a string'],
    ['x: &a docs\nname: *a', 'invalid-node', 3, 7, 'expected a string'],
    ['name: docs\ndescription: {a: 1}', 'invalid-node', 3, 14, 'description: expected a string'],
    ['name: docs\nx: "', 'unreadable', 4, 1, 'correct it here'],
    ['name: docs\nname: docs', 'unreadable', 3, 1, 'given twice'],
    [`name: docs\nx: ${'['.repeat(100)}`, 'unreadable', 3, 67, 'too deeply'],
    [`name: docs\nx: ${'x'.repeat(40_000)}`, 'unreadable', 1, 1, 'shorten it'],
  ])('with the front matter %j is a problem', async (front, code, line, column, words) => {
    const document = await ingest('graph/docs.md', `---\n${front}\n---\n`);
    expect(places(document)).toEqual([[code, line, column]]);
    expect(messages(document)[0]).toContain(words);
    expect(document.kind).toBe('skill');
    expect(document.quads).toEqual([]);
  });

  it('that would end the whole process if it were composed is a problem', async () => {
    for (const nested of ['? ', '- ', ': ']) {
      const document = await ingest('graph/docs.md', `---\nname:\n ${nested.repeat(15_000)}\n---\n`);
      expect(places(document)).toEqual([['unreadable', 3, 128]]);
    }
  });

  it('whose description alone is wrong keeps the last good skill, by its IRI', async () => {
    const document = await ingest('graph/docs.md', '---\nname: docs\ndescription: 5\n---\n');
    expect(document.broken).toEqual([`${base}skill/docs`]);
  });

  it('in UTF-16 is prose to us unless it begins like front matter', async () => {
    const skill = Buffer.from('\ufeff---\nname: docs\n---\n', 'utf16le');
    expect(messages(await ingest('graph/docs.md', skill))).toEqual([expect.stringContaining('UTF-16')]);
    expect((await ingest('graph/docs.md', Buffer.from('\ufeff# Prose', 'utf16le'))).diagnostics).toEqual([]);
  });
});
