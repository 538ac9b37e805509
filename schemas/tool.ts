import { z } from 'zod';
import { InstancePathSchema, nodeFields, text, typeField, VariableNamesSchema, word, words } from './fields.js';
import { InvokeSchema } from './invoke.js';
import { type Input, InputSchema, type Output, OutputSchema } from './port.js';
import { builtinTypesId } from './types.js';

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

/** Bounds on a call, in milliseconds and bytes. */
export const callLimits = {
  timeoutMs: z.int().min(1).max(86_400_000).optional(),
  outputBytes: z.int().min(1).max(1_073_741_824).optional(),
};

const RequiresSchema = z
  .strictObject({
    os: words.optional().meta({
      description: 'Operating systems on which it runs; one of them has to be this',
      examples: [['linux', 'darwin']],
    }),
    runtime: words.optional().meta({
      description: 'Commands that have to be on PATH, or python:<module>; the config can map a name to another command',
      examples: [['bun'], ['python:numpy']],
    }),
    network: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it needs the network', examples: [true] }),
    env: VariableNamesSchema.optional().meta({
      description: 'Environment variables that it needs. It receives them when the config permits them, under "env"',
      examples: [['GH_TOKEN']],
    }),
  })
  .meta({
    description:
      'What the host has to have; while it has not, the tool is not listed, and "toolgraph why" says what is missing',
    examples: [{ runtime: ['bun'], network: true }],
  });

const RemedySchema = z
  .strictObject({
    host: text.optional().meta({ description: 'Where the error comes from', examples: ['example.org'] }),
    error: text.optional().meta({ description: 'The error', examples: ['429 Too Many Requests'] }),
    tool: word.optional().meta({ description: 'Id of the tool that helps', examples: ['retry-later'] }),
    none: text.optional().meta({ description: 'Why no tool helps, in place of "tool"', examples: ['wait an hour'] }),
  })
  .meta({
    description: 'What helps against one error of it: a tool, or why none does',
    oneOf: [{ required: ['tool'] }, { required: ['none'] }],
  });

const MaintainedSchema = z
  .strictObject({
    source: word.meta({ description: 'What it is made from', examples: ['src/x'] }),
    artefact: word.meta({ description: 'What is kept up to date', examples: ['docs/x.html'] }),
    format: word.optional().meta({ description: 'Format of the artefact', examples: ['text/html'] }),
  })
  .meta({ description: 'One thing that it keeps up to date' });

