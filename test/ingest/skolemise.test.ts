import type { Quad } from '@rdfjs/types';
import fc from 'fast-check';
import { canonize } from 'rdf-canonize';
import { describe, expect, it } from 'vitest';
import type { PlainQuad, PlainTerm } from '../../src/ingest/quad.js';
import { skolemise } from '../../src/ingest/skolemise.js';
import { classes, propertyIri, rdf, TG } from '../../src/store/vocabulary.js';
import { base, ingest, tool } from './ingest-source.js';

const document = `${base}document/a.json`;
const iri = (value: string): PlainTerm => ({ termType: 'NamedNode', value });
const blank = (value: string): PlainTerm => ({ termType: 'BlankNode', value });
const text = (value: string): PlainTerm => ({
  termType: 'Literal',
  value,
  datatype: { value: 'http://www.w3.org/2001/XMLSchema#string' },
});
const quad = (subject: PlainTerm, predicate: string, object: PlainTerm): PlainQuad => ({
  subject,
  predicate: iri(predicate),
  object,
});

const typed = (subject: string, type: string = classes.Tool) => quad(iri(subject), rdf.type, iri(type));

const port = (name: string, description = 'A port.') => ({
  name,
  schema: 'https://example.org/types#/$defs/Slug',
  description,
  arg: { flag: `--${name}` },
});
const lines = (quads: readonly Quad[]): Set<string> =>
  new Set(quads.map(({ subject, predicate, object }) => `${subject.value} ${predicate.value} ${object.value}`));
const difference = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] => [...a].filter((line) => !b.has(line));

async function toolWithInputs(inputs: readonly object[]): Promise<Set<string>> {
  const ingested = await ingest('graph/tools/a.json', tool({ io: { inputs } }));
  expect(ingested.diagnostics).toEqual([]);
  return lines(ingested.quads);
}

