import { describe, expect, it } from 'vitest';
import { contextIri } from '../../src/store/vocabulary.js';
import { base, ingest, messages, tool, triples } from './ingest-source.js';

const iri = `${base}tool/readme-sync`;
const about = (fields: Record<string, unknown>) => ({ '@id': iri, ...fields });

describe('What a document states about a Tool that is at home in another', () => {
  it.each(['graph/notes.json', 'graph/tools/notes.json', 'graph/skills/notes.json'])('is data, in %s', async (path) => {
    const document = await ingest(path, about({ openWorld: true }));
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual(['tool/readme-sync openWorld "true"']);
    expect([...document.pointers]).toEqual([[iri, '']]);
  });

  it('may be one of many nodes, and have keys that its context maps', async () => {
    const document = await ingest('graph/notes.json', {
      '@context': [contextIri, { owner: 'urn:owner' }],
      '@graph': [
        { '@type': 'Tool', ...tool({ id: 'other' }) },
        about({ owner: 'me', openWorld: true }),
        about({ idempotent: false }),
      ],
    });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual(
      expect.arrayContaining([
        'tool/readme-sync isIdempotent "false"',
        'tool/readme-sync openWorld "true"',
        'tool/readme-sync urn:owner "me"',
      ]),
    );
  });

  it('has names as IRIs and fields in the one spelling, as at home', async () => {
    const fields = {
      satisfies: ['more'],
      alternativeTo: ['other'],
      deprecated: { replacedBy: 'new' },
      summary: 'S',
      type: 'write',
      io: { outputs: [] },
    };
    const document = await ingest('graph/notes.json', about(fields));
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual([
      'tool/readme-sync alternativeTo tool/other',
      `tool/readme-sync deprecated ${JSON.stringify(JSON.stringify({ replacedBy: `${base}tool/new` }))}`,
      'tool/readme-sync description "S"',
      'tool/readme-sync effect "write"',
      'tool/readme-sync outputs nil',
      'tool/readme-sync satisfies skill/more',
    ]);
  });

  it('does not name its nodes as the home or another document does', async () => {
    const fields = { remedies: [{ host: 'h', none: 'no' }] };
    const documents = [
      await ingest('graph/tools/home.json', tool(fields)),
      await ingest('graph/a.json', about(fields)),
      await ingest('graph/b.json', about(fields)),
    ];
    const names = documents.flatMap(({ quads }) =>
      quads.filter(({ predicate }) => predicate.value.endsWith('#remedy')).map(({ object }) => object.value),
    );
    const encoded = encodeURIComponent(iri);
    expect(names).toEqual([
      `${iri}/remedy/0`,
      `${base}document/graph/a.json/${encoded}/remedy/0`,
      `${base}document/graph/b.json/${encoded}/remedy/0`,
    ]);
  });

  it.each([
    [{ openWrld: true }, '/openWrld', 'unknown key "openWrld"; did you mean "openWorld"?'],
    [{ tier: 'beta' }, '/tier', 'tier: expected one of "stable"'],
    [{ io: { inputs: [{ name: 'a' }] } }, '/io/inputs/0/schema', 'required, but missing'],
    [{ satisfies: ['../x'] }, '/satisfies/0', 'expected the name of a skill or an absolute IRI'],
    [{ summary: 'a', description: 'b' }, '/summary', 'both "description" and its older name "summary"'],
    [{ effect: 'read', type: 'read' }, '/type', 'both "effect" and its other spelling "type"'],
    [{ remedies: [{ host: 'h' }] }, '/remedies/0', 'expected exactly one of "tool" and "none"'],
    [{ '@reverse': {} }, '/@reverse', 'unknown key "@reverse"'],
  ])('G2: is checked field by field: %j', async (fields, pointer, words) => {
    const document = await ingest('graph/notes.json', about({ title: 'T', ...fields }));
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer, subject: iri }]);
    expect(messages(document)[0]).toContain(words);
    expect(document).toMatchObject({ quads: [], broken: [iri] });
  });

  it('may be about a port, with the keys of one', async () => {
    const document = await ingest('graph/notes.json', { '@id': `${iri}/input/only`, required: true, flag: '--x' });
    expect(document.diagnostics).toEqual([]);
    expect(triples(document)).toEqual([
      'tool/readme-sync/input/only flag "--x"',
      'tool/readme-sync/input/only required "true"',
    ]);
  });

  it('G3: is about a node of the instance, or of what the config allows', async () => {
    const foreign = { '@id': 'https://example.org/ns#tool/x', openWorld: true };
    expect(messages(await ingest('graph/notes.json', foreign))).toEqual([expect.stringContaining('allowIris')]);
    for (const settings of [{ allowIris: ['https://example.org/'] }, { folderKind: 'export' as const }]) {
      expect((await ingest('graph/notes.json', foreign, settings)).diagnostics).toEqual([]);
    }
    expect(messages(await ingest('graph/notes.json', { '@id': '../x', openWorld: true }))[0]).toContain(
      'found the relative',
    );
  });

  it.each(['id', 'name', '@type'])('is what it is only without %s, which a home states', async (key) => {
    const document = await ingest(
      'graph/tools/a.json',
      about({ openWorld: true, [key]: key === '@type' ? 'Tool' : 'x' }),
    );
    expect(messages(document)).toContainEqual(expect.stringContaining('title: required, but missing'));
  });
});
