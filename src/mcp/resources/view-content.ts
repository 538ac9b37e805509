import { isTextual } from '../../media-type.js';
import type { ServedView } from '../../projection/view-state.js';
import { jsonStringBytes, resultBytesLimit } from '../../result-size.js';
import type { QueryResult, ResultTerm } from '../../store/query/graph-query.js';
import { XSD } from '../../store/vocabulary.js';
import type { GenerationMeta } from '../generation-meta.js';
import { ResourceFailure } from './resource-text.js';

/** What is read at the `uri` of a view that has a media type. */
export type ViewContents = { readonly uri: string; readonly mimeType: string; readonly _meta: GenerationMeta } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/**
 * The one value of an answer as content; undefined where there is no value, so that there is no such resource. Bytes are text where the media
 * type is text and they are UTF-8. Throws a ResourceFailure for more than one value, and for one that is too large. Pure.
 */
export function viewContent(
  { id }: Pick<ServedView, 'id'>,
  { uri, mimeType, _meta }: Pick<ViewContents, 'uri' | 'mimeType' | '_meta'>,
  result: QueryResult,
): ViewContents | undefined {
  if (result.kind !== 'bindings') throw new Error(`the view ${id} is a SELECT, and its answer is none`);
  const [row, ...others] = result.rows;
  const terms = [...(row?.values() ?? [])];
  if (others.length > 0 || terms.length > 1) {
    const found = others.length > 0 ? `${result.rows.length} rows` : `a row of ${terms.length} values`;
    throw new ResourceFailure('rows', `the view ${id} has ${found}; a resource with a media type is one value`);
  }
  const [term] = terms;
  if (term === undefined) return undefined;
  const bytes = bytesOf(term);
  const text = bytes === undefined ? term.value : isTextual(mimeType) ? textOf(bytes) : undefined;
  const blob = bytes?.toString('base64') ?? '';
  const size = text === undefined ? blob.length : jsonStringBytes(text);
  if (size > resultBytesLimit) {
    throw new ResourceFailure(
      'too_large',
      `the view ${id} takes ${size} bytes, and a message at most ${resultBytesLimit}`,
    );
  }
  return { uri, mimeType, ...(text === undefined ? { blob } : { text }), _meta };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The bytes of a literal that is bytes (XML Schema Part 2); white space in base64 is none of it. */
function bytesOf(term: ResultTerm): Buffer | undefined {
  if (term.termType !== 'Literal') return undefined;
  if (term.datatype.value === `${XSD}base64Binary`) return Buffer.from(term.value, 'base64');
  return term.datatype.value === `${XSD}hexBinary` ? Buffer.from(term.value, 'hex') : undefined;
}
