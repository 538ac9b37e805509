import { definitionKey } from '../../schemas/declaration.js';
import type { Input } from '../../schemas/port.js';
import type { Tool } from '../../schemas/tool.js';
import type { Diagnostic, OmissionCode } from '../../src/diagnostic.js';
import type { Entry, Generation, Omission, Slot } from '../../src/projection/generation.js';
import type { ToolNode } from '../../src/projection/node.js';

const base = 'urn:toolgraph:demo:';

export function tool(id: string, fields: Partial<Tool> = {}): Tool {
  return {
    id,
    title: `Title of ${id}`,
    description: `What ${id} does.`,
    tier: 'stable',
    invoke: { shell: `run ${id}` },
    io: { inputs: [], outputs: [] },
    satisfies: ['demo-skill'],
    ...fields,
  };
}

export function input(name: string, fields: Partial<Input> = {}): Input {
  return { name, schema: `https://example.org/types#/$defs/${name}`, ...fields };
}

export function entry(id: string, fields: Partial<Tool> = {}, slots: readonly Slot[] = []): Entry {
  const name = id.replaceAll('-', '_');
  const node = tool(id, fields);
  return {
    name,
    id,
    iri: iriOf(id),
    document: documentOf(id),
    tool: node,
    declaration: {
      name,
      description: node.description,
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(slots.map((slot) => [slot.name, { type: 'string' }])),
        additionalProperties: false,
      },
      _meta: { [definitionKey]: definitionOf(node) },
    },
    binding: { arm: 'shell', words: ['run', id], slots },
  };
}

export function omission(id: string, code: OmissionCode, reason: string): Omission {
  const name = id.replaceAll('-', '_');
  return { id, iri: iriOf(id), name, code, reason, document: documentOf(id), pointer: '' };
}

export function node(id: string, fields: Partial<Tool> = {}): ToolNode {
  return { iri: iriOf(id), document: documentOf(id), pointer: '', tool: tool(id, fields) };
}

export function generation(
  entries: readonly Entry[],
  omissions: readonly Omission[] = [],
  problems: readonly Diagnostic[] = [],
  number = 4,
): Generation {
  const digest = 'd'.repeat(64);
  const byName = new Map(entries.map((one) => [one.name, one]));
  const none = { views: new Map(), viewOmissions: [] };
  return { number, key: 'k', digest, listDigest: digest, entries: byName, omissions, ...none, problems };
}

export function iriOf(id: string): string {
  return `${base}tool/${id}`;
}

function documentOf(id: string): string {
  return `graph/tools/${id}.json`;
}

/** Not the real digest: only that another title or description has another one. */
function definitionOf({ title, description }: Tool): string {
  return Buffer.from(`${title}${description}`).toString('hex').padEnd(64, '0').slice(-64);
}
