const token = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}';
const mediaType = new RegExp(`^${token}/${token}(?:[ \\t]*;[ \\t]*[\\x20-\\x7e]*)?$`);

/** Whether a text is a media type (RFC 6838, §4.2), with parameters or without. */
export function isMediaType(text: string): boolean {
  return text.length <= 512 && mediaType.test(text);
}

/** Media types outside of `text/` whose content is text all the same. */
const textual = new Set(
  [
    'ecmascript',
    'graphql',
    'javascript',
    'json',
    'n-quads',
    'n-triples',
    'sparql-query',
    'sql',
    'toml',
    'trig',
    'x-ndjson',
  ]
    .concat(['x-sh', 'xml', 'yaml'])
    .map((subtype) => `application/${subtype}`),
);

/** Whether content of a media type is text: by its type, or by the suffix of its subtype (RFC 6839). */
export function isTextual(mediaType: string): boolean {
  const type = essence(mediaType);
  return type.startsWith('text/') || /\+(?:json|xml|yaml)$/.test(type) || textual.has(type);
}

/** The kind of content that MCP has for a media type. */
export function contentKind(mediaType: string): 'image' | 'audio' | 'resource' {
  const [type] = essence(mediaType).split('/', 1);
  return type === 'image' || type === 'audio' ? type : 'resource';
}

function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
