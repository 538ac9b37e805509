import { pathToFileURL } from 'node:url';
import type { ModuleFault } from './messages.js';

const messageLength = 4096;

/**
 * An error, or whatever else was thrown, in words for a client. Never throws. Paths of the instance become relative, of any other path only
 * the last step stays: where things are on this machine is nobody's business.
 */
export function faultOf(thrown: unknown, root: string): ModuleFault {
  if (!(thrown instanceof Error)) return { message: portableWords(`threw ${shown(thrown)}`, root) };
  const message = textOf(() => thrown.message) || 'an error without a message';
  const name = textOf(() => thrown.name);
  const code = textOf(() => (thrown as { readonly code?: unknown }).code);
  return {
    message: portableWords(message, root),
    ...(name === '' ? {} : { name: name.slice(0, 100) }),
    ...(code === '' ? {} : { code: code.slice(0, 100) }),
  };
}

/** The stack, for the log of the service. */
export function stackOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? textOf(() => thrown.stack).slice(0, messageLength) || undefined : undefined;
}

/** The text with no absolute path in it. Pure. */
export function portableWords(text: string, root: string): string {
  const own = [pathToFileURL(root).href, root].flatMap((prefix) => [`${prefix}/`, prefix]);
  let words = text;
  for (const prefix of own) words = words.replaceAll(prefix, '');
  return words.replace(absolutePath, '…/$1').slice(0, messageLength);
}

/** At least two steps from the root, with or without file://; not the path of another URL. */
const absolutePath = /(?:file:\/\/|(?<![\w:/.@~-]))\/(?:[^\s/'"`:,;()[\]{}<>]+\/)+([^\s/'"`:,;()[\]{}<>]*)/g;

function shown(thrown: unknown): string {
  return textOf(() => (typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown)));
}

/** Getters and toString are the module's, and may throw too. */
function textOf(read: () => unknown): string {
  try {
    const value = read();
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  } catch {
    return '';
  }
}
