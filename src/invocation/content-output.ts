import { isUtf8 } from 'node:buffer';
import type { ContentBlock } from '../../schemas/content-block.js';
import type { JsonSchema } from '../../schemas/declaration.js';
import { isTextual } from '../media-type.js';
import type { Entry, StdoutOutput } from '../projection/generation.js';
import { jsonStringBytes, resultBytesLimit } from '../result-size.js';
import type { CapturedText } from './output.js';
import type { Issue } from './refusal.js';
import {
  keptText,
  mismatch,
  type OutputEntry,
  outputIssues,
  readOutputs,
  type UnfitOutput,
} from './structured-output.js';

/** stdout of one process: its bytes, and what they are as text. */
export interface CapturedOutput extends CapturedText {
  readonly bytes: Buffer;
}

/** A block for each output, in their order, and the text of those that are text. */
export interface Content {
  readonly content: readonly ContentBlock[];
  readonly text: string;
}

/**
 * The outputs of a Tool as blocks of content, where at least one has a media type: an image, audio, or a resource whose URI is the IRI of the
 * output in the graph. The others are blocks of text. `limitBytes` is what stdout was capped at. Pure but for the compiled schemas.
 */
export async function contentOutput(
  entry: OutputEntry & Pick<Entry, 'iri'>,
  { outputs, valueSchema }: { readonly outputs: readonly StdoutOutput[]; readonly valueSchema: JsonSchema },
  captured: CapturedOutput,
  limitBytes: number,
): Promise<Content | UnfitOutput> {
  // What is no text says nothing in an error.
  const raw = captured.invalidUtf8 === true ? {} : { stdout: keptText(captured.text) };
  const read = readOutputs(outputs, captured, limitBytes);
  if ('fault' in read) {
    const message = `The output of ${entry.id} ${read.fault}`;
    return { code: 'output_not_json', message, details: { ...read.place, ...raw } };
  }
  const unfit = (issues: readonly Issue[]): UnfitOutput =>
    mismatch(entry, issues, { expected: 'what the types of its outputs say', cut: '', raw });
  const given = outputs.flatMap((output) => {
    const value = read.value[output.name];
    return value === undefined ? [] : [{ ...output, value: withoutBreaks(output, value) }];
  });
  const values = given
    .filter(({ content }) => content?.form !== 'bytes')
    .map(({ name, value }) => [name, value] as const);
  const checked = { value: Object.fromEntries(values), missing: read.missing };
  const issues = await outputIssues(entry, valueSchema, checked, (characters) =>
    characters > resultBytesLimit ? { path: '', message: tooLarge(`${characters} characters`) } : undefined,
  );
  if (issues.length > 0) return unfit(issues);
  const content: ContentBlock[] = [];
  for (const output of given) {
    const uri = encodeURI(`${entry.iri}/output/${output.name}`);
    const made = contentBlock(output, captured, { uri, limitBytes });
    if ('fault' in made) return unfit([{ path: `/${output.name}`, message: made.fault }]);
    content.push(made.block);
  }
  const size = content.reduce((sum, block) => sum + blockBytes(block), 0);
  if (size > resultBytesLimit) return unfit([{ path: '', message: tooLarge(`${size} bytes`) }]);
  return { content, text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n') };
}

/** Programs break base64 into lines (RFC 2045), which no value of it has. */
function withoutBreaks({ content }: StdoutOutput, value: unknown): unknown {
  return content?.form === 'base64' && typeof value === 'string' ? value.replace(/\s+/g, '') : value;
}

/** The block of one output. Of content `value` is a string that its type takes, or stands for the bytes of stdout. */
function contentBlock(
  { content, value }: Pick<StdoutOutput, 'content'> & { readonly value: unknown },
  captured: CapturedOutput,
  { uri, limitBytes }: { readonly uri: string; readonly limitBytes: number },
): { readonly block: ContentBlock } | { readonly fault: string } {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (content === undefined) return { block: { type: 'text', text } };
  const { kind, mediaType, form } = content;
  const isText = form === 'text' && captured.invalidUtf8 !== true;
  if (!isText && captured.truncated) {
    return { fault: `was cut after ${limitBytes} bytes; print less, or raise limits.outputBytes of the node` };
  }
  if (form === 'base64' && !isBase64(text)) return { fault: 'is not base64 (RFC 4648), as its contentEncoding says' };
  const bytes = isText ? Buffer.from(text) : form === 'base64' ? Buffer.from(text, 'base64') : captured.bytes;
  if (kind !== 'resource') {
    if (bytes.length === 0) return { fault: `is empty; expected ${mediaType}` };
    return { block: { type: kind, data: bytes.toString('base64'), mimeType: mediaType } };
  }
  const body =
    isTextual(mediaType) && isUtf8(bytes) ? { text: bytes.toString('utf8') } : { blob: bytes.toString('base64') };
  return { block: { type: 'resource', resource: { uri, mimeType: mediaType, ...body } } };
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** What a block takes of a message, its few short words aside. */
function blockBytes(block: ContentBlock): number {
  if (block.type === 'text') return jsonStringBytes(block.text);
  if (block.type === 'image' || block.type === 'audio') return block.data.length;
  if (block.type !== 'resource') return 0;
  return 'text' in block.resource ? jsonStringBytes(block.resource.text) : block.resource.blob.length;
}

function tooLarge(size: string): string {
  return `takes ${size} of a result, where bytes are base64; at most ${resultBytesLimit} bytes fit, so print less`;
}
