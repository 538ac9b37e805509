import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { GraphIndex } from '../../src/store/graph-index.js';
import { lift } from '../../src/store/lift.js';
import { type Addition, type MergedTool, mergeTool } from '../../src/store/merge-tool.js';
import { skillIri, toolIri } from '../../src/store/node-iri.js';
import { classes, propertyIri, rdf, XSD } from '../../src/store/vocabulary.js';
import { toolDocument } from './tool-arbitrary.js';
import { base, quadsOf, smallTool, toolNode } from './tool-quads.js';

const { namedNode, literal, quad } = DataFactory;
const home = 'graph/tools/a.json';
const more = 'graph/more.ttl';
const iri = toolIri(base, 'a');
const port = `${iri}/input/only`;
const pointers = new Map([[iri, '/@graph/0']]);

function states(subject: string, key: string, object: Quad['object'] | string): Quad {
  const value = typeof object === 'string' ? literal(object) : object;
  return quad(namedNode(subject), namedNode(key.includes(':') ? key : propertyIri(key)), value);
}

/** The Tool over its home and what other documents state; every subject of theirs is an addition. */
function mergeQuads(quads: readonly Quad[], others: Readonly<Record<string, readonly Quad[]>>): MergedTool | undefined {
  const additions = Object.entries(others).map(([document, stated]) => ({ document, graph: new GraphIndex(stated) }));
  const of = (subject: string): readonly Addition[] =>
    additions.filter(({ graph }) => [...graph.subjects()].includes(subject));
  return mergeTool(iri, { path: home, graph: new GraphIndex(quads), pointers }, base, of);
}

async function merge(others: Readonly<Record<string, readonly Quad[]>>): Promise<MergedTool | undefined> {
  return mergeQuads(await quadsOf(toolNode(smallTool('a'))), others);
}

function messages(merged: MergedTool | undefined): readonly string[] | undefined {
  return merged?.diagnostics.map(({ message }) => message);
}

