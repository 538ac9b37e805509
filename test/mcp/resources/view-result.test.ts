import fc from 'fast-check';
import jsonld from 'jsonld';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { resourceText } from '../../../src/mcp/resources/resource-text.js';
import { viewDocument } from '../../../src/mcp/resources/view-result.js';
import type { QueryResult, ResultQuad, ResultTerm } from '../../../src/store/query/graph-query.js';
import { buildContext, contextIri } from '../../../src/store/vocabulary.js';
import { rows, servedView } from './known-service.js';

const { namedNode, literal, blankNode, quad } = DataFactory;
const generation = { number: 1, digest: 'd' };

function textOf(result: QueryResult, format: 'jsonld' | 'markdown' = 'jsonld', ordered?: true): string {
  const view = servedView({ id: 'v', ...(ordered === undefined ? {} : { ordered }) });
  return resourceText('toolgraph://view/v', format, viewDocument(view, result, new Map([['skill', 'a|b']]))).text;
}

async function expanded(text: string): Promise<string> {
  const documentLoader = async (url: string) => {
    expect(url).toBe(contextIri);
    return { contextUrl: undefined, document: buildContext(), documentUrl: url };
  };
  return String(
    await jsonld.toRDF(JSON.parse(text), { format: 'application/n-quads', documentLoader: documentLoader as never }),
  );
}

const quadsResult = (quads: readonly unknown[]): QueryResult => ({
  kind: 'quads',
  generation,
  quads: quads as ResultQuad[],
});

describe('The answer of a view', () => {
  const xsd = 'http://www.w3.org/2001/XMLSchema#';
  const row = {
    tool: namedNode('urn:t:a') as never,
    name: literal('x|\n<b>') as never,
    n: literal('5', namedNode(`${xsd}integer`)) as never,
    big: literal('12345678901234567890', namedNode(`${xsd}integer`)) as never,
    on: literal('true', namedNode(`${xsd}boolean`)) as never,
    said: literal('hei', 'no') as never,
  };

  it('of a SELECT is rows of JSON-LD values, which our context makes triples of', async () => {
    const text = textOf(rows(['tool', 'name', 'n', 'big', 'on', 'said', 'none'], [row]));
    expect(JSON.parse(text)).toMatchObject({
      ...{ '@id': 'urn:toolgraph:demo:view/v', '@type': 'View', id: 'v' },
      variables: ['tool', 'name', 'n', 'big', 'on', 'said', 'none'],
      rows: [
        {
          ...{ tool: { '@id': 'urn:t:a' }, name: 'x|\n<b>', n: 5, on: true },
          big: { '@value': '12345678901234567890', '@type': `${xsd}integer` },
          said: { '@value': 'hei', '@language': 'no' },
        },
      ],
    });
    const quads = await expanded(text);
    expect(quads).toMatch(/_:\S+ <urn:toolgraph:demo:view\/v\/variable\/tool> <urn:t:a> \./);
    expect(quads).toContain('<urn:toolgraph:demo:view/v/variable/n> "5"^^<http://www.w3.org/2001/XMLSchema#integer>');
    expect(quads).toContain('<http://www.w3.org/1999/02/22-rdf-syntax-ns#first>');
  });

  it('is a table of Markdown in which text of a node stays text', () => {
    const page = textOf(rows(['tool', 'name'], [row]), 'markdown');
    expect(page).toContain('| urn:t:a | x\\|\\\\n\\<b\\> |');
    expect(page).toContain('- skill: a\\|b');
  });

  it('of an ASK is yes or no', () => {
    const result: QueryResult = { kind: 'boolean', generation, value: true };
    expect(JSON.parse(textOf(result))).toMatchObject({ answer: true });
    expect(textOf(result, 'markdown')).toContain('Yes.');
  });

  it('of a CONSTRUCT is the triples', async () => {
    const text = textOf(quadsResult([quad(namedNode('urn:s'), namedNode('urn:p'), literal('o'))]));
    expect(await expanded(text)).toBe('<urn:s> <urn:p> "o" .\n');
  });

  it('of many values of one property takes no time to the square of their number', () => {
    const many = Array.from({ length: 100_000 }, (_, i) =>
      quad(namedNode('urn:s'), namedNode('urn:p'), literal(`${i}`)),
    );
    expect(JSON.parse(textOf(quadsResult(many)))['@graph'][0]['urn:p']).toHaveLength(100_000);
  });

  it('is the same text for the same answer in another order, with other names of blank nodes', () => {
    const term = fc.oneof(
      fc.constantFrom('urn:a', 'urn:b').map((iri) => namedNode(iri)),
      fc.constantFrom('x', 'y').map((text) => literal(text)),
    );
    const node = fc.oneof(
      fc.constantFrom('urn:a', 'urn:b').map((iri) => namedNode(iri)),
      fc.nat(3).map((n) => blankNode(`b${n}`)),
    );
    const triple = fc.tuple(node, fc.constantFrom('urn:p', 'urn:q'), fc.oneof(term, node));
    fc.assert(
      fc.property(
        fc.array(triple, { maxLength: 8 }),
        fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
        (triples, keys) => {
          const made = (name: (label: string) => string) =>
            triples.map(([subject, predicate, object]) => {
              const named = (one: { termType: string; value: string }) =>
                one.termType === 'BlankNode' ? blankNode(name(one.value)) : one;
              return quad(named(subject) as never, namedNode(predicate), named(object) as never);
            });
          const other = made((label) => `z${3 - Number(label.slice(1))}`)
            .map((one, i) => ({ one, key: keys[i] ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one);
          const nodesOf = (text: string) => (JSON.parse(text)['@graph'] as unknown[]).length;
          const [first, second] = [textOf(quadsResult(made((label) => label))), textOf(quadsResult(other))];
          expect(nodesOf(second)).toBe(nodesOf(first));
          // Where blank nodes are alike, which of them is the first is nobody's to say.
          const areAlike = new Set(triples.flat().map((one) => JSON.stringify(one))).size < 3;
          if (!areAlike && triples.every(([subject]) => subject.termType !== 'BlankNode')) expect(second).toBe(first);
        },
      ),
    );
    const names = (labels: readonly string[]) => labels.map((id) => ({ id: literal(id) as never }));
    expect(textOf(rows(['id'], names(['b', 'a'])))).toBe(textOf(rows(['id'], names(['a', 'b']))));
    expect(textOf(rows(['id'], names(['b', 'a'])), 'jsonld', true)).not.toBe(
      textOf(rows(['id'], names(['a', 'b'])), 'jsonld', true),
    );
  });

  it('tells blank nodes apart by what is said of them', () => {
    const of = (first: string, second: string) => {
      const said = [
        [first, 'one'],
        [second, 'two'],
      ] as const;
      return quadsResult(said.map(([label, text]) => quad(blankNode(label), namedNode('urn:p'), literal(text))));
    };
    expect(textOf(of('x', 'y'))).toBe(textOf(of('y', 'x')));
    const merged = of('x', 'x');
    expect(textOf(merged)).not.toBe(textOf(of('x', 'y')));
  });

  it('keeps a literal that is not in the form of JSON as it is', () => {
    const odd: ResultTerm[] = ['05', '1e3', '-0'].map((text) => literal(text, namedNode(`${xsd}integer`)) as never);
    const [{ n } = { n: undefined }] = JSON.parse(textOf(rows(['n'], [{ n: odd[0] as never }]))).rows as {
      n: unknown;
    }[];
    expect(n).toEqual({ '@value': '05', '@type': `${xsd}integer` });
  });
});
