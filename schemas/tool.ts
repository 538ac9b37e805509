import { z } from 'zod';

/** Keys that are refused at every depth of a document (CVE-2025-64718 and its kind). */
export const reservedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const armKinds = ['inProcess', 'shell', 'container', 'mcp', 'manual'] as const;
export type ArmKind = (typeof armKinds)[number];
/** An arm by which toolgraph can run a Tool itself. */
export type RunnableArm = Exclude<ArmKind, 'mcp' | 'manual'>;

export const tiers = ['stable', 'experimental', 'deprecated', 'internal'] as const;
export type Tier = (typeof tiers)[number];
/** A tier that an option can ask for; internal is never served (P15). */
export type ServedTier = Exclude<Tier, 'internal'>;

/** Pattern of the id of a Tool that is written in our own form. */
export const toolIdPattern = /^[a-z][a-z0-9-]*$/;

const text = z.string().min(1).max(16_384);
const word = z.string().min(1).max(1024);
const words = z.array(word).max(1000);
/** An absolute IRI: a scheme, then no space or character that an IRI may not hold (RFC 3987). */
export const AbsoluteIriSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/u, 'expected an absolute IRI');
/** A path inside the instance: relative, `/`-separated, no `..` segment. */
export const InstancePathSchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\0]+$/, 'expected a path inside the instance, without ".."');

/** Names of environment variables (tool-node.md §4). */
export const VariableNamesSchema = z
  .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable'))
  .max(100);

/** Bounds on a call, in milliseconds and bytes. */
export const callLimits = {
  timeoutMs: z.int().min(1).max(86_400_000).optional(),
  outputBytes: z.int().min(1).max(1_073_741_824).optional(),
};

/** How an input reaches the process (P8). */
const ArgSchema = z
  .union(
    [
      z.strictObject({
        flag: z.string().regex(/^-[A-Za-z0-9-][A-Za-z0-9._-]*$/, 'expected a flag, such as "-x" or "--name"'),
        joined: z.boolean().optional(),
      }),
      z.strictObject({ positional: z.int().min(0).max(1000) }),
      z.strictObject({ stdin: z.literal(true) }),
    ],
    { error: 'expected {"flag": "--x", "joined"?: true}, {"positional": 0} or {"stdin": true}' },
  )
  .meta({ description: 'How the input reaches the process: a flag, a position or stdin' });

const JsonPointerSchema = z
  .string()
  .max(4096)
  .regex(
    /^(?:\/(?:[^~/]|~[01])*)*$/u,
    'expected a JSON pointer (RFC 6901), such as "/items/0": each step begins with "/", "~" is written "~0" and "/" in a key "~1"',
  );

/** Where an output comes from (P6). */
const FromSchema = z.union(
  [
    z.strictObject({ stdout: z.enum(['json', 'text']), pointer: JsonPointerSchema.optional() }),
    z.strictObject({ result: z.literal(true), pointer: JsonPointerSchema.optional() }),
  ],
  { error: 'expected {"stdout": "json"|"text"} or {"result": true}, with an optional pointer' },
);

const portName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'expected 1 to 64 of A-Z a-z 0-9 _ . -');

export const InputSchema = z.strictObject({
  name: portName,
  schema: AbsoluteIriSchema,
  description: text.optional(),
  required: z.boolean().optional(),
  repeated: z.boolean().optional(),
  arg: ArgSchema.optional(),
});

export const OutputSchema = z.strictObject({
  name: portName,
  schema: AbsoluteIriSchema,
  description: text.optional(),
  required: z
    .boolean()
    .optional()
    .meta({ description: 'false: the result may lack it. Absent counts as true, because a tool says what it gives' }),
  from: FromSchema.optional(),
});

const ContainerSchema = z.union([
  word,
  z.strictObject({
    image: word,
    command: z.union([word, words]).optional(),
    network: z.boolean().optional(),
    mounts: z
      .array(z.union([word, z.strictObject({ source: word, target: word, readOnly: z.boolean().optional() })]))
      .optional(),
  }),
]);

const InvokeSchema = z.strictObject({
  shell: z.string().min(1).max(8192).optional(),
  container: ContainerSchema.optional(),
  inProcess: z.strictObject({ module: InstancePathSchema, register: word.optional() }).optional(),
  mcp: z.strictObject({ tool: word }).optional(),
  manual: z.literal(true).optional(),
});

const RequiresSchema = z.strictObject({
  os: words.optional(),
  runtime: words.optional(),
  network: z.boolean().optional(),
  env: VariableNamesSchema.optional(),
});

/** Every field of tool-node.md §1, as it is written. JSON Schema for editors is made from this. */
export const ToolDocumentSchema = z
  .strictObject({
    $schema: z.string().optional(),
    '@context': z.unknown().optional(),
    '@type': z.union([z.string(), z.array(z.string())]).optional(),
    '@id': z.string().optional(),
    id: z
      .string()
      .regex(toolIdPattern, 'expected lower-case letters, digits and "-", beginning with a letter')
      .max(512),
    title: text,
    description: text.optional(),
    summary: text.optional(),
    version: word.optional(),
    tier: z.enum(tiers).optional(),
    deprecated: z.strictObject({ reason: text.optional(), replacedBy: word.optional() }).optional(),
    effect: z.enum(['read', 'write', 'destructive']).optional(),
    type: z.enum(['read', 'write']).optional(),
    idempotent: z.boolean().optional(),
    openWorld: z.boolean().optional(),
    requiresConfirmation: z.boolean().optional(),
    install: z
      .strictObject({
        cli: word.optional(),
        container: word.optional(),
        service: word.optional(),
        none: z.boolean().optional(),
      })
      .optional(),
    invoke: InvokeSchema,
    io: z.strictObject({
      inputs: z.array(InputSchema).max(100).optional(),
      outputs: z.array(OutputSchema).max(100).optional(),
    }),
    satisfies: words.min(1, 'expected at least one skill'),
    requires: RequiresSchema.optional(),
    when: z.strictObject({ exists: z.array(InstancePathSchema).min(1).max(100) }).optional(),
    limits: z.strictObject(callLimits).optional(),
    selection: z.strictObject({ when: text.optional(), limits: text.optional(), cost: text.optional() }).optional(),
    alternativeTo: words.optional(),
    remedies: z
      .array(
        z.strictObject({ host: text.optional(), error: text.optional(), tool: word.optional(), none: text.optional() }),
      )
      .max(100)
      .optional(),
    maintains: z
      .array(z.strictObject({ source: word, artefact: word, format: word.optional() }))
      .max(100)
      .optional(),
    renders: words.optional(),
    subprocesses: words.optional(),
    downstream: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({
    title: 'Tool node',
    description: 'A description of one concrete mechanism that toolgraph projects as an MCP tool',
  });

export type ToolDocument = z.input<typeof ToolDocumentSchema>;
type Fields = z.output<typeof ToolDocumentSchema>;
export type Input = z.output<typeof InputSchema>;
export type Output = z.output<typeof OutputSchema>;
export type Arg = z.output<typeof ArgSchema>;
export type Requires = z.output<typeof RequiresSchema>;

/** A Tool, in the one spelling: `description` and `effect`, defaults filled in. */
export interface Tool
  extends Omit<Fields, '$schema' | '@context' | '@type' | '@id' | 'summary' | 'type' | 'description' | 'tier' | 'io'> {
  readonly description: string;
  readonly tier: Tier;
  readonly io: { readonly inputs: readonly Input[]; readonly outputs: readonly Output[] };
}

/** A broken rule of tool-node.md §1 that one field alone cannot show. */
export interface RuleViolation {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
