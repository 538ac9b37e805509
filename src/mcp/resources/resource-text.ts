import { formatParameter } from '../../../schemas/view.js';
import { jsonStringBytes, resultBytesLimit } from '../../result-size.js';
import { contextIri } from '../../store/vocabulary.js';
import type { GenerationMeta } from '../generation-meta.js';
import type { ResourceAddress } from './resource-uri.js';

/** What reading one resource gives. */
export interface ResourceText {
  readonly uri: string;
  readonly mimeType: 'application/ld+json' | 'text/markdown';
  readonly text: string;
  readonly _meta?: GenerationMeta;
}

/** One resource in both of its forms, of which one is asked for. */
export interface ResourceDocument {
  /** Without `@context`; what the context does not map is no statement of the graph, and a processor leaves it out. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What stands beside our context: a second one for keys that only this resource has. */
  readonly context?: Readonly<Record<string, unknown>>;
  markdown(): string;
}

/** What is wrong with what a URI, or a call of the state tool, asks for. The message names it, and is one line. */
export class ResourceRequestError extends Error {
  override readonly name = 'ResourceRequestError';
  readonly code = 'invalid_params';
}

/** A resource that is there and cannot be given now. */
export class ResourceFailure extends Error {
  override readonly name = 'ResourceFailure';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The form that an address asks for: JSON-LD, unless it says `format=markdown`. */
export function formatOf({ params }: Pick<ResourceAddress, 'params'>): 'jsonld' | 'markdown' {
  const format = params.get(formatParameter) ?? 'jsonld';
  if (format === 'jsonld' || format === 'markdown') return format;
  throw new ResourceRequestError(
    `${formatParameter}: expected "jsonld" or "markdown", found ${JSON.stringify(format)}`,
  );
}

/**
 * The text of a resource in the form that is asked for. One read gives one form: a client puts all contents of a read before its model, which
 * would pay for both. Throws a ResourceFailure when it is larger than a message may be.
 */
export function resourceText(
  uri: string,
  format: 'jsonld' | 'markdown',
  document: ResourceDocument,
  meta?: GenerationMeta,
): ResourceText {
  const _meta = meta === undefined ? {} : { _meta: meta };
  if (format === 'markdown') return { uri, mimeType: 'text/markdown', text: bounded(document.markdown()), ..._meta };
  const { json, context } = document;
  const whole = { '@context': context === undefined ? contextIri : [contextIri, context], ...json };
  return { uri, mimeType: 'application/ld+json', text: bounded(JSON.stringify(whole, undefined, 2)), ..._meta };
}

function bounded(text: string): string {
  const bytes = jsonStringBytes(text);
  if (bytes <= resultBytesLimit) return text;
  const words = `this resource takes ${bytes} bytes, and a message at most ${resultBytesLimit}; ask for less: a parameter, a LIMIT in the query of the view, or one of its items`;
  throw new ResourceFailure('too_large', words);
}
