import type { JsonLdDocument, NodeObject, Options } from 'jsonld';
import { buildContext, contextIri } from '../store/vocabulary.js';
import type { PlainQuad } from './quad.js';
import { measureSets } from './set-size.js';

/** What the JSON-LD processor refused, in words for the author. `key` or `value` is what to look for in the source. */
export interface ExpansionFault {
  readonly code: 'unknown-context' | 'invalid-node';
  readonly message: string;
  readonly key?: string;
  readonly value?: string;
  /** No context maps `key`. */
  readonly isUnmapped?: true;
}

/** Loaded when a document first needs it (DESIGN decision 17). */
let processor: Pick<typeof import('jsonld'), 'expand' | 'toRDF'> | undefined;

const bundled = buildContext() as NodeObject;

/** Comparisons of values that are allowed for one document: some hundreds of milliseconds. */
const maxComparisons = 5_000_000;

/** What a JSON-LD document says. */
export interface Expanded {
  readonly quads: readonly PlainQuad[];
  /** The IRI of each node at the top, in the order of the document; undefined for one without. */
  readonly subjects: readonly (string | undefined)[];
}

/**
 * Expands a JSON-LD document whose contexts are resolved to quads: JSON-LD 1.1 API §8.1 in safe mode, in which anything that
 * would be dropped silently is an error. No base but what a context states, so that a relative IRI is one too; no network
 * (DESIGN decision 2). `isLarge` says that it has thousands of values, whose sets are then measured first.
 */
export async function expandToQuads(document: object, isLarge: boolean): Promise<Expanded | ExpansionFault> {
  processor ??= (await import('jsonld')).default;
  try {
    const expanded = await processor.expand(document as JsonLdDocument, options);
    if (isLarge) {
      const { comparisons, property, values } = measureSets(expanded);
      if (comparisons > maxComparisons) return { code: 'invalid-node', message: tooManyValues(property, values) };
    }
    const rest: Options.ToRdf = { ...options, skipExpansion: true };
    const quads = (await processor.toRDF(expanded as JsonLdDocument, rest)) as readonly PlainQuad[];
    return { quads, subjects: expanded.map((node) => (typeof node['@id'] === 'string' ? node['@id'] : undefined)) };
  } catch (error) {
    return explain(error);
  }
}

function tooManyValues(property: string, values: number): string {
  return (
    `the sets of values are too large (${values} of <${property}> at one node), because each value is compared with each; ` +
    'use a list or a JSON literal, or split the document'
  );
}

/** The same object with `tag: "static"` each time, so that jsonld processes the context once (DESIGN decision 13). */
async function loadBundled(url: string): Promise<LoadedDocument> {
  if (url !== contextIri) throw new Error('nothing is fetched');
  return { documentUrl: url, document: bundled, tag: 'static' };
}

/** `tag` is not in the types of jsonld; it documents it in its README, "Custom Document Loader". */
interface LoadedDocument {
  readonly documentUrl: string;
  readonly document: NodeObject;
  readonly tag: 'static';
}

const options: Options.ToRdf & { safe: true } = { safe: true, base: '', documentLoader: loadBundled };

interface JsonLdErrorDetails {
  readonly code?: string;
  readonly url?: string;
  readonly term?: string;
  readonly event?: { readonly code?: string; readonly message?: string; readonly details?: Record<string, unknown> };
}

function explain(error: unknown): ExpansionFault {
  if (!(error instanceof Error) || !error.name.startsWith('jsonld.')) throw error;
  const { code, url, term, event } = (error as Error & { details?: JsonLdErrorDetails }).details ?? {};
  if (event !== undefined) return explainDropped(event.code ?? '', event.message ?? '', event.details ?? {});
  if (url !== undefined) {
    const message = `the context ${JSON.stringify(url)} is not available, because nothing is fetched; use ${contextIri}`;
    return { code: 'unknown-context', message, value: url };
  }
  if (code === 'protected term redefinition' && term !== undefined) {
    const message = `@context redefines ${JSON.stringify(term)}, which the bundled context protects; use another term`;
    return { code: 'invalid-node', message, key: term };
  }
  if (code === 'invalid context nullification') {
    return {
      code: 'invalid-node',
      message: `@context holds null after ${contextIri}, which cannot be undone; remove the null`,
      key: '@context',
    };
  }
  const words = firstSentence(error.message);
  return {
    code: 'invalid-node',
    message: `JSON-LD: ${words}${code === undefined ? '' : ` (${code})`}; correct the node`,
    ...(term === undefined ? {} : { key: term }),
  };
}

/** Events of safe mode: what jsonld would have dropped. */
function explainDropped(code: string, message: string, details: Record<string, unknown>): ExpansionFault {
  if (code === 'invalid property') {
    const key = String(details.property);
    return {
      code: 'invalid-node',
      message: `no @context maps the key ${JSON.stringify(key)}, so it would be lost; map it, correct it or remove it`,
      key,
      isUnmapped: true,
    };
  }
  const found = details.id ?? details.type ?? details.object ?? details.predicate ?? details.subject;
  if (code.startsWith('relative ') && typeof found === 'string') {
    const what = code.includes('@type') ? 'the type' : 'the IRI';
    return {
      code: 'invalid-node',
      message: `${what} ${JSON.stringify(found)} is relative; write an absolute IRI${code.includes('@type') ? ' or a type that @context maps' : ''}`,
      value: found,
    };
  }
  return { code: 'invalid-node', message: `JSON-LD: ${firstSentence(message)} (${code}); correct or remove it` };
}

function firstSentence(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ');
  const end = line.indexOf('. ');
  return (end === -1 ? line : line.slice(0, end)).replace(/\.$/, '').slice(0, 200);
}
