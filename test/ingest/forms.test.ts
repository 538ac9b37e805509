import jsonld from 'jsonld';
import { DataFactory, Parser, Writer } from 'n3';
import { canonize } from 'rdf-canonize';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { IngestedDocument } from '../../src/ingest/document.js';
import { contextIri } from '../../src/store/vocabulary.js';
import { exportBase, harnessExport, harnessTool } from './harness-export.js';
import { base, ingest } from './ingest-source.js';

const types = 'https://example.org/types#/$defs/';

/** A Tool with every kind of value: each kind of input, an output, sets of nodes and JSON literals. */
const tool = {
  id: 'page-check',
  title: 'Check pages',
  description: 'Checks the pages of a site.\nSays which "links" are broken.',
  version: '1.2.0',
  tier: 'deprecated',
  deprecated: { reason: 'slow', replacedBy: 'page-scan' },
  effect: 'read',
  idempotent: true,
  invoke: { shell: 'page-check --quiet' },
  io: {
    inputs: [
      { name: 'only', schema: `${types}Slug`, repeated: true, arg: { flag: '--only', joined: true } },
      { name: 'root', schema: `${types}Path`, required: true, description: 'Where to begin', arg: { positional: 0 } },
      { name: 'list', schema: `${types}Text`, arg: { stdin: true } },
    ],
    outputs: [{ name: 'report', schema: `${types}Json`, from: { stdout: 'json', pointer: '/report' } }],
  },
  satisfies: ['site-check', 'https://example.org/skills/links'],
  requires: { os: ['linux'], network: true },
  when: { exists: ['site'] },
  limits: { timeoutMs: 60_000 },
  selection: { when: 'before a release', cost: 'a minute' },
  alternativeTo: ['page-scan'],
  remedies: [{ host: 'example.org', error: '429', tool: 'page-wait' }, { none: 'nothing else helps' }],
  maintains: [{ source: 'site', artefact: 'docs/links.html', format: 'html' }],
  renders: ['page'],
  subprocesses: ['fetch'],
  downstream: { z: [1, 1e-7, 1e21, null], a: { 'é"\\': '\u2028' } },
};

const statements = `
<${base}tool/page-check> a tg:Tool ;
  dct:identifier "page-check" ; dct:title "Check pages" ; schema:softwareVersion "1.2.0" ;
  dct:description """Checks the pages of a site.
Says which "links" are broken.""" ;
  tg:tier "deprecated" ; tg:deprecated '''{ "replacedBy": "${base}tool/page-scan", "reason": "slow" }'''^^rdf:JSON ;
  tg:effect "read" ; td:isIdempotent true ;
  tg:invoke '{"shell": "page-check --quiet"}'^^rdf:JSON ;
  tg:inputs (
    [ schema:name "only" ; tg:schema <${types}Slug> ; tg:repeated true ; tg:arg [ tg:flag "--only" ; tg:joined true ] ]
    [ tg:arg [ tg:positional 0 ] ; schema:name "root" ; tg:schema <${types}Path> ; tg:required true ; dct:description "Where to begin" ]
    _:list
  ) ;
  tg:outputs ( [ schema:name "report" ; tg:schema <${types}Json> ; tg:from '{"pointer":"\\\\u002freport", "stdout":"json"}'^^rdf:JSON ] ) ;
  tg:satisfies <${base}skill/site-check> , <https://example.org/skills/links> ;
  tg:requires '{"os":["linux"], "network":true}'^^rdf:JSON ;
  tg:when '{"exists":["site"]}'^^rdf:JSON ;
  tg:limits '{"timeoutMs":6.0e4}'^^rdf:JSON ;
  tg:selection '{"when":"before a release","cost":"a minute"}'^^rdf:JSON ;
  tg:alternativeTo <${base}tool/page-scan> ;
  tg:remedy [ tg:none "nothing else helps" ] , [ tg:host "example.org" ; tg:error "429" ; tg:tool <${base}tool/page-wait> ] ;
  tg:maintains [ tg:source "site" ; tg:artefact "docs/links.html" ; dct:format "html" ] ;
  tg:renders "page" ; tg:subprocess "fetch" ;
  tg:downstream '{"z": [1, 1e-7, 1e21, null], "a": {"é\\\\"\\\\\\\\": "\\\\u2028"}}'^^rdf:JSON .
_:list schema:name "list" ; tg:schema <${types}Text> ; tg:arg [ tg:stdin true ] .
`;

