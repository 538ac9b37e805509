import type { MessagePort } from 'node:worker_threads';
import { loadedFile } from './loaded-file.js';
import type { LoadedFile } from './messages.js';

/** Hooks for Node without `module.registerHooks`: they run in a thread of Node's own, and tell of each file by a port. */
let tell: (file: LoadedFile) => void = () => {};

export function initialize({ port }: { readonly port: MessagePort }): void {
  tell = (file) => port.postMessage(file);
}

type Load = (url: string, context: unknown) => unknown;

export function load(url: string, context: unknown, nextLoad: Load): unknown {
  const file = loadedFile(url);
  if (file !== undefined) tell(file);
  return nextLoad(url, context);
}
