import type { Generation } from '../projection/generation.js';
import { listTools } from './pure.js';

/** The stdio clients of the SDK end the connection at a message of 10 MiB; what is left out here is for the envelope. */
export const listBytesLimit = 10 * 1024 * 1024 - 64 * 1024;

/** Words for a list of tools that ends the connection of most clients that ask for it; undefined where it fits. Pure. */
export function listTooLarge(generation: Generation, limitBytes = listBytesLimit): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(listTools(generation).tools));
  if (bytes <= limitBytes) return undefined;
  return (
    `the list of tools takes ${bytes} bytes of JSON, and clients of the MCP SDK on stdio end the connection at a message of more than ` +
    `${limitBytes}; serve fewer tools (fewer folders or tiers in toolgraph.config.json, or several instances), or shorten descriptions and types`
  );
}
