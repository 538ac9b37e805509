import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic, Place } from '../diagnostic.js';
import { positionsOf, type SourcePositions } from '../ingest/position.js';

/** Larger documents keep only the pointer; see the limit in `positionsOf`. */
const maxBytes = 2 * 1024 * 1024;

/** Finds the place of a pointer in a document of the instance; each document is read once. Undefined where there is none. */
export function createLocator(root: string): (place: Place) => { line: number; column: number } | undefined {
  const documents = new Map<string, SourcePositions | undefined>();
  return ({ document, pointer }) => {
    // Other formats have no JSON pointers.
    if (document === undefined || pointer === undefined || !/\.(?:json|jsonld|ya?ml)$/.test(document)) return undefined;
    if (!documents.has(document)) documents.set(document, readPositions(join(root, document)));
    return documents.get(document)?.locate(pointer);
  };
}

/** The findings, with line and column where only the pointer was known. */
export function locateFindings(findings: readonly Diagnostic[], root: string): Diagnostic[] {
  const locate = createLocator(root);
  return findings.map((finding) => (finding.line === undefined ? { ...finding, ...locate(finding) } : finding));
}

/** The document may have changed or gone since it was ingested: then a finding has no line, and that is all. */
function readPositions(path: string): SourcePositions | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    // A byte order mark is no character of the first line.
    return positionsOf(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
