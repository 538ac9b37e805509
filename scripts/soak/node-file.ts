import { jsonFile } from '../../src/json-text.js';

/** A tool as a client is expected to see it. */
export interface ExpectedTool {
  readonly name: string;
  readonly description: string;
}

/** A node that is served. */
export function soundNode(id: string, description: string, satisfies: readonly string[]) {
  const input = { name: 'lines', schema: 'https://w3id.org/toolgraph/types.schema.json#/$defs/Count' };
  return {
    id,
    title: `Soak ${id}`,
    description,
    invoke: { shell: 'head' },
    io: { inputs: [{ ...input, arg: { flag: '-n' } }] },
    satisfies,
  };
}

/** The text of a node that is served. */
export function nodeText(id: string, description: string, satisfies: readonly string[]): string {
  return jsonFile(soundNode(id, description, satisfies));
}

export type Breakage = 'half' | 'empty' | 'unknown-key' | 'no-skill';
export const breakages: readonly Breakage[] = ['half', 'empty', 'unknown-key', 'no-skill'];

/** The text of a node, broken in one way. */
export function brokenText(text: string, how: Breakage): string {
  if (how === 'half') return text.slice(0, text.length >> 1);
  if (how === 'empty') return '';
  const change = how === 'unknown-key' ? { descripton: 'misspelt' } : { satisfies: [] };
  return JSON.stringify({ ...(JSON.parse(text) as object), ...change });
}

/**
 * What a file of this soak has to give a client, judged from its text alone and without any of toolgraph's code; undefined for one
 * that is broken.
 */
export function expectedTool(text: string): ExpectedTool | undefined {
  const node = parsed(text);
  if (node === undefined || Object.keys(node).some((key) => !knownKeys.has(key))) return undefined;
  const { id, description, satisfies } = node;
  if (typeof id !== 'string' || typeof description !== 'string') return undefined;
  if (!Array.isArray(satisfies) || satisfies.length === 0) return undefined;
  return { name: id.replaceAll('-', '_'), description };
}

const knownKeys = new Set(['id', 'title', 'description', 'invoke', 'io', 'satisfies']);

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
