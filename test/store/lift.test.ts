import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { InputSchema, OutputSchema } from '../../schemas/port.js';
import { ToolDocumentSchema } from '../../schemas/tool.js';
import { NodeSchema } from '../../schemas/tool-rules.js';
import { type Lifted, lift } from '../../src/store/lift.js';
import { toolIri } from '../../src/store/node-iri.js';
import { classes, propertyIri, rdf, TG, XSD } from '../../src/store/vocabulary.js';
import { toolDocument } from './tool-arbitrary.js';
import { base, quadsOf, smallTool, toolNode } from './tool-quads.js';

const { namedNode, literal, quad } = DataFactory;
const path = 'graph/node.json';
const iri = toolIri(base, 'a');
const pointers = new Map([[iri, '/@graph/0']]);

function liftAll(quads: readonly Quad[]): Lifted {
  return lift(quads, base, path, pointers);
}

/** The quads of the Tool `a`, with those of one key replaced. */
async function changed(key: string, ...objects: Quad['object'][]): Promise<Quad[]> {
  const property = propertyIri(key);
  const kept = (await quadsOf(toolNode(smallTool('a')))).filter(
    ({ subject, predicate }) => subject.value !== iri || predicate.value !== property,
  );
  return [...kept, ...objects.map((object) => quad(namedNode(iri), namedNode(property), object))];
}

function json(text: string): Quad['object'] {
  return literal(text, namedNode(rdf.JSON));
}

