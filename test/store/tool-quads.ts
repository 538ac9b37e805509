import { createHash } from 'node:crypto';
import type { Quad } from '@rdfjs/types';
import jsonld from 'jsonld';
import type { ToolDocument } from '../../schemas/tool.js';
import type { IngestedDocument } from '../../src/ingest/document.js';
import type { PlainQuad } from '../../src/ingest/quad.js';
import { skolemise } from '../../src/ingest/skolemise.js';
import type { DocumentWrite } from '../../src/store/graph-store.js';
import { lift } from '../../src/store/lift.js';
import { documentIri, skillIri, toolIri } from '../../src/store/node-iri.js';
import { buildContext } from '../../src/store/vocabulary.js';

export const base = 'urn:toolgraph:test:';

const context = buildContext()['@context'];

/** A JSON-LD node of the bundled context to the skolemised quads of a document graph, with jsonld itself. */
export async function quadsOf(node: Record<string, unknown>, path = 'graph/node.json'): Promise<Quad[]> {
  const quads = await jsonld.toRDF(
    { '@context': context, ...node } as object,
    {
      safe: true,
      documentLoader: refuse,
    } as jsonld.Options.ToRdf,
  );
  return skolemise(quads as unknown as PlainQuad[], documentIri(base, path));
}

async function refuse(url: string): Promise<never> {
  throw new Error(`no network: ${url}`);
}

/** A Tool document with its bare names made IRIs, as ingest does before expansion. */
export function toolNode(tool: ToolDocument): Record<string, unknown> {
  const reference = (kind: typeof toolIri) => (name: string) => (name.includes(':') ? name : kind(base, name));
  return {
    ...tool,
    '@id': toolIri(base, tool.id),
    '@type': 'Tool',
    satisfies: tool.satisfies.map(reference(skillIri)),
    ...(tool.deprecated === undefined ? {} : { deprecated: withReplacement(tool.deprecated, reference(toolIri)) }),
    ...(tool.alternativeTo === undefined ? {} : { alternativeTo: tool.alternativeTo.map(reference(toolIri)) }),
    ...(tool.remedies === undefined
      ? {}
      : { remedies: tool.remedies.map((remedy) => withTool(remedy, reference(toolIri))) }),
  };
}

function withReplacement<T extends { replacedBy?: string | undefined }>(
  deprecated: T,
  refer: (name: string) => string,
): T {
  const { replacedBy } = deprecated;
  return replacedBy === undefined ? deprecated : { ...deprecated, replacedBy: refer(replacedBy) };
}

function withTool<T extends { tool?: string | undefined }>(remedy: T, refer: (name: string) => string): T {
  return remedy.tool === undefined ? remedy : { ...remedy, tool: refer(remedy.tool) };
}

export function smallTool(id: string, description = `What ${id} does`): ToolDocument {
  return {
    id,
    title: `Tool ${id}`,
    description,
    invoke: { shell: `run ${id}` },
    io: {
      inputs: [
        { name: 'path', schema: 'https://example.org/types#/$defs/Path', required: true, arg: { positional: 0 } },
        { name: 'only', schema: 'https://example.org/types#/$defs/Slug', repeated: true, arg: { flag: '--only' } },
      ],
      outputs: [{ name: 'report', schema: 'https://example.org/types#/$defs/Text', from: { stdout: 'text' } }],
    },
    satisfies: ['reporting', 'checking'],
  };
}

/** What the service hands to `putDocuments` for a file that holds one Tool. */
export async function write(
  path: string,
  tool: ToolDocument,
  expected: string | undefined,
  signature = `sig ${digest(JSON.stringify(tool))}`,
): Promise<DocumentWrite> {
  return writeOf(path, await quadsOf(toolNode(tool), path), JSON.stringify(tool), expected, signature);
}

export function writeOf(
  path: string,
  quads: readonly Quad[],
  text: string,
  expected: string | undefined,
  signature: string,
): DocumentWrite {
  const pointers = new Map([...new Set(quads.map(({ subject }) => subject.value))].map((iri) => [iri, '']));
  const document: IngestedDocument = {
    path,
    sha256: digest(text),
    kind: 'nodes',
    quads,
    pointers,
    diagnostics: [],
    broken: [],
  };
  return { document, lifted: lift(quads, base, path, pointers), signature, expected };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
