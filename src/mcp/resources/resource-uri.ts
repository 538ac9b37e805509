/** Begins every URI of a resource of toolgraph. */
export const scheme = 'toolgraph://';

/** A URI of ours in its parts, without percent-encoding. */
export interface ResourceAddress {
  /** What kind of resource it is: `tools`, `tool`, `view`… */
  readonly kind: string;
  /** What follows the kind: the id of a Tool, the name of a skill… */
  readonly name?: string;
  readonly params: ReadonlyMap<string, string>;
}

/** The address in a URI; undefined for one that is none of ours, or gives a parameter twice. Pure. */
export function parseResourceUri(uri: string): ResourceAddress | undefined {
  const [, kind, encoded, query] = /^toolgraph:\/\/([a-z]+)(?:\/([^/?#]+))?(?:\?([^#]*))?$/.exec(uri) ?? [];
  if (kind === undefined) return undefined;
  try {
    const params = new Map<string, string>();
    for (const pair of query === undefined || query === '' ? [] : query.split('&')) {
      const [key = '', value = ''] = pair.split(/=(.*)/s, 2).map(decodeURIComponent);
      if (params.has(key)) return undefined;
      params.set(key, value);
    }
    return { kind, ...(encoded === undefined ? {} : { name: decodeURIComponent(encoded) }), params };
  } catch {
    return undefined;
  }
}

/** The URI of a resource. A name and values may hold any characters. */
export function resourceUri(kind: string, name?: string, params: Iterable<readonly [string, string]> = []): string {
  const query = Array.from(params, ([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
  const path = name === undefined ? '' : `/${encode(name)}`;
  return `${scheme}${kind}${path}${query === '' ? '' : `?${query}`}`;
}

/** As an RFC 6570 template encodes a value: everything but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
