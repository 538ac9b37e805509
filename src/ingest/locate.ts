import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Place } from '../diagnostic.js';
import { realPath } from '../instance/containment.js';
import { readSettledFile } from '../instance/signature.js';
import type { Position } from '../text-position.js';
import { decodeText } from './decode.js';
import { type Format, formatOf } from './document-kind.js';
import { positionsOf, type SourcePositions } from './position.js';

/** Larger documents keep only the pointer; see the limit in `positionsOf`. */
const maxBytes = 2 * 1024 * 1024;

/** Formats whose documents are trees. */
const hasPointers: ReadonlySet<Format> = new Set(['json', 'yaml']);

/**
 * Finds the place of a pointer in a document of the instance. Each document is read and parsed once, however many findings it has.
 * Undefined where there is none.
 */
export function createLocator(root: string): (place: Place) => Position | undefined {
  const documents = new Map<string, SourcePositions | undefined>();
  return ({ document, pointer }) => {
    if (document === undefined || pointer === undefined || !hasPointers.has(formatOf(document))) return undefined;
    if (!documents.has(document)) documents.set(document, readPositions(pathOf(root, document)));
    const positions = documents.get(document);
    return positions && locate(positions, pointer);
  };
}

/** Keys that a document may spell in another way (tool-node.md §1); a node that was lifted has one spelling. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ['description', 'summary'],
  ['effect', 'type'],
]);

function locate(positions: SourcePositions, pointer: string): Position | undefined {
  const position = positions.locate(pointer);
  const end = pointer.lastIndexOf('/');
  const other = otherSpellings.get(pointer.slice(end + 1));
  const parent = pointer.slice(0, Math.max(end, 0));
  // What is not written has the place of what it would be in.
  if (other === undefined || !isDeepStrictEqual(position, positions.locate(parent))) return position;
  return positions.locate(`${parent}/${other}`);
}

/** The findings, with line and column where only the pointer was known: lines exist in the file only, not in the graph. */
export function locateFindings<T extends Place>(findings: readonly T[], root: string): T[] {
  const locate = createLocator(root);
  return findings.map((finding) => (finding.line === undefined ? { ...finding, ...locate(finding) } : finding));
}

/** Not normalised: a document of an included instance is named by a path that can be absolute, or go up through a link. */
function pathOf(root: string, document: string): string {
  return isAbsolute(document) ? document : `${realPath(root) ?? root}/${document}`;
}

/** The document may have changed or gone since it was ingested: then a finding has no line, and that is all. */
function readPositions(path: string): SourcePositions | undefined {
  const real = realPath(path);
  const read = real === undefined ? undefined : readSettledFile(real, maxBytes);
  const decoded = read?.state === 'read' ? decodeText(read.bytes) : undefined;
  return decoded !== undefined && 'text' in decoded ? positionsOf(decoded.text) : undefined;
}
