import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { InitOutput } from 'oxigraph/web.js';
import { pageBytes, withMemoryMaximum } from './bounded-wasm.js';

/** What is used of the engine. */
export type Oxigraph = Pick<
  typeof import('oxigraph/web.js'),
  'Store' | 'namedNode' | 'literal' | 'defaultGraph' | 'quad'
>;
export type OxigraphStore = InstanceType<Oxigraph['Store']>;

/** Of what the memory may grow by. */
const grownAhead = 3 / 4;
/** What Rust can allocate at once is less than 2 GiB. */
const largestAllocation = 2 ** 30;

/** The engine, with so much memory at most. Once in a thread. */
export async function loadOxigraph(megabytes: number): Promise<Oxigraph> {
  const oxigraph = await import('oxigraph/web.js');
  // The build for Node reads and starts its module by itself when it is imported; this one is given it.
  const module = readFileSync(createRequire(import.meta.url).resolve('oxigraph/web_bg.wasm'));
  const engine = oxigraph.initSync({
    module: withMemoryMaximum(module, Math.floor((megabytes * 2 ** 20) / pageBytes)),
  });
  growAhead(engine, megabytes * 2 ** 20);
  return oxigraph;
}

/**
 * Has the memory grow once, by most of what it may in all, in bytes: it keeps what is given back. Each growth gives V8 a buffer of another
 * size, for which it collects garbage, and the graph of 10,000 nodes would take hundreds. What is not used takes no memory.
 */
function growAhead({ memory, __wbindgen_malloc: allocate, __wbindgen_free: free }: InitOutput, most: number): void {
  const size = Math.min(Math.floor((most - memory.buffer.byteLength) * grownAhead), largestAllocation);
  if (size > 0) free(allocate(size, 1), size, 1);
}