describe('lift', () => {
  it('gives back the Tool that was written, with its sets sorted', async () => {
    const text = (value: unknown) => JSON.stringify(value);
    await fc.assert(
      fc.asyncProperty(toolDocument, async (document) => {
        const { remedies, maintains, ...tool } = NodeSchema.parse(document);
        const quads = await quadsOf(toolNode(document));
        const { tools, diagnostics, broken } = lift(quads, base, path, new Map());
        // Its source satisfied the schema, so that what was lifted need not be asked again.
        expect(lift(quads, base, path, new Map(), true).tools).toStrictEqual(tools);
        expect(diagnostics).toEqual([]);
        expect(broken).toEqual([]);
        expect(tools).toHaveLength(1);
        const { remedies: liftedRemedies, maintains: liftedMaintains, ...lifted } = tools[0]?.tool ?? {};
        expect(lifted).toStrictEqual({
          ...tool,
          satisfies: [...tool.satisfies].sort(),
          ...(tool.alternativeTo === undefined ? {} : { alternativeTo: [...tool.alternativeTo].sort() }),
          ...(tool.renders === undefined ? {} : { renders: [...tool.renders].sort() }),
          ...(tool.subprocesses === undefined ? {} : { subprocesses: [...tool.subprocesses].sort() }),
        });
        expect(liftedRemedies?.map(text)).toEqual(remedies && [...new Set(remedies.map(text))].sort());
        expect(liftedMaintains?.map(text)).toEqual(maintains && [...new Set(maintains.map(text))].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same bytes whatever the order of the quads, duplicates included', async () => {
    await fc.assert(
      fc.asyncProperty(toolDocument, fc.infiniteStream(fc.nat()), async (document, numbers) => {
        const quads = await quadsOf(toolNode(document));
        const shuffled = [...quads, ...quads]
          .map((one) => ({ one, at: numbers.next().value ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(JSON.stringify(liftAll(shuffled))).toBe(JSON.stringify(liftAll(quads)));
      }),
      { numRuns: 100 },
    );
  });

  it('knows every key of the Tool, input and output schemas', async () => {
    const sourceOnly = new Set(['$schema', '@context', '@type', '@id', 'summary', 'type']);
    const documented = Object.keys(ToolDocumentSchema.shape).filter((key) => !sourceOnly.has(key));
    const full = {
      ...smallTool('a'),
      ...{ version: '1', tier: 'deprecated', deprecated: { reason: 'r', replacedBy: 'b' }, effect: 'read' },
      ...{ idempotent: true, openWorld: true, requiresConfirmation: true, install: { none: true } },
      io: {
        inputs: [{ name: 'i', schema: 'urn:t', description: 'd', required: true, repeated: true, arg: { flag: '-f' } }],
        outputs: [{ name: 'o', schema: 'urn:t', description: 'd', required: true, from: { result: true } }],
      },
      ...{ requires: { os: ['linux'] }, when: { exists: ['x'] }, limits: { timeoutMs: 1 }, selection: { cost: 'c' } },
      ...{ alternativeTo: ['b'], remedies: [{ tool: 'b' }], maintains: [{ source: 's', artefact: 'a' }] },
      ...{ renders: ['r'], subprocesses: ['s'], downstream: { x: 1 } },
    };
    const [node] = liftAll(await quadsOf(toolNode(full as never))).tools;
    expect(Object.keys(node?.tool ?? {}).sort()).toEqual(documented.sort());
    expect(Object.keys(node?.tool.io.inputs[0] ?? {}).sort()).toEqual(Object.keys(InputSchema.shape).sort());
    expect(Object.keys(node?.tool.io.outputs[0] ?? {}).sort()).toEqual(Object.keys(OutputSchema.shape).sort());
    expect(node?.tool.deprecated).toEqual({ reason: 'r', replacedBy: 'b' });
  });

  it('names the home and the place of a Tool', async () => {
    const [node] = liftAll(await quadsOf(toolNode(smallTool('a')))).tools;
    expect(node).toMatchObject({ iri, document: path, pointer: '/@graph/0' });
  });

  it('leaves triples alone that it does not know', async () => {
    const quads = await quadsOf(toolNode(smallTool('a')));
    const extra = [
      quad(namedNode(iri), namedNode('http://schema.org/author'), literal('someone')),
      quad(namedNode(iri), namedNode(propertyIri('name')), literal('not a key of a Tool')),
      quad(namedNode('urn:other'), namedNode(propertyIri('title')), literal('no Tool')),
    ];
    expect(liftAll([...quads, ...extra])).toEqual({ ...liftAll(quads), extends: ['urn:other'] });
  });

  it('names the subjects that are no node of the document and could concern a Tool of another', async () => {
    const describes = (subject: string, predicate: string, object: Quad['object'] = literal('x')) =>
      quad(namedNode(subject), namedNode(predicate), object);
    const ownPort = `${iri}/input/only`;
    const skill = { '@id': `${base}skill/reporting`, '@type': 'Skill', name: 'reporting' };
    const parameters = [{ name: 'skill', schema: 'urn:x:y', required: true }];
    const view = { '@id': `${base}view/v`, '@type': 'View', id: 'v', query: 'ASK {}', parameters };
    const quads = [
      ...(await quadsOf(toolNode(smallTool('a')))),
      ...(await quadsOf(skill)),
      ...(await quadsOf(view)),
      describes(ownPort, propertyIri('description')),
      describes('urn:type', rdf.type, namedNode(classes.Type)),
      describes('urn:view', rdf.type, namedNode(classes.View)),
      describes('urn:view', propertyIri('title')),
    ];
    expect(liftAll(quads).extends).toEqual([]);
    const more = [
      describes('urn:z', propertyIri('flag')),
      describes(toolIri(base, 'b'), propertyIri('title')),
      describes(`${toolIri(base, 'b')}/input/only`, propertyIri('required')),
      describes('urn:cell', rdf.rest, namedNode(rdf.nil)),
      describes(`${iri}/input/other`, propertyIri('name')),
      describes('urn:no-key-of-a-tool', 'http://schema.org/author'),
    ];
    expect(liftAll([...more, ...quads]).extends).toEqual([
      'urn:cell',
      `${iri}/input/other`,
      toolIri(base, 'b'),
      `${toolIri(base, 'b')}/input/only`,
      'urn:z',
    ]);
  });

  it('names the parts of a Tool that do not lie under its IRI, described or not', async () => {
    const withList = async (rest: string) => [
      ...(await changed('inputs', namedNode('urn:cell'))),
      quad(namedNode('urn:cell'), namedNode(rdf.first), namedNode('urn:port')),
      quad(namedNode('urn:cell'), namedNode(rdf.rest), namedNode(rest)),
    ];
    expect(liftAll(await quadsOf(toolNode(smallTool('a')))).parts).toEqual([]);
    expect(liftAll(await withList(rdf.nil)).parts).toEqual([[iri, ['urn:cell', 'urn:port']]]);
    expect(liftAll(await withList('urn:missing'))).toMatchObject({
      broken: [iri],
      parts: [[iri, ['urn:cell', 'urn:missing']]],
    });
  });

  it('accepts one value in two languages of the graph, and refuses two values', async () => {
    expect(liftAll(await changed('title', literal('x'), literal('x', 'en'))).tools).toHaveLength(1);
    const { tools, diagnostics, broken } = liftAll(await changed('title', literal('x'), literal('y')));
    expect(tools).toEqual([]);
    expect(broken).toEqual([iri]);
    expect(diagnostics).toEqual([
      {
        code: 'invalid-node',
        severity: 'error',
        message: 'title: two different values, "x" and "y"; keep one',
        document: path,
        pointer: '/@graph/0/title',
        subject: iri,
      },
    ]);
  });

  it('compares at most 16 values where one belongs, and takes at most 1000 into a set', async () => {
    const texts = Array.from({ length: 1001 }, (_, i) => literal(`${i}`));
    const messages = async (key: string, count: number) =>
      liftAll(await changed(key, ...texts.slice(0, count))).diagnostics.map(({ message }) => message);
    expect(await messages('title', 17)).toEqual(['title: expected one value, found 17']);
    expect(await messages('title', 16)).toEqual(['title: two different values, "0" and "1"; keep one']);
    expect(await messages('renders', 1001)).toEqual(['renders: expected at most 1000 values']);
    expect(await messages('renders', 1000)).toEqual([]);
  });

  it.each<[string, string, Quad['object'], RegExp]>([
    ['JSON that does not parse', 'invoke', json('{"shell":'), /invoke: expected JSON text/],
    [
      'a JSON literal without its type',
      'invoke',
      literal('{"shell":"x"}'),
      /invoke: expected a literal of the type rdf:JSON/,
    ],
    ['a reserved key in JSON', 'downstream', json('{"__proto__":{}}'), /downstream: the key "__proto__" is reserved/],
    ['JSON that is nested 200,000 deep', 'downstream', json(`${'['.repeat(200_000)}${']'.repeat(200_000)}`), /nested/],
    ['an unknown arm', 'invoke', json('{"shel":"x"}'), /^unknown key "shel" in invoke; did you mean "shell"\?$/],
    ['a number where a text belongs', 'title', literal(1), /title: expected a string, found "1" of the type/],
    ['an IRI where a text belongs', 'title', namedNode('urn:x'), /title: expected a string, found <urn:x>/],
    ['a text where a skill belongs', 'satisfies', literal('x'), /satisfies: expected an IRI/],
    ['a boolean that is none', 'idempotent', literal('yes', namedNode(`${XSD}boolean`)), /xsd:boolean/],
    ['a tier that is none', 'tier', literal('gold'), /^tier: expected one of "stable", .*, found "gold"$/],
    ['a list without cells', 'inputs', namedNode('urn:nothing'), /io\.inputs: expected a list that ends in rdf:nil/],
    ['a list that is a literal', 'inputs', literal('x'), /io\.inputs: expected a list/],
  ])('refuses %s', async (_, key, object, message) => {
    const { tools, diagnostics, broken } = liftAll(await changed(key, object));
    expect(tools).toEqual([]);
    expect(broken).toEqual([iri]);
    expect(diagnostics[0]).toMatchObject({ code: 'invalid-node', subject: iri, document: path });
    expect(diagnostics[0]?.message).toMatch(message);
  });

  it('refuses lists that come back to themselves, fork, are too long, or are two', async () => {
    const cell = (from: string, item: string, rest: string) => [
      quad(namedNode(from), namedNode(rdf.first), namedNode(item)),
      quad(namedNode(from), namedNode(rdf.rest), namedNode(rest)),
    ];
    const messages = async (cells: Quad[], ...heads: string[]) => {
      const quads = await changed('inputs', ...heads.map((head) => namedNode(head)));
      return liftAll([...quads, ...cells]).diagnostics.map(({ message }) => message);
    };
    expect(await messages([...cell('urn:1', 'urn:p', 'urn:2'), ...cell('urn:2', 'urn:p', 'urn:1')], 'urn:1')).toEqual([
      expect.stringContaining('comes back to itself'),
    ]);
    expect(await messages([...cell('urn:1', 'urn:p', rdf.nil), ...cell('urn:1', 'urn:p', 'urn:2')], 'urn:1')).toEqual([
      expect.stringContaining('two values of rdf:first or rdf:rest'),
    ]);
    const long = Array.from({ length: 50_000 }, (_, i) => cell(`urn:${i}`, 'urn:p', `urn:${i + 1}`)).flat();
    expect(await messages(long, 'urn:0')).toEqual([expect.stringContaining('at most 1000 items')]);
    expect(await messages(cell('urn:1', 'urn:p', rdf.nil), 'urn:1', rdf.nil)).toEqual([
      'io.inputs: two different lists; keep one',
    ]);
    const many = Array.from({ length: 17 }, (_, i) => `urn:list:${i}`);
    const copies = many.flatMap((head) => cell(head, 'urn:p', rdf.nil));
    expect(await messages(copies, ...many)).toEqual(['io.inputs: expected one list, found 17']);
  });

  it('points to the port that is wrong, and to the set where an item of it is', async () => {
    const tool = smallTool('a');
    const quads = await quadsOf(toolNode(tool));
    const port = `${iri}/input/only`;
    const wrong = quads.map((one) =>
      one.subject.value === port && one.predicate.value === propertyIri('schema')
        ? quad(namedNode(port), namedNode(propertyIri('schema')), namedNode('relative'))
        : one,
    );
    expect(liftAll(wrong).diagnostics[0]?.pointer).toBe('/@graph/0/io/inputs/1/schema');
    const long = await changed('renders', literal('x'), literal('y'.repeat(2000)));
    expect(liftAll(long).diagnostics[0]?.pointer).toBe('/@graph/0/renders');
  });

  it('takes the id of a foreign Tool from its IRI, and lets it have characters that ours may not', async () => {
    const foreign = async (subject: string) => {
      const quads = (await changed('id')).map((one) =>
        one.subject.value === iri ? quad(namedNode(subject), one.predicate, one.object) : one,
      );
      return liftAll(quads).tools.map(({ tool }) => tool.id);
    };
    expect(await foreign('https://example.org/cat/ns#tool/a.b/c')).toEqual(['a.b/c']);
    expect(await foreign('https://example.org/tools/%C3%A4b')).toEqual(['äb']);
    expect(await foreign('https://example.org/tools/%zz')).toEqual(['%zz']);
    expect(await foreign('urn:other:x')).toEqual(['x']);
    expect(await foreign('https://example.org/')).toEqual([]);
  });

  it("lets a harness's Tool have such an id under a base that is the IRI of its export, and no Tool of ours", async () => {
    const named = toolIri(base, 'Avatars.css');
    const quads = (await changed('id')).map((one) =>
      one.subject.value === iri ? quad(namedNode(named), one.predicate, one.object) : one,
    );
    expect(liftAll(quads)).toMatchObject({ tools: [], broken: [named] });
    const typed = quad(namedNode(named), namedNode(rdf.type), namedNode('https://x.example/cat-harness/ns#Tool'));
    const other = quad(namedNode(named), namedNode(rdf.type), namedNode('https://unrelated.example/v#Tool'));
    expect(liftAll([...quads, other]).broken).toEqual([named]);
    expect(liftAll([...quads, typed]).tools.map(({ tool }) => tool.id)).toEqual(['Avatars.css']);
  });

  it('refuses an id that is not the one in an IRI of this instance', async () => {
    const { broken, diagnostics } = liftAll(await changed('id', literal('b')));
    expect(broken).toEqual([iri]);
    expect(diagnostics[0]?.message).toBe(`id: "b" is not the name in its IRI; expected <${base}tool/b> as IRI`);
  });

  it('lifts skills and types', async () => {
    const skill = { '@id': `${base}skill/reporting`, '@type': 'Skill', name: 'reporting', description: 'Reports' };
    const type = { '@id': 'https://example.org/t#/$defs/Slug', '@type': 'Type', jsonSchema: { type: 'string' } };
    const { skills, types, diagnostics } = liftAll([...(await quadsOf(skill)), ...(await quadsOf(type))]);
    expect(diagnostics).toEqual([]);
    expect(skills).toEqual([
      { iri: `${base}skill/reporting`, document: path, name: 'reporting', description: 'Reports' },
    ]);
    expect(types).toEqual([{ iri: 'https://example.org/t#/$defs/Slug', document: path, schema: { type: 'string' } }]);
    const wrong = liftAll([
      ...(await quadsOf({ ...skill, name: 'Other' })),
      ...(await quadsOf({ ...type, jsonSchema: [] })),
    ]);
    expect(wrong.broken).toEqual(['https://example.org/t#/$defs/Slug', `${base}skill/reporting`]);
  });

  it('never throws, whatever the graph', () => {
    const node = fc.constantFrom(iri, 'urn:1', 'urn:2', 'urn:3', rdf.nil, '', `${base}tool/%zz`, `${base}tool/\ud800`);
    const predicate = fc.constantFrom(
      rdf.type,
      rdf.first,
      rdf.rest,
      ...['id', 'inputs', 'arg', 'invoke'].map(propertyIri),
    );
    const object = fc.oneof(
      node.map((value) => namedNode(value)),
      fc.constantFrom(...Object.values(classes), `${TG}tool`).map((value) => namedNode(value)),
      fc.string().map((value) => literal(value)),
      fc.json().map((value) => json(value)),
    );
    const quads = fc.array(
      fc.tuple(node, predicate, object).map(([s, p, o]) => quad(namedNode(s), namedNode(p), o)),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(quads, (graph) => {
        const typed = [...graph, quad(namedNode(iri), namedNode(rdf.type), namedNode(classes.Tool))];
        const { tools, broken } = liftAll(typed);
        expect([...tools.map((tool) => tool.iri), ...broken]).toContain(iri);
      }),
      { numRuns: 1000 },
    );
  });
});