describe('mergeTool', () => {
  it('adds single values, members of sets and keys of ports; home and place stay', async () => {
    const merged = await merge({
      [more]: [
        states(iri, 'tier', 'experimental'),
        states(iri, 'satisfies', namedNode(skillIri(base, 'another'))),
        states(port, 'description', 'Only these'),
        states(iri, 'http://schema.org/author', 'no key of a Tool'),
      ],
    });
    expect(merged?.diagnostics).toEqual([]);
    expect(merged?.node).toMatchObject({ iri, document: home, pointer: '/@graph/0' });
    const [alone] = lift(await quadsOf(toolNode(smallTool('a'))), base, home, pointers).tools;
    const { io, ...fields } = merged?.node?.tool ?? {};
    expect(fields).toEqual({
      ...{ ...alone?.tool, io: undefined },
      tier: 'experimental',
      satisfies: ['another', 'checking', 'reporting'],
    });
    expect(io?.inputs.map(({ name, description }) => [name, description])).toEqual([
      ['path', undefined],
      ['only', 'Only these'],
    ]);
  });

  it('is complete only with the others when the home states too little', async () => {
    const all = await quadsOf(toolNode(smallTool('a')));
    const atHome = ({ subject, predicate }: Quad) =>
      subject.value === iri && [rdf.type, propertyIri('id'), propertyIri('title')].includes(predicate.value);
    const quads = all.filter(atHome);
    expect(lift(quads, base, home, pointers).broken).toEqual([iri]);
    const merged = mergeQuads(quads, { [more]: all.filter((one) => !atHome(one)) });
    expect(merged?.node).toEqual({ ...lift(all, base, home, pointers).tools[0], alsoIn: [more] });
    const half = mergeQuads(quads, { [more]: [states(iri, 'description', 'Half')] });
    expect(half?.node).toBeUndefined();
    // The home alone lacks it as well, so the message is the one that it has alone.
    expect(messages(half)).toContainEqual(expect.stringMatching(/^invoke: [^(]*$/));
  });

  it.each<[string, Quad[], string, string]>([
    [
      'a text',
      [states(iri, 'title', 'B')],
      `title: two different values, "B" in ${more} and "Tool a" in ${home}; keep one`,
      '/@graph/0/title',
    ],
    [
      'a JSON literal',
      [states(iri, 'invoke', literal('{"shell":"other"}', namedNode(rdf.JSON)))],
      `invoke: two different values, {"shell":"other"} in ${more} and {"shell":"run a"} in ${home}; keep one`,
      '/@graph/0/invoke',
    ],
    [
      'a key of a port',
      [states(port, 'repeated', literal('false', namedNode(`${XSD}boolean`)))],
      `io.inputs[1].repeated: two different values, false in ${more} and true in ${home}; keep one`,
      '/@graph/0/io/inputs/1/repeated',
    ],
    [
      'an arg of a port',
      [states(port, 'arg', namedNode('urn:arg')), states('urn:arg', 'flag', '--other')],
      `io.inputs[1].arg: two different values, {"flag":"--only"} in ${home} and {"flag":"--other"} in ${more}; keep one`,
      '/@graph/0/io/inputs/1/arg',
    ],
    [
      'a list',
      [states(iri, 'inputs', namedNode(rdf.nil))],
      `io.inputs: two different lists, in ${more} and in ${home}; keep one`,
      '/@graph/0/io/inputs',
    ],
    [
      'a cell of a list',
      [states(`${port}/cell`, rdf.rest, namedNode(`${port}/cell`))],
      `io.inputs: a cell of the list has two values of rdf:first or rdf:rest; keep one (this Tool is also described in ${more})`,
      '/@graph/0/io/inputs',
    ],
  ])('refuses a second, different value of %s, and names both documents', async (_, quads, message, pointer) => {
    const merged = await merge({ [more]: quads });
    expect(merged?.node).toBeUndefined();
    expect(merged?.diagnostics).toEqual([
      { code: 'invalid-node', severity: 'error', message, document: home, pointer, subject: iri },
    ]);
  });

  it('names every document that states a value, up to three, and none where one document states both', async () => {
    const inFour = Object.fromEntries([1, 2, 3, 4].map((i) => [`graph/${i}.ttl`, [states(iri, 'title', 'B')]]));
    expect(messages(await merge(inFour))).toEqual([
      `title: two different values, "B" in graph/1.ttl, graph/2.ttl, graph/3.ttl and 1 more and "Tool a" in ${home}; keep one`,
    ]);
    const both = [states(iri, 'version', '1'), states(iri, 'version', '2')];
    expect(messages(await merge({ [more]: both }))).toEqual([
      `version: two different values, "1" and "2"; keep one (this Tool is also described in ${more})`,
    ]);
  });

  it('says which documents describe the Tool too where the fault came with them', async () => {
    const merged = await merge({
      [more]: [states(iri, 'tier', 'gold')],
      'graph/other.ttl': [states(port, 'description', 'x')],
    });
    expect(messages(merged)).toEqual([
      expect.stringMatching(/^tier: .*\(this Tool is also described in graph\/more\.ttl, graph\/other\.ttl\)$/),
    ]);
    expect(merged?.subjects.has(port)).toBe(true);
  });

  it('is undefined where nobody adds to the Tool, or the home does not state that it is one', async () => {
    expect(await merge({ [more]: [states(toolIri(base, 'b'), 'title', 'B')] })).toBeUndefined();
    expect(await merge({ [more]: [states(`${iri}/input/none`, 'description', 'No port')] })).toBeUndefined();
    const skill = [states(iri, rdf.type, namedNode(classes.Skill))];
    expect(mergeQuads(skill, { [more]: [states(iri, 'title', 'B')] })).toBeUndefined();
  });

  it('depends on every subject that could have told something, so that what is added there later is seen', async () => {
    const merged = await merge({ [more]: [states(iri, 'remedies', namedNode('urn:remedy'))] });
    expect(merged?.node).toBeUndefined();
    expect([...(merged?.subjects ?? [])]).toEqual(expect.arrayContaining([iri, port, `${port}/arg`, 'urn:remedy']));
    const told = await merge({
      [more]: [states(iri, 'remedies', namedNode('urn:remedy'))],
      'graph/remedy.ttl': [states('urn:remedy', 'none', 'no way')],
    });
    expect(told?.node?.tool.remedies).toEqual([{ none: 'no way' }]);
  });

  it('is the Tool of the home alone when others state any part of it again, blank nodes by other names', async () => {
    await fc.assert(
      fc.asyncProperty(toolDocument, fc.infiniteStream(fc.nat(2)), async (document, numbers) => {
        const subject = toolIri(base, document.id);
        const quads = await quadsOf(toolNode(document));
        const renamed = quads.map((one) =>
          quad(rename(one.subject, subject), one.predicate, rename(one.object, subject)),
        );
        const copies: Quad[][] = [[], [], []];
        for (const one of quads) copies[numbers.next().value ?? 0]?.push(one);
        const typeless = (some: readonly Quad[]) => some.filter(({ predicate }) => predicate.value !== rdf.type);
        const additions = [...copies, renamed].map((some, i) => ({
          document: `graph/${i}.ttl`,
          graph: new GraphIndex(typeless(some)),
        }));
        const tool = mergeTool(
          subject,
          { path: home, graph: new GraphIndex(quads), pointers: new Map() },
          base,
          (node) => additions.filter(({ graph }) => [...graph.subjects()].includes(node)),
        );
        expect(tool?.diagnostics).toEqual([]);
        const { alsoIn, ...merged } = tool?.node ?? {};
        expect(merged).toStrictEqual(lift(quads, base, home, new Map()).tools[0]);
        expect(alsoIn).toContain('graph/3.ttl');
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same result whatever the order of quads and of statements between documents', async () => {
    const quads = await quadsOf(toolNode(smallTool('a')));
    const extra = [
      states(iri, 'title', 'B'),
      states(iri, 'title', 'C'),
      states(iri, 'tier', 'gold'),
      states(port, 'schema', namedNode('urn:other')),
    ];
    const result = (order: readonly Quad[]) => JSON.stringify(mergeQuads(quads, { [more]: order })?.diagnostics);
    const first = result(extra);
    fc.assert(
      fc.property(fc.shuffledSubarray(extra, { minLength: extra.length }), (order) => {
        expect(result(order)).toBe(first);
      }),
    );
  });

  it('never throws, and does not depend on the order of the documents, whatever they state', () => {
    const node = fc.constantFrom(iri, port, 'urn:1', 'urn:2', rdf.nil, '').map((value) => namedNode(value));
    const keys = ['id', 'title', 'inputs', 'arg', 'invoke', 'satisfies', 'remedies', 'schema', 'name'];
    const predicate = fc.constantFrom(rdf.type, rdf.first, rdf.rest, ...keys.map(propertyIri));
    const object = fc.oneof(
      node,
      fc.constantFrom(classes.Tool, classes.Skill).map((value) => namedNode(value)),
      fc.constantFrom('a', '{"shell":"x"}', '').map((value) => literal(value)),
      fc.constantFrom('{"shell":"x"}', '{').map((value) => literal(value, namedNode(rdf.JSON))),
    );
    const quads = fc.array(
      fc.tuple(node, predicate, object).map(([s, p, o]) => quad(s, namedNode(p), o)),
      { maxLength: 25 },
    );
    const isTool = quad(namedNode(iri), namedNode(rdf.type), namedNode(classes.Tool));
    fc.assert(
      fc.property(quads, quads, quads, (atHome, one, other) => {
        const merged = mergeQuads([isTool, ...atHome], { one, other });
        expect(mergeQuads([isTool, ...atHome].reverse(), { other: [...other].reverse(), one })).toEqual(merged);
        expect(merged?.node === undefined).toBe((merged?.diagnostics.length ?? 1) > 0);
      }),
      { numRuns: 1500 },
    );
  });
});

/** What another document calls the parts of the Tool. */
function rename<T extends Quad['subject'] | Quad['object']>(term: T, tool: string): T {
  return term.termType === 'NamedNode' && term.value.startsWith(`${tool}/`)
    ? (namedNode(`urn:copy:${term.value.slice(tool.length)}`) as T)
    : term;
}
