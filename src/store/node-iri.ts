/** The IRIs of an instance's own nodes and documents (tool-node.md §1, "IRIs"). Pure. */

export function toolIri(base: string, id: string): string {
  return `${base}tool/${encodeURIComponent(id)}`;
}

export function skillIri(base: string, name: string): string {
  return `${base}skill/${encodeURIComponent(name)}`;
}

/** The named graph of a document. `path` is relative to the instance, with `/`. */
export function documentIri(base: string, path: string): string {
  return `${base}document/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The graph of the service's own that describes the nodes of a document of another vocabulary in ours. */
export function derivedIri(base: string, path: string): string {
  return `${base}derived/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The id in the IRI of a Tool, `<base>tool/<id>` or `…#tool/<id>`; undefined for another IRI. */
export function toolIdIn(iri: string): string | undefined {
  const encoded = /(?:^|[/:#])tool\/([^/#?]+)$/.exec(iri)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/**
 * The bare name behind an IRI of `<base><kind>/`, or the IRI itself where it is not of this instance, or is not spelt as we spell it:
 * two IRIs never have the same bare name.
 */
export function bareName(base: string, kind: 'tool' | 'skill', iri: string): string {
  const start = `${base}${kind}/`;
  if (!iri.startsWith(start)) return iri;
  try {
    const name = decodeURIComponent(iri.slice(start.length));
    return `${start}${encodeURIComponent(name)}` === iri ? name : iri;
  } catch {
    return iri;
  }
}
