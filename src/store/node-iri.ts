/** The IRIs of an instance's own nodes and documents (tool-node.md §1, "IRIs"). Pure. */

export function toolIri(base: string, id: string): string {
  return `${base}tool/${encodeURIComponent(id)}`;
}

export function skillIri(base: string, name: string): string {
  return `${base}skill/${encodeURIComponent(name)}`;
}

export function viewIri(base: string, id: string): string {
  return `${base}view/${encodeURIComponent(id)}`;
}

/** The named graph of a document. `path` is relative to the instance, with `/`. */
export function documentIri(base: string, path: string): string {
  return `${base}document/${encodedPath(path)}`;
}

/** The graph of the service's own that describes the nodes of a document of another vocabulary in ours. */
export function derivedIri(base: string, path: string): string {
  return `${base}derived/${encodedPath(path)}`;
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** The last part of an IRI, as it is written: what follows the last `/`, `#` or `:`. */
export function localName(iri: string): string {
  return iri.slice(Math.max(iri.lastIndexOf('/'), iri.lastIndexOf('#'), iri.lastIndexOf(':')) + 1);
}

/** A part of an IRI without percent-encoding, or as it is written where that encodes nothing. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The id in the IRI of a Tool, `<base>tool/<id>` or `…#tool/<id>`; undefined for another IRI. */
export function toolIdIn(iri: string): string | undefined {
  const encoded = /(?:^|[/:#])tool\/([^/#?]+)$/.exec(iri)?.[1];
  return encoded === undefined ? undefined : decodedPart(encoded);
}

/** The IRI of the Tool that an IRI is of, or is of a part of, such as `<base>tool/<id>/input/<name>`; undefined for another. */
export function toolIriIn(iri: string): string | undefined {
  return /^(?:.*?[/:#])?tool\/[^/#?]+/.exec(iri)?.[0];
}

/** What of an instance has IRIs that are made from names. */
export type NodeKind = 'tool' | 'skill' | 'view';

/**
 * The bare name behind an IRI of `<base><kind>/`, or the IRI itself where it is not of this instance, or is not spelt as we spell it:
 * two IRIs never have the same bare name.
 */
export function bareName(base: string, kind: NodeKind, iri: string): string {
  const start = `${base}${kind}/`;
  if (!iri.startsWith(start)) return iri;
  try {
    const name = decodeURIComponent(iri.slice(start.length));
    return `${start}${encodeURIComponent(name)}` === iri ? name : iri;
  } catch {
    return iri;
  }
}
