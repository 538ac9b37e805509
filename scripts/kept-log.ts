import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Adds what the server of a client wrote to stderr to a file of its own in the folder, if there is to be one. */
export function keepLog(folder: string | undefined, client: string, text: string): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${client.replace(/ #?/, '-')}.log`), text);
}
