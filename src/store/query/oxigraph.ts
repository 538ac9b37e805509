import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pageBytes, withMemoryMaximum } from './bounded-wasm.js';

/** What is used of the engine. */
export type Oxigraph = Pick<typeof import('oxigraph/web.js'), 'Store' | 'namedNode' | 'defaultGraph' | 'quad'>;
export type OxigraphStore = InstanceType<Oxigraph['Store']>;

/** The engine, with so much memory at most. Once in a thread. */
export async function loadOxigraph(megabytes: number): Promise<Oxigraph> {
  const oxigraph = await import('oxigraph/web.js');
  // The build for Node reads and starts its module by itself when it is imported; this one is given it.
  const module = readFileSync(createRequire(import.meta.url).resolve('oxigraph/web_bg.wasm'));
  oxigraph.initSync({ module: withMemoryMaximum(module, Math.floor((megabytes * 1024 * 1024) / pageBytes)) });
  return oxigraph;
}
