import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import jsonld from 'jsonld';
import { describe, expect, it } from 'vitest';
import type { IngestedDocument } from '../../src/ingest/document.js';
import { escapeStep } from '../../src/json-pointer.js';
import { contextIri, rdf, TG } from '../../src/store/vocabulary.js';
import { toolDocument } from '../store/tool-arbitrary.js';
import { base, ingest, messages, tool } from './ingest-source.js';

const path = 'graph/everything.jsonld';
const iri = `${base}tool/readme-sync`;

/** Expanded JSON-LD with one named graph a document, as `export --format jsonld` writes it. */
async function exported(...documents: readonly IngestedDocument[]): Promise<object[]> {
  for (const { diagnostics } of documents) expect(diagnostics).toEqual([]);
  return (await jsonld.fromRDF(documents.flatMap(({ quads }) => quads) as object)) as object[];
}

/** As `exported`, and with every list cell a node: `fromRDF` makes a `@list` of the last cell, whose IRI is lost. */
function explicit(...documents: readonly IngestedDocument[]): { '@id': string; '@graph': object[] }[] {
  return documents.map(({ path: name, quads }) => {
    const nodes = new Map<string, Record<string, unknown[]>>();
    for (const { subject, predicate, object } of quads) {
      const node = nodes.get(subject.value) ?? {};
      nodes.set(subject.value, node);
      if (predicate.value === rdf.type) node['@type'] = [...(node['@type'] ?? []), object.value];
      else node[predicate.value] = [...(node[predicate.value] ?? []), jsonLdValue(object)];
    }
    const sorted = [...nodes].sort(([a], [b]) => (a < b ? -1 : 1));
    return { '@id': `urn:graph:${name}`, '@graph': sorted.map(([id, node]) => ({ '@id': id, ...node })) };
  });
}

function jsonLdValue(object: Quad['object']): object {
  if (object.termType !== 'Literal') return { '@id': object.value };
  if (object.language !== '') return { '@value': object.value, '@language': object.language };
  if (object.datatype.value === rdf.JSON) return { '@value': JSON.parse(object.value), '@type': '@json' };
  return { '@value': object.value, '@type': object.datatype.value };
}

/** Subject, predicate and object of all quads in full, each once and sorted. */
function statements(...documents: readonly IngestedDocument[]): string[] {
  const lines = documents.flatMap(({ quads }) =>
    quads.map(({ subject, predicate, object }) => {
      const literal = object.termType === 'Literal' ? [object.datatype.value, object.language] : [];
      return JSON.stringify([subject.value, predicate.value, object.value, ...literal]);
    }),
  );
  return [...new Set(lines)].sort();
}

async function instance(): Promise<IngestedDocument[]> {
  const steps = { '@id': 'urn:steps', '@container': '@list' };
  const label = { '@id': 'urn:label', '@language': 'en-GB' };
  const context = [contextIri, { owner: 'urn:owner', nick: 'urn:nick', steps, label }];
  return [
    await ingest('graph/tools/a.json', {
      '@context': context,
      ...tool({
        requires: { os: ['linux'], network: false },
        downstream: { tiny: 1e-7, z: 1, a: [true, null, { '@id': 'x' }] },
        remedies: [
          { host: 'a.example', none: 'no' },
          { host: 'b.example', tool: 'other' },
        ],
        owner: { nick: 'blank' },
        steps: ['first', { nick: 'second' }, 'first'],
        label: 'Colour',
      }),
    }),
    await ingest('graph/tools/b.json', tool({ id: 'other', io: {} })),
    await ingest('graph/notes.json', { '@id': iri, openWorld: true, remedies: [{ host: 'c.example', none: 'no' }] }),
    await ingest('graph/skills/docs.md', '---\nname: docs-generation\ntitle: Docs\n---\n'),
    await ingest('graph/types/t.json', { $id: 'https://example.org/types', $defs: { Slug: { type: 'string' } } }),
    await ingest('graph/view.json', {
      '@type': 'View',
      id: 'all',
      title: 'All',
      description: 'All of it',
      query: 'ASK {}',
    }),
  ];
}