/** Every field of tool-node.md §1, as it is written. JSON Schema for editors is made from this. */
export const ToolDocumentSchema = z
  .strictObject({
    ...nodeFields,
    '@type': typeField('Tool'),
    id: z
      .string()
      .regex(toolIdPattern, 'expected lower-case letters, digits and "-", beginning with a letter')
      .max(512)
      .meta({
        description: 'Name of the tool in the graph. Its MCP name is the same with "_" for "-"',
        examples: ['readme-sync'],
      }),
    title: text.meta({ description: 'Name for people', examples: ['Sync README sections'] }),
    description: text.optional().meta({
      description:
        'What the model reads when it chooses: what the tool does, what it prints, when to use it. It is needed, under this name or the older one',
      examples: ['Prints the commits of this project, newest first, one a line'],
    }),
    summary: text.optional().meta({
      description: 'Older name of "description"; give only one',
      deprecated: true,
      examples: ['Prints the commits of this project'],
    }),
    version: word.optional().meta({ description: 'Version of the tool', examples: ['1.2.0'] }),
    tier: z
      .enum(tiers)
      .optional()
      .meta({
        description: 'How mature it is. Only stable is served unless other tiers are asked for; internal never is',
        default: 'stable',
        examples: ['experimental'],
      }),
    deprecated: z
      .strictObject({
        reason: text.optional().meta({ description: 'Why; it is put before the description', examples: ['too slow'] }),
        replacedBy: word.optional().meta({ description: 'Id of the tool to use instead', examples: ['readme-sync-2'] }),
      })
      .optional()
      .meta({
        description: 'Why it should not be used any more; only with "tier": "deprecated"',
        examples: [{ reason: 'too slow', replacedBy: 'readme-sync-2' }],
      }),
    effect: z
      .enum(['read', 'write', 'destructive'])
      .optional()
      .meta({
        description: 'What a call does: read changes nothing, write changes something, destructive can lose something',
        examples: ['read'],
      }),
    type: z
      .enum(['read', 'write'])
      .optional()
      .meta({ description: 'Other spelling of "effect"; give only one', examples: ['read'] }),
    idempotent: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether a second call with the same arguments changes nothing more',
        examples: [true],
      }),
    openWorld: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether it reaches out of this host, as a search of the web does',
        examples: [false],
      }),
    requiresConfirmation: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether a call needs user_confirmed: true, which the model may give when the user has agreed',
        default: false,
        examples: [true],
      }),
    install: z
      .strictObject({
        cli: word.optional().meta({ description: 'Command that installs it', examples: ['npm install -g bun'] }),
        container: word.optional().meta({ description: 'Image that has it', examples: ['ghcr.io/x/y:1'] }),
        service: word.optional().meta({ description: 'Service that offers it', examples: ['https://example.org/'] }),
        none: z
          .boolean()
          .optional()
          .meta({ description: 'Nothing has to be installed', examples: [true] }),
      })
      .optional()
      .meta({ description: 'How to get what it runs. Kept in the graph', examples: [{ cli: 'npm install -g bun' }] }),
    invoke: InvokeSchema,
    io: z
      .strictObject({
        inputs: z
          .array(InputSchema)
          .max(100)
          .optional()
          .meta({
            description: 'What a call gives',
            default: [],
            examples: [[{ name: 'text', schema: `${builtinTypesId}#/$defs/Text`, arg: { stdin: true } }]],
          }),
        outputs: z
          .array(OutputSchema)
          .max(100)
          .optional()
          .meta({
            description: 'What it gives back',
            default: [],
            examples: [[{ name: 'report', schema: `${builtinTypesId}#/$defs/Text`, from: { stdout: 'text' } }]],
          }),
      })
      .meta({ description: 'What goes in and comes out', examples: [{ inputs: [], outputs: [] }] }),
    satisfies: words.min(1, 'expected at least one skill').meta({
      description: 'Names of the skills that it is a way to do. They stay in the graph; clients do not see them',
      examples: [['docs-generation']],
    }),
    requires: RequiresSchema.optional(),
    when: z
      .strictObject({
        exists: z
          .array(InstancePathSchema)
          .min(1)
          .max(100)
          .meta({
            description: 'Paths in the instance that have to exist',
            examples: [['package.json']],
          }),
      })
      .optional()
      .meta({ description: 'Listed only while this holds', examples: [{ exists: ['package.json'] }] }),
    limits: z
      .strictObject({
        timeoutMs: callLimits.timeoutMs.meta({ description: 'Time for a call, in ms', examples: [300_000] }),
        outputBytes: callLimits.outputBytes.meta({
          description: 'Bytes of output that a call gives back; the rest is cut',
          examples: [65_536],
        }),
      })
      .optional()
      .meta({ description: 'Bounds on a call, in place of those of the config', examples: [{ timeoutMs: 300_000 }] }),
    selection: z
      .strictObject({
        when: text.optional().meta({ description: 'When it is the right one', examples: ['before a release'] }),
        limits: text.optional().meta({ description: 'What it cannot do', examples: ['only Markdown'] }),
        cost: text.optional().meta({ description: 'What a call costs', examples: ['a minute'] }),
      })
      .optional()
      .meta({
        description: 'For whoever chooses between tools. Kept in the graph, never in the description',
        examples: [{ when: 'before a release', cost: 'a minute' }],
      }),
    alternativeTo: words.optional().meta({ description: 'Ids of tools that do the same', examples: [['readme-lint']] }),
    remedies: z
      .array(RemedySchema)
      .max(100)
      .optional()
      .meta({ description: 'What helps when a call fails', examples: [[{ error: '429', tool: 'retry-later' }]] }),
    maintains: z
      .array(MaintainedSchema)
      .max(100)
      .optional()
      .meta({
        description: 'What it keeps up to date. Kept in the graph',
        examples: [[{ source: 'src/x', artefact: 'docs/x.html' }]],
      }),
    renders: words
      .optional()
      .meta({ description: 'Kinds of things that it shows. Kept in the graph', examples: [['graph']] }),
    subprocesses: words
      .optional()
      .meta({ description: 'Ids of processes that it starts. Kept in the graph', examples: [['build-site']] }),
    downstream: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description: 'Data for other programs: any JSON object. Kept in the graph',
        examples: [{ owner: 'docs' }],
      }),
  })
  // For editors; `toolRules` says the same in words.
  .meta({
    title: 'Tool node',
    description: 'A description of one concrete mechanism that toolgraph projects as an MCP tool',
    oneOf: [{ required: ['description'] }, { required: ['summary'] }],
    not: { required: ['effect', 'type'] },
    dependentSchemas: {
      deprecated: { required: ['tier'], properties: { tier: { const: 'deprecated' } } },
    },
  });

export type ToolDocument = z.input<typeof ToolDocumentSchema>;
type Fields = z.output<typeof ToolDocumentSchema>;
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
