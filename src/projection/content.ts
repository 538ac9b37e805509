import { contentKind, isMediaType, isTextual } from '../media-type.js';
import type { Binding, OutputContent, StdoutOutput } from './generation.js';
import { outputSchema } from './output-schema.js';
import type { OutputPort } from './ports.js';

type PortSchema = OutputPort['schema'];

/**
 * The content that an output is whose type has a media type (`contentMediaType` of JSON Schema 2020-12, §8.4), or what keeps it from being one.
 * Undefined for a type that has none, or whose values are no strings: there JSON Schema gives it no meaning.
 */
export function contentOf(
  { type, contentMediaType: mediaType, contentEncoding: encoding }: PortSchema,
  format: StdoutOutput['format'],
): OutputContent | { readonly fault: string } | undefined {
  if (type !== 'string' || typeof mediaType !== 'string') return undefined;
  if (!isMediaType(mediaType)) {
    return { fault: `"contentMediaType" is ${JSON.stringify(mediaType)}; expected a media type, such as image/png` };
  }
  if (encoding !== undefined && encoding !== 'base64') {
    return { fault: `"contentEncoding" is ${JSON.stringify(encoding)}; expected base64, or none` };
  }
  const kind = contentKind(mediaType);
  if (encoding === 'base64') return { kind, mediaType, form: 'base64' };
  // A string of JSON is text, whatever it is the text of.
  return { kind, mediaType, form: format === 'json' || isTextual(mediaType) ? 'text' : 'bytes' };
}

/**
 * The binding with what each output of a process is as content. As soon as one is content, no output is part of an outputSchema: hosts that
 * are given `structuredContent` show nothing else to their model.
 */
export function withContent(binding: Binding, ports: readonly OutputPort[]): Binding {
  if (binding.arm === 'inProcess' || binding.outputs === undefined) return binding;
  const schemas = new Map(ports.map(({ output, schema }) => [output.name, schema]));
  const read = (output: StdoutOutput): StdoutOutput => {
    const schema = schemas.get(output.name);
    const content = schema === undefined ? undefined : contentOf(schema, output.format);
    return content === undefined || 'fault' in content ? output : { ...output, content };
  };
  const [first, ...others] = binding.outputs;
  const outputs = [read(first), ...others.map(read)] as const;
  if (outputs.every(({ content }) => content === undefined)) return binding;
  const bytes = new Set(outputs.filter(({ content }) => content?.form === 'bytes').map(({ name }) => name));
  return { ...binding, outputs, valueSchema: outputSchema(ports.filter(({ output }) => !bytes.has(output.name))) };
}
