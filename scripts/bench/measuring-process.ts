import { join } from 'node:path';
import { LineProcess } from '../line-process.js';
import { packageRoot } from '../package-root.js';

type ProcessName =
  | 'ingest'
  | 'plain-jsonld'
  | 'floor-watch'
  | 'floor-list'
  | 'prover'
  | 'bare-spawner'
  | 'floor-http'
  | 'lookup-graph'
  | 'lookup-party'
  | 'query-export'
  | 'query-service'
  | 'query-oxigraph';

/** The file of a process that measures, or is measured against: built, as Node 20 runs no other. */
export function processFile(name: ProcessName): string {
  return join(packageRoot(import.meta.url), 'dist', 'scripts', 'bench', 'process', `${name}.js`);
}

/** Runs a process that prints one line of JSON, from its start to its end. Throws when it fails or prints none. */
export async function measureInProcess<T>(name: ProcessName, args: readonly string[]): Promise<T> {
  const lines: string[] = [];
  const child = new LineProcess(processFile(name), args, { onLine: (line) => lines.push(line) });
  await child.closed;
  const last = lines.at(-1);
  if (child.exitCode !== 0 || last === undefined) throw new Error(`the process ${name} failed: ${child.errors}`);
  return JSON.parse(last) as T;
}
