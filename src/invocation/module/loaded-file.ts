import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fileSignature } from '../../instance/signature.js';
import type { LoadedFile } from './messages.js';

/** The file of a module, with the signature that it has now; undefined for a module that is no file. */
export function loadedFile(url: string): LoadedFile | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = fileURLToPath(new URL(url.replace(/[?#].*$/, '')));
  return { path, signature: signatureNow(path) };
}

/** '' when there is no such file. */
export function signatureNow(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : fileSignature(stats);
}
