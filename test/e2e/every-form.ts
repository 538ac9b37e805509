import { contextIri, prefixes } from '../../src/store/vocabulary.js';
import { harnessExport, harnessTool } from '../ingest/harness-export.js';
import { makeInstance } from './harness.js';
import { type Instance, toolNode, typeIri } from './instance.js';

/** Of the instance that `everyForm` makes. */
export const base = 'https://example.org/instance/';

/** Documents of every form and kind, and Tools with every kind of field. */
export async function everyForm(): Promise<Instance> {
  const inputs = [
    { name: 'words', schema: typeIri('Word'), repeated: true, arg: { positional: 0 } },
    {
      name: 'text',
      schema: typeIri('Text'),
      description: 'What to read\n"as is" \u{1f600}\u202e',
      arg: { stdin: true },
    },
  ];
  const instance = await makeInstance([
    toolNode('plain', {
      io: { inputs, outputs: [{ name: 'out', schema: typeIri('Text'), from: { stdout: 'text' } }] },
      requiresConfirmation: true,
      selection: { cost: '1e-7', when: 'é"\\\u2028' },
      downstream: { z: [1, 1e-7, 1e21, -0.5, null], a: {} },
      remedies: [
        { host: 'example.org', error: '429', tool: 'in-yaml' },
        { error: '404', none: 'nothing helps' },
      ],
      maintains: [{ source: 'src', artefact: 'docs', format: 'html' }],
    }),
  ]);
  await instance.writeTypes({ Text: { type: 'string' } });
  const context = [contextIri, { note: { '@id': 'https://example.org/note', '@language': 'en' } }];
  await instance.write('graph/linked.jsonld', { '@context': context, ...toolNode('linked', { note: 'kept' }) });
  await instance.write('graph/many.jsonld', { '@context': contextIri, '@graph': [toolNode('one'), toolNode('two')] });
  await instance.write(
    'graph/a.yaml',
    '"@type": Tool\nid: in-yaml\ntitle: T\ndescription: D\ninvoke: {shell: "true"}\nio: {}\nsatisfies: [testing]\n',
  );
  await instance.write('graph/b.ttl', turtle('in-turtle'));
  await instance.write('graph/skills/testing.md', '---\nname: testing\ndescription: Test\n---\n\nText.\n');
  // What another document states of a Tool is merged at its home.
  await instance.write(
    'graph/more.ttl',
    `<${base}tool/one> <${prefixes.tg}effect> "read" ; <urn:x:seen> 1.0E-7 , 0.50 , 007 .\n`,
  );
  await instance.write('exports/harness.jsonld', harnessExport(harnessTool(toolNode('foreign'))));
  await instance.config({ base, folders: [{ path: 'graph' }, { path: 'exports', kind: 'export' }] });
  return instance;
}

function turtle(id: string): string {
  return `@prefix tg: <${prefixes.tg}> . @prefix dcterms: <${prefixes.dcterms}> .
<${base}tool/${id}> a tg:Tool ; dcterms:identifier "${id}" ; dcterms:title "T" ; dcterms:description "D" ;
  tg:invoke '{ "shell": "true" }'^^<${prefixes.rdf}JSON> ; tg:satisfies <${base}skill/testing> ;
  tg:inputs () ; tg:outputs () .
`;
}
