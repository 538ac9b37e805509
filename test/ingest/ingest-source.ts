import { createHash } from 'node:crypto';
import type { IngestedDocument, SourceFile } from '../../src/ingest/document.js';
import { type IngestContext, ingestDocument } from '../../src/ingest/ingest.js';

export const base = 'urn:toolgraph:test:';

export function sourceFile(
  path: string,
  content: string | Uint8Array | object,
  folderKind?: SourceFile['folderKind'],
): SourceFile {
  const bytes =
    content instanceof Uint8Array
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path, bytes, sha256, signature: '1:2:3:4', ...(folderKind === undefined ? {} : { folderKind }) };
}

export function ingest(
  path: string,
  content: string | Uint8Array | object,
  settings: Partial<IngestContext> & { folderKind?: SourceFile['folderKind'] } = {},
): Promise<IngestedDocument> {
  const { folderKind, ...context } = settings;
  return ingestDocument(sourceFile(path, content, folderKind), {
    base,
    allowIris: [],
    contexts: new Map(),
    ...context,
  });
}

/** A Tool that has every kind of key: texts, lists of ports, sets, nodes and JSON literals. */
export function tool(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 'readme-sync',
    title: 'Sync README sections',
    description: 'Rewrites the generated sections.',
    invoke: { shell: 'bun run readme:sync' },
    io: {
      inputs: [
        { name: 'only', schema: 'https://example.org/types#/$defs/Slug', arg: { flag: '--only' } },
        { name: 'path', schema: 'https://example.org/types#/$defs/Path', required: true, arg: { positional: 0 } },
      ],
      outputs: [{ name: 'report', schema: 'https://example.org/types#/$defs/Json', from: { stdout: 'json' } }],
    },
    satisfies: ['docs-generation'],
    ...changes,
  };
}

/** `subject predicate object` of each quad, with the IRIs cut to their last part, sorted. */
export function triples(document: IngestedDocument): string[] {
  return document.quads
    .map(({ subject, predicate, object }) => {
      const value = object.termType === 'Literal' ? JSON.stringify(object.value) : short(object.value);
      return `${short(subject.value)} ${predicate.value.split(/[#/]/).at(-1)} ${value}`;
    })
    .sort();
}

function short(iri: string): string {
  return iri.startsWith(base) ? iri.slice(base.length) : (iri.split('#').at(-1) ?? iri);
}

/** Code, line and column of each finding. */
export function places(document: IngestedDocument): (string | number | undefined)[][] {
  return document.diagnostics.map(({ code, line, column }) => [code, line, column]);
}

export function messages(document: IngestedDocument): string[] {
  return document.diagnostics.map(({ message }) => message);
}
