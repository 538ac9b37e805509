import type { Quad } from '@rdfjs/types';
import jsonld from 'jsonld';
import { Parser } from 'n3';
import { canonize } from 'rdf-canonize';
import { describe, expect, it } from 'vitest';
import { ontology } from '../../scripts/ontology.js';
import { ontologyJsonLd, ontologyTurtle } from '../../scripts/ontology-files.js';
import { classes, OWL, prefixes, RDF, RDFS, rdf, TG, terms, XSD } from '../../src/store/vocabulary.js';
import { ingest, tool } from '../ingest/ingest-source.js';
import { readWithPublishedContext } from '../store/second-processor.js';

const quads = new Parser().parse(ontologyTurtle(ontology()));

function values(subject: string, predicate: string): string[] {
  return quads
    .filter((quad) => quad.subject.value === subject && quad.predicate.value === predicate)
    .map(({ object }) => object.value);
}

const canonical = (dataset: readonly Quad[]): Promise<string> =>
  canonize(dataset, { algorithm: 'RDFC-1.0', format: 'application/n-quads' });

/** Subjects of our own namespace that are of a type. */
function ours(type: string): string[] {
  const found = quads.filter(({ predicate, object }) => predicate.value === rdf.type && object.value === type);
  return found.map(({ subject }) => subject.value).filter((iri) => iri.startsWith(TG));
}

describe('The vocabulary', () => {
  it('says the same in Turtle and in JSON-LD', async () => {
    const text = ontologyJsonLd(ontology());
    const theirs = (await jsonld.toRDF(JSON.parse(text) as object)) as Quad[];
    expect(await canonical(theirs)).toBe(await canonical(quads));
    expect(theirs).toHaveLength(quads.length);
  });

  it.each(terms.map(({ key, iri }) => [key, iri]))(
    'has the term of the key %s, with its label and comment',
    async (key, iri) => {
      expect(values(iri, rdf.type)).toContain(`${RDF}Property`);
      expect(values(iri, `${RDFS}label`)).toHaveLength(1);
      expect(values(iri, `${RDFS}comment`)[0]).toMatch(/^[A-Z].*\.$/);
      // The key stands for this term where the published context is in force.
      const read = await readWithPublishedContext(JSON.stringify({ '@id': 'urn:s', [key]: 'urn:o' }));
      expect(read.find(({ subject }) => subject.value === 'urn:s')?.predicate.value).toBe(iri);
    },
  );

  it.each(Object.entries(classes))('has the class %s', (_, iri) => {
    expect(values(iri, rdf.type)).toEqual(expect.arrayContaining([`${RDFS}Class`, `${OWL}Class`]));
  });

  it('states domain and range of each property of ours, and of no other', () => {
    const properties = ours(`${RDF}Property`);
    expect(properties.length).toBeGreaterThan(30);
    for (const iri of properties) {
      expect([iri, values(iri, `${RDFS}domain`).length, values(iri, `${RDFS}range`).length]).toEqual([iri, 1, 1]);
    }
    for (const { subject, predicate } of quads) {
      if (predicate.value === `${RDFS}domain` || predicate.value === `${RDFS}range`)
        expect(properties).toContain(subject.value);
    }
  });

  it('names no class of ours that it does not describe, and puts nothing above itself', () => {
    const described = new Set([...ours(`${RDFS}Class`), ...ours(`${RDF}Property`), TG]);
    for (const { subject, predicate, object } of quads) {
      if (object.termType === 'NamedNode' && object.value.startsWith(TG)) expect(described).toContain(object.value);
      if (predicate.value === `${RDFS}subClassOf` || predicate.value === `${RDFS}subPropertyOf`)
        expect(object.value).not.toBe(subject.value);
    }
  });

  it('has the terms of other vocabularies that ours are a kind of', () => {
    const wider = (name: string): string[] => [
      ...values(TG + name, `${RDFS}subPropertyOf`),
      ...values(TG + name, `${RDFS}subClassOf`),
    ];
    expect(wider('satisfies')).toEqual(['http://open-services.net/ns/rm#satisfies']);
    expect(wider('Tool')).toEqual([
      'https://schema.org/SoftwareApplication',
      'https://www.w3.org/2019/wot/td#ActionAffordance',
      'http://www.w3.org/ns/prov#Entity',
    ]);
    expect(wider('schema')).toEqual([`${prefixes.dcterms}conformsTo`]);
    expect(wider('Input')).toEqual([`${TG}Port`]);
  });

  it('gives a property of several classes the union of these', () => {
    const [union = ''] = values(`${TG}tier`, `${RDFS}domain`);
    expect(values(union, rdf.type)).toEqual([`${OWL}Class`]);
    const members: string[] = [];
    for (let cell = values(union, `${OWL}unionOf`)[0] ?? ''; cell !== rdf.nil; cell = values(cell, rdf.rest)[0] ?? '') {
      members.push(...values(cell, rdf.first));
    }
    expect(members).toEqual([classes.Tool, classes.View]);
  });

  it('gives each value of a Tool the range that it has', async () => {
    const all = tool({
      tier: 'stable',
      effect: 'read',
      openWorld: false,
      requiresConfirmation: true,
      requires: { network: true },
      selection: { cost: 'a minute' },
      alternativeTo: ['other'],
      remedies: [{ host: 'example.org', error: '429', tool: 'other' }],
      maintains: [{ source: 'a', artefact: 'b' }],
      renders: ['graph'],
    });
    const seen = new Set<string>();
    for (const { predicate, object } of (await ingest('graph/tools/a.json', all)).quads) {
      const [range = ''] = values(predicate.value, `${RDFS}range`);
      if (range === '') continue;
      seen.add(predicate.value);
      const isData = range === rdf.JSON || range.startsWith(XSD);
      expect([predicate.value, object.termType === 'Literal' ? object.datatype.value : 'node']).toEqual([
        predicate.value,
        isData ? range : 'node',
      ]);
    }
    expect(seen.size).toBeGreaterThan(20);
  });
});
