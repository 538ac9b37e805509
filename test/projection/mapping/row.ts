import type { ServedTier } from '../../../schemas/tool.js';
import type { HostFacts } from '../../../src/projection/host.js';
import { type sampleNode, typeIri } from '../sample-node.js';

/** One line of the mapping of tool-node.md §2: a node, and the exact bytes of what it becomes. */
export interface MappingRow {
  readonly rule: `P${number}`;
  readonly says: string;
  /** Fields beside those of the plain node: id "sample", `echo hello`, no inputs, no outputs, nothing stated of its effect. */
  readonly node: NonNullable<Parameters<typeof sampleNode>[0]>;
  readonly becomes: Product;
  readonly given?: Given;
}

/** What a row depends on beside the node. */
export interface Given {
  /** The id of a foreign graph, which need not be of our form. */
  readonly foreignId?: string;
  readonly prefix?: string;
  readonly tiers?: readonly ServedTier[];
  readonly host?: Partial<HostFacts>;
}

export type Product =
  /** Members of the declaration as JSON texts; the others are those of the plain node. `undefined`: it has no such member. */
  | { readonly declares: DeclaredTexts }
  /** Code and reason. */
  | { readonly omitted: readonly [code: string, reason: string] }
  /** Code, message, and pointer into the node. */
  | { readonly problem: readonly [code: string, message: string, pointer: string] }
  /** Arguments of a call, and the words and the stdin of what is started. */
  | { readonly called: object; readonly argv: readonly string[]; readonly stdin?: string }
  /** Arguments of a call, and why nothing is started. */
  | { readonly called: object; readonly refused: readonly [code: string, message: string] }
  /** What the process prints, and the text of the result. */
  | { readonly prints: string; readonly result: string }
  /** What the process prints, and why that is no result. */
  | { readonly prints: string; readonly failed: readonly [code: string, message: string] };

export interface DeclaredTexts {
  readonly name?: string;
  readonly title?: string | undefined;
  readonly description?: string;
  readonly inputSchema?: string;
  readonly outputSchema?: string;
  readonly annotations?: string;
}

/** `$defs` that the rows name. */
export const mappingTypes = {
  Slug: { type: 'string', pattern: '^[a-z]+$', description: 'A slug' },
  Level: { enum: ['low', 'high'] },
  Count: { type: 'integer', minimum: 0 },
  Number: { type: 'number' },
  Flag: { type: 'boolean' },
  Text: { type: 'string' },
  Word: { type: 'string', pattern: '^[a-z -]+$' },
  Option: { type: 'string', pattern: '^[a-z-]+$' },
  Report: {
    $defs: { Line: { type: 'string', maxLength: 80 } },
    type: 'object',
    properties: { lines: { type: 'array', items: { $ref: '#/$defs/Line' } }, slug: { $ref: '#/$defs/Slug' } },
    required: ['lines'],
    'x-mcp-header': 'Report',
  },
  Either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  List: { type: 'array' },
  Whatever: { type: 'object', properties: { any: true } },
  Spaced: { type: 'object', properties: { 'a b': { type: 'string' } } },
  Slow: { type: 'string', pattern: '^(a+)+$' },
} as const;

type TypeName = keyof typeof mappingTypes;

export const port = <Fields extends object>(name: string, type: TypeName, fields: Fields) => ({
  name,
  schema: typeIri(type),
  ...fields,
});
export const flag = (name: string, joined?: true) => ({ arg: { flag: name, ...(joined && { joined }) } });
export const positional = (n: number) => ({ arg: { positional: n } });
export const required = true;
export const repeated = true;
export const onStdin = { arg: { stdin: true } } as const;
export const json = (pointer?: string) =>
  ({ from: { stdout: 'json', ...(pointer !== undefined && { pointer }) } }) as const;
export const text = { from: { stdout: 'text' } } as const;

export function row(
  rule: MappingRow['rule'],
  says: string,
  node: MappingRow['node'],
  becomes: Product,
  given?: Given,
): MappingRow {
  return { rule, says, node, becomes, ...(given && { given }) };
}
