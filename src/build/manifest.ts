import { createHash } from 'node:crypto';
import { z } from 'zod';
import { byCodeUnits } from '../code-units.js';
import { jsonFile } from '../json-text.js';

/** Path of the manifest in the folder of a build. */
export const manifestPath = 'toolgraph-build.json';

/** The files that builds have made in a folder: a later build changes and removes no others. */
export interface Manifest {
  /** False while files are being replaced: until it is true, they need not belong together. */
  readonly complete: boolean;
  /** Hex sha-256 of the bytes of each file, by its path in the folder. */
  readonly files: ReadonlyMap<string, string>;
}

/** What a build can make. A manifest that somebody has edited cannot make a build touch anything else. */
const builtPath = /^(?:mcp-tools\.json|tools\.jsonld|schemas\/[A-Za-z][A-Za-z0-9_-]{0,63}\.(?:input|output)\.json)$/;

const ManifestSchema = z.object({
  complete: z.boolean(),
  files: z.record(z.string().regex(builtPath), z.string().regex(/^[0-9a-f]{64}$/)),
});

/** The manifest that a text holds; undefined when it holds none. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const { complete, files } = ManifestSchema.parse(JSON.parse(text));
    return { complete, files: new Map(Object.entries(files)) };
  } catch {
    return undefined;
  }
}

export function renderManifest({ complete, files }: Manifest): string {
  const note = 'Written by toolgraph build: the files that it has made, and the sha256 of each. Do not edit.';
  const sorted = [...files].sort(([a], [b]) => byCodeUnits(a, b));
  return jsonFile({ note, complete, files: Object.fromEntries(sorted) });
}

/** The manifest of files that belong together. */
export function manifestOf(built: ReadonlyMap<string, string>): Manifest {
  return { complete: true, files: new Map(Array.from(built, ([path, content]) => [path, sha256Of(content)])) };
}

export function sha256Of(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