describe('What export writes as JSON-LD', () => {
  it('gives the same quads again, whichever way the named graphs stand in the document', async () => {
    const documents = await instance();
    const graphs = explicit(...documents);
    const forms = [graphs, { '@graph': graphs }, { '@context': {}, '@graph': graphs }, [{ '@graph': graphs }]];
    for (const form of [...forms, graphs.flatMap((graph) => graph['@graph'])]) {
      const again = await ingest(path, form);
      expect(messages(again)).toEqual([]);
      expect(statements(again)).toEqual(statements(...documents));
    }
  });

  it('gives the same quads again from the folder of Tools, where a node without class is no Tool', async () => {
    const documents = await instance();
    const again = await ingest('graph/tools/everything.json', explicit(...documents));
    expect(messages(again)).toEqual([]);
    expect(statements(again)).toEqual(statements(...documents));
  });

  it('gives the same quads again for any Tool', async () => {
    await fc.assert(
      fc.asyncProperty(toolDocument, async (document) => {
        const first = await ingest('graph/tools/a.json', document);
        for (const written of [await exported(first), explicit(first)]) {
          const again = await ingest(path, written);
          expect(messages(again)).toEqual([]);
          expect(statements(again)).toEqual(statements(first));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('knows the places of Tools, skills and types, not of their ports and list cells', async () => {
    const again = await ingest(path, explicit(...(await instance()).reverse()));
    expect(again.pointers.get(iri)).toBe('/5/@graph/0');
    expect([...again.pointers.keys()].sort()).toEqual([
      'https://example.org/types#/$defs/Slug',
      `${base}skill/docs-generation`,
      `${base}tool/other`,
      iri,
      `${base}view/all`,
    ]);
  });

  it('is not held to the plain form, whose keys it does not use; its IRIs are', async () => {
    const node = { '@id': iri, '@type': [`${TG}Tool`], [`${TG}tier`]: [{ '@value': 'stable' }] };
    const document = await ingest(path, [{ '@id': 'urn:g', '@graph': [node] }]);
    expect(document.diagnostics).toEqual([]);
    const elsewhere = await ingest(path, [{ '@graph': [{ ...node, '@id': 'https://example.org/#tool/x' }] }]);
    expect(elsewhere.diagnostics).toMatchObject([{ code: 'invalid-node', pointer: '/0/@graph/0/@id' }]);
    expect(elsewhere.broken).toEqual(['https://example.org/#tool/x']);
  });

  it.each([
    [{ [`${TG}teir`]: 'stable' }, `/0/${escapeStep(`${TG}teir`)}`, `did you mean <${TG}tier>?`],
    [{ '@type': [`${TG}Tol`] }, '/0/@type/0', `did you mean <${TG}Tool>?`],
  ])('G2: is told of a term of our namespace that is none: %j', async (changes, pointer, words) => {
    const document = await ingest(path, [{ '@id': iri, '@type': [`${TG}Tool`], ...changes }]);
    expect(document.diagnostics).toMatchObject([{ code: 'invalid-node', pointer, subject: iri }]);
    expect(messages(document)).toEqual([expect.stringContaining(words)]);
    expect(document).toMatchObject({ quads: [], broken: [iri] });
  });

  it('may describe types of any IRI, and under such an IRI nothing but the type', async () => {
    const type = { '@id': 'https://example.org/t#/$defs/A', '@type': [`${TG}Type`] };
    expect((await ingest(path, [type])).diagnostics).toEqual([]);
    const both = await ingest(path, [{ ...type, '@type': [`${TG}Type`, `${TG}Tool`] }]);
    expect(messages(both)).toEqual([expect.stringContaining('outside this instance')]);
  });

  it('keeps a tiny number in a JSON literal, and refuses it elsewhere', async () => {
    const node = (value: object) => [{ '@id': iri, [`${TG}limits`]: [value] }];
    const literal = await ingest(path, node({ '@type': '@json', '@value': { timeoutMs: 1e-7 } }));
    expect(literal.quads.map(({ object }) => object.value)).toEqual(['{"timeoutMs":1e-7}']);
    const bare = await ingest(path, node({ '@value': 1e-7 }));
    expect(bare.diagnostics).toMatchObject([
      { code: 'invalid-node', pointer: `/0/${escapeStep(`${TG}limits`)}/0/@value` },
    ]);
  });

  it('has JSON literals in JCS, also where their type is written out', async () => {
    const value = { '@type': 'http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON', '@value': '{ "b": 1.0, "a": 2 }' };
    const document = await ingest(path, [{ '@id': iri, [`${TG}limits`]: [value] }]);
    expect(document.quads.map(({ object }) => object.value)).toEqual(['{"a":2,"b":1}']);
  });

  it('may hold many more nodes than it states, as ports and cells stand at the top', async () => {
    const limits = { nodes: 40 };
    const tools = Array.from({ length: 40 }, (_, i) => ({ '@type': 'Tool', ...tool({ id: `t${i}` }) }));
    const documents = [await ingest('graph/a.json', { '@graph': tools }, { limits })];
    const graphs = explicit(...documents);
    expect(graphs[0]?.['@graph'].length).toBeGreaterThan(300);
    const again = await ingest(path, graphs, { limits });
    expect(messages(again)).toEqual([]);
    expect(statements(again)).toEqual(statements(...documents));
    const parts = Array.from({ length: 2001 }, (_, i) => ({ '@id': `${base}x/${i}`, 'urn:p': 1 }));
    const halves = [{ '@graph': parts.slice(0, 1500) }, { '@graph': parts.slice(1500) }];
    expect(messages(await ingest(path, halves, { limits }))).toEqual([
      '2001 nodes and parts of nodes; at most 2000 are read from one document, so split it',
    ]);
  });
});
