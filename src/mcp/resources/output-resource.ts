import type { KeptOutput } from '../../invocation/kept-outputs.js';
import { jsonStringBytes, resultBytesLimit } from '../../result-size.js';
import type { Service } from '../../service.js';
import type { ResourceListing, ResourceTemplate } from './resource-list.js';
import { scheme } from './resource-uri.js';

/** The kind of the resources that outputs are. */
export const outputKind = 'output';
/** Begins the URI of an output that is kept; the id of its call follows. */
export const outputPrefix = `${scheme}${outputKind}/`;
/** Key in the `_meta` of a part of an output: the URI of the next part. */
export const nextPartKey = 'toolgraph/next';

/** An output that was cut, or a part of it: text, or base64 where it is not UTF-8 or would take too much of a message as text. */
export type OutputContents = { readonly uri: string; readonly _meta?: { readonly [nextPartKey]: string } } & (
  | { readonly mimeType: 'text/plain'; readonly text: string }
  | { readonly mimeType: 'application/octet-stream'; readonly blob: string }
);

/** The outputs, as `resources/templates/list` has them. */
export const outputTemplate: ResourceTemplate = {
  uriTemplate: `${outputPrefix}{call}{?from}`,
  name: 'output',
  description:
    'The output of a call that was cut, by the id of the call, as long as it is kept; from: the byte at which to begin',
};

/**
 * The contents of an output: as much as one message takes, from the beginning or the byte that the URI names. `_meta` has the URI of what
 * follows. Undefined for a URI that is none, and when the output is not kept any more.
 */
export async function readOutput(service: Pick<Service, 'outputs'>, uri: string): Promise<OutputContents | undefined> {
  const { call, from } = /^toolgraph:\/\/output\/(?<call>[^?]+)(?:\?from=(?<from>\d{1,15}))?$/.exec(uri)?.groups ?? {};
  if (call === undefined) return undefined;
  const begin = Number(from ?? 0);
  const piece = await service.outputs.read(call, begin);
  if (piece === undefined) return undefined;
  const { bytes, isLast, isWhole } = piece;
  const text = textOf(bytes, isLast && isWhole);
  const taken = text === undefined ? bytes.length : Buffer.byteLength(text);
  const next = isLast ? {} : { _meta: { [nextPartKey]: `${outputPrefix}${call}?from=${begin + taken}` } };
  if (text !== undefined) return { uri, mimeType: 'text/plain', text, ...next };
  return { uri, mimeType: 'application/octet-stream', blob: Buffer.from(bytes).toString('base64'), ...next };
}

/** Undefined where it is not UTF-8, or a message does not take it. Of bytes that are not the end, a code point that is not whole is left. */
function textOf(bytes: Uint8Array, isEnd: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !isEnd });
    return jsonStringBytes(text) > resultBytesLimit || (text === '' && bytes.length > 0) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** An output as `resources/list` and the link in a result have it. */
export function outputListing({ call, tool, bytes, isWhole }: KeptOutput): ResourceListing {
  return {
    uri: `${outputPrefix}${call}`,
    name: `output of ${tool}`,
    description: `${isWhole ? 'The whole output' : `The first ${bytes} bytes of the output`} of one call of ${tool}, which was cut`,
    mimeType: 'text/plain',
    size: bytes,
  };
}