describe('The names of blank nodes', () => {
  it('follow the structure of a Tool', async () => {
    const { quads } = await ingest(
      'graph/tools/a.json',
      tool({
        remedies: [
          { host: 'a.example', none: 'no' },
          { host: 'b.example', none: 'no' },
        ],
        maintains: [{ source: 'src/x', artefact: 'docs/x.html' }],
      }),
    );
    const at = `${base}tool/readme-sync`;
    expect([...new Set(quads.map(({ subject }) => subject.value))].sort()).toEqual(
      [
        at,
        ...['only', 'path'].flatMap((name) => ['', '/arg', '/cell'].map((end) => `${at}/input/${name}${end}`)),
        `${at}/maintains/0`,
        `${at}/output/report`,
        `${at}/output/report/cell`,
        `${at}/remedy/0`,
        `${at}/remedy/1`,
      ].sort(),
    );
  });

  it('let an edit of one description change one quad of 20 inputs', async () => {
    const ports = Array.from({ length: 20 }, (_, i) => port(`p${i}`));
    const before = await toolWithInputs(ports);
    const after = await toolWithInputs(ports.with(7, port('p7', 'Another text.')));
    expect(difference(before, after)).toHaveLength(1);
    expect(difference(after, before)).toHaveLength(1);
  });

  it('let a port that is added anywhere change one quad and add seven', async () => {
    const ports = Array.from({ length: 20 }, (_, i) => port(`p${i}`));
    const before = await toolWithInputs(ports);
    for (const at of [1, 10, 20]) {
      const after = await toolWithInputs(ports.toSpliced(at, 0, port('added')));
      expect(difference(before, after)).toHaveLength(1);
      expect(difference(after, before)).toHaveLength(8);
    }
  });

  it('are indexes for items of a list without a name, or with one that repeats', () => {
    const quads = [
      typed('urn:t'),
      quad(iri('urn:t'), propertyIri('inputs'), blank('c0')),
      ...['x', 'x', undefined, 'y z'].flatMap((name, i) => [
        quad(blank(`c${i}`), rdf.first, blank(`i${i}`)),
        quad(blank(`c${i}`), rdf.rest, i === 3 ? iri(rdf.nil) : blank(`c${i + 1}`)),
        quad(blank(`i${i}`), 'urn:n', text(String(i))),
        ...(name === undefined ? [] : [quad(blank(`i${i}`), propertyIri('name'), text(name))]),
      ]),
    ];
    const items = skolemise(quads, document).filter(({ predicate }) => predicate.value === 'urn:n');
    expect(items.map(({ subject }) => subject.value)).toEqual([
      'urn:t/input/0',
      'urn:t/input/1',
      'urn:t/input/2',
      'urn:t/input/y%20z',
    ]);
  });

  it('never take an IRI that the document itself uses', () => {
    const quads = [
      typed('urn:t'),
      quad(iri('urn:t'), propertyIri('arg'), blank('a')),
      quad(iri('urn:t/arg'), 'urn:p', text('mine')),
      quad(blank('a'), 'urn:p', text('blank')),
    ];
    const named = skolemise(quads, document);
    expect(new Set(named.map(({ subject }) => subject.value))).toEqual(new Set(['urn:t', 'urn:t/arg', 'urn:t/arg~1']));
  });

  it('are below the document where the node that leads to them is at home in another one', () => {
    const remedy = (of: string, label: string, host: string) => [
      quad(iri(of), propertyIri('remedies'), blank(label)),
      quad(blank(label), propertyIri('host'), text(host)),
    ];
    const own = [typed('urn:t'), ...remedy('urn:t', 'a', 'h'), ...remedy('urn:t/input/x', 'b', 'i')];
    const names = skolemise(own, document).map(({ subject }) => subject.value);
    expect([names.at(2), names.at(-1)]).toEqual(['urn:t/remedy/0', 'urn:t/input/x/remedy/0']);
    const about = [...remedy('urn:t', 'a', 'h'), ...remedy('urn:t/input/x', 'b', 'i')];
    const elsewhere = skolemise(about, document).filter(({ predicate }) => predicate.value === propertyIri('host'));
    expect(elsewhere.map(({ subject }) => subject.value)).toEqual([
      `${document}/urn%3At/remedy/0`,
      `${document}/urn%3At%2Finput%2Fx/remedy/0`,
    ]);
    // A harness's class makes no home: the node is described in ours in a graph of its own, with names below its IRI.
    const foreign = [typed('urn:t', 'https://h.example/cat-harness/ns#Tool'), ...remedy('urn:t', 'a', 'h')];
    expect(skolemise(foreign, document).at(-1)?.subject.value).toBe(`${document}/urn%3At/remedy/0`);
  });

  it('below a node at home do not depend on what is stated about others', () => {
    const own = [typed('urn:t'), quad(iri('urn:t'), propertyIri('arg'), blank('x'))];
    const shared = [quad(iri('urn:a'), propertyIri('arg'), blank('x')), ...own];
    expect(skolemise(shared, document).at(-1)?.object.value).toBe('urn:t/arg');
    expect(skolemise(own, document).at(-1)?.object.value).toBe('urn:t/arg');
  });

  it('are numbered below the document where no named node leads to them, cycles included', () => {
    const quads = [
      quad(blank('z'), 'urn:p', blank('y')),
      quad(blank('y'), 'urn:p', blank('z')),
      quad(blank('x'), 'urn:p', text('alone')),
    ];
    const subjects = skolemise(quads, document).map(({ subject }) => subject.value);
    expect(new Set(subjects)).toEqual(new Set(['0', '1', '1/p/0'].map((end) => `${document}/node/${end}`)));
    expect(subjects.at(-1)).toBe(`${document}/node/0`);
  });

  it('end for a list that comes back to itself and for one that is not well formed', () => {
    const quads = [
      quad(iri('urn:t'), propertyIri('inputs'), blank('a')),
      quad(blank('a'), rdf.first, text('1')),
      quad(blank('a'), rdf.rest, blank('b')),
      quad(blank('b'), rdf.first, text('2')),
      quad(blank('b'), rdf.rest, blank('a')),
      quad(iri('urn:t'), propertyIri('outputs'), blank('c')),
      quad(blank('c'), rdf.first, blank('a')),
      quad(blank('c'), rdf.first, blank('d')),
    ];
    expect(blankTerms(skolemise(quads, document))).toEqual([]);
  });

  it('do not depend on labels, nor on the order of the quads of a Tool', () => {
    fc.assert(
      fc.property(treeQuads(), fc.nat(), (quads, seed) => {
        const renamed = shuffled(quads, seed).map(({ subject, predicate, object }) => ({
          subject: relabel(subject, seed),
          predicate,
          object: relabel(object, seed),
        }));
        expect([...lines(skolemise(renamed, document))].sort()).toEqual([...lines(skolemise(quads, document))].sort());
      }),
    );
  });

  it('leave no blank node, and keep the dataset isomorphic, for any quads', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuads(), async (quads) => {
        const named = skolemise(quads, document);
        expect(named).toHaveLength(quads.length);
        expect(blankTerms(named)).toEqual([]);
        expect(new Set(named.map(({ graph }) => graph.value))).toEqual(new Set(quads.length > 0 ? [document] : []));
        const known = new Set(quads.flatMap(({ subject, object }) => [subject, object]).map(termOf));
        const back = named.map((one) => ({
          subject: unnamed(one.subject, known),
          predicate: one.predicate,
          object: unnamed(one.object, known),
        }));
        expect(await canonical(back)).toBe(await canonical(quads));
      }),
      { numRuns: 300 },
    );
  });

  it('are quick for ten thousand blank nodes in a row', () => {
    const quads = Array.from({ length: 10_000 }, (_, i) => quad(blank(`b${i}`), `${TG}arg`, blank(`b${i + 1}`)));
    const started = performance.now();
    expect(blankTerms(skolemise(quads, document))).toEqual([]);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

function blankTerms(quads: readonly Quad[]): Quad[] {
  return quads.filter(({ subject, object }) => [subject, object].some(({ termType }) => `${termType}` === 'BlankNode'));
}

const termOf = ({ termType, value }: PlainTerm): string => `${termType} ${value}`;

/** The term as a blank node again when its IRI is not one of the input. */
function unnamed(term: PlainTerm, known: ReadonlySet<string>): PlainTerm {
  return term.termType === 'NamedNode' && !known.has(termOf(term)) ? blank(encodeURIComponent(term.value)) : term;
}

async function canonical(quads: readonly PlainQuad[]): Promise<string> {
  const graph = { termType: 'DefaultGraph', value: '' };
  const dataset = quads.map((one) => ({ ...one, graph }));
  return canonize(dataset, { algorithm: 'RDFC-1.0', maxWorkFactor: 3, format: 'application/n-quads' });
}

function relabel(term: PlainTerm, seed: number): PlainTerm {
  return term.termType === 'BlankNode' ? blank(`n${(Number(term.value.slice(1)) * 7919 + seed) % 104_729}`) : term;
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  return items
    .map((item, i) => ({ item, key: ((i + 1) * 2_654_435_761 + seed * 40_503) % 4_294_967_296 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

interface Tree {
  readonly label: string;
  readonly children: readonly { readonly key: string; readonly isList: boolean; readonly trees: readonly Tree[] }[];
}

function trees(depth: number): fc.Arbitrary<Tree> {
  const label = fc.constantFrom('a', 'b', '0');
  if (depth === 0) return label.map((own) => ({ label: own, children: [] }));
  const child = fc.record({
    key: fc.constantFrom('remedies', 'maintains', 'arg', 'inputs'),
    isList: fc.boolean(),
    trees: fc.array(trees(depth - 1), { maxLength: 3 }),
  });
  return fc.record({ label, children: fc.uniqueArray(child, { maxLength: 3, selector: ({ key }) => key }) });
}

/** A tree of blank nodes below one Tool, with sets, lists and literals that repeat. */
function treeQuads(): fc.Arbitrary<PlainQuad[]> {
  return trees(3).map((root) => {
    const quads: PlainQuad[] = [];
    let count = 0;
    const add = (at: PlainTerm, { label, children }: Tree): void => {
      quads.push(quad(at, propertyIri('name'), text(label)));
      for (const { key, isList, trees: inner } of children) {
        const items = inner.map((child) => {
          const item = blank(`b${count++}`);
          add(item, child);
          return item;
        });
        const objects = isList ? [addList(items)] : items;
        for (const object of objects) quads.push(quad(at, propertyIri(key), object));
      }
    };
    const addList = (items: readonly PlainTerm[]): PlainTerm => {
      const [first, ...rest] = items;
      if (first === undefined) return iri(rdf.nil);
      const cell = blank(`b${count++}`);
      quads.push(quad(cell, rdf.first, first), quad(cell, rdf.rest, addList(rest)));
      return cell;
    };
    add(iri('urn:t'), root);
    return quads;
  });
}

/** Any small graph: shared nodes, cycles, broken lists, names that look like ours. */
function anyQuads(): fc.Arbitrary<PlainQuad[]> {
  const node = fc.oneof(
    fc.constantFrom('b0', 'b1', 'b2', 'b3').map(blank),
    fc.constantFrom('urn:t', 'urn:t/arg', 'urn:t/input/x', `${document}/node/0`, rdf.nil).map(iri),
  );
  const predicate = fc.constantFrom(rdf.first, rdf.rest, ...['inputs', 'arg', 'remedies', 'name'].map(propertyIri));
  const object = fc.oneof(node, fc.constantFrom('x', '0', '').map(text));
  return fc.uniqueArray(
    fc.tuple(node, predicate, object).map((parts) => quad(...parts)),
    {
      maxLength: 9,
      selector: (one) => JSON.stringify(one),
    },
  );
}