const prefixes = `@prefix tg: <https://w3id.org/toolgraph/ns#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix schema: <https://schema.org/> .
PREFIX td: <https://www.w3.org/2019/wot/td#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
`;
const turtle = prefixes + statements;

/** Written by n3 from what it reads of the Turtle; `graph` puts each triple into a graph of its own. */
function lines(format: string, graph: boolean): string {
  const quads = new Parser().parse(turtle);
  const writer = new Writer({ format });
  const { quad, namedNode, defaultGraph } = DataFactory;
  for (const [i, { subject, predicate, object }] of quads.entries()) {
    writer.addQuad(quad(subject, predicate, object, graph ? namedNode(`urn:graph:${i % 3}`) : defaultGraph()));
  }
  let written = '';
  writer.end((_, text) => {
    written = text;
  });
  return written;
}

const forms: readonly (readonly [string, string, string | object])[] = [
  ['plain JSON', 'a.json', { '@type': 'Tool', ...tool }],
  ['JSON-LD with its context', 'a.jsonld', { '@context': contextIri, '@type': 'Tool', ...tool }],
  ['YAML-LD', 'a.yaml', stringify({ '@type': 'Tool', ...tool })],
  ['YAML-LD with a context', 'a.yml', stringify({ '@context': contextIri, '@type': 'Tool', ...tool })],
  ['one node of a @graph', 'a.jsonld', { '@context': contextIri, '@graph': [{ '@type': 'Tool', ...tool }] }],
  ['Turtle', 'a.ttl', turtle],
  ['TriG', 'a.trig', `${prefixes}<urn:graph> {${statements}}`],
  ['N-Triples', 'a.nt', lines('application/n-triples', false)],
  ['N-Quads', 'a.nq', lines('application/n-quads', true)],
];

describe('One Tool', () => {
  it.each(forms)('as %s gives the same quads', async (_, name, content) => {
    const document = await ingest(`graph/${name}`, content);
    expect(document.diagnostics).toEqual([]);
    expect(document).toMatchObject({ kind: 'nodes', broken: [] });
    const plain = await ingest('graph/plain.json', { '@type': 'Tool', ...tool });
    expect(triples(document)).toEqual(triples(plain));
    expect(await canonical(document)).toBe(await canonical(plain));
  });

  it('has the quads that a person writes, and each once', async () => {
    const document = await ingest('graph/plain.json', { '@type': 'Tool', ...tool });
    expect(document.quads).toHaveLength(new Parser().parse(turtle).length);
    expect(new Set(triples(document)).size).toBe(document.quads.length);
  });
});

describe("One Tool of a harness's export", () => {
  const exported = harnessExport(harnessTool(tool));

  it.each([
    ['JSON-LD', 'graph.jsonld', exported],
    ['YAML-LD', 'graph.yaml', stringify(exported)],
    ['N-Quads', 'graph.nq', undefined],
  ])('as %s is described in our vocabulary with the same quads', async (_, name, content) => {
    const text = content ?? ((await jsonld.toRDF(exported, { format: 'application/n-quads' })) as unknown as string);
    const document = await ingest(`harness/${name}`, text, { base: exportBase, folderKind: 'export' });
    expect(document.diagnostics).toEqual([]);
    const plain = await ingest('graph/plain.json', { '@type': 'Tool', ...tool }, { base: exportBase });
    expect(await canonical({ ...document, quads: document.derived ?? [] })).toBe(await canonical(plain));
  });
});

/** Each triple as text, sorted. The graph is the document, whose name differs. */
function triples({ quads }: IngestedDocument): string[] {
  return quads
    .map(({ subject, predicate, object }) =>
      JSON.stringify([
        subject.value,
        predicate.value,
        object.termType,
        object.value,
        ...(object.termType === 'Literal' ? [object.datatype.value, object.language] : []),
      ]),
    )
    .sort();
}

function canonical({ quads }: IngestedDocument): Promise<string> {
  const { quad, defaultGraph } = DataFactory;
  const inDefault = quads.map(({ subject, predicate, object }) => quad(subject, predicate, object, defaultGraph()));
  return canonize(inDefault, { algorithm: 'RDFC-1.0', format: 'application/n-quads' });
}
