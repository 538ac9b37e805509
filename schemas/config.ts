import { z } from 'zod';
import { EngineSchema } from './engine.js';
import { AbsoluteIriSchema, InstancePathSchema, VariableNamesSchema } from './fields.js';
import { httpAccess } from './http-access.js';
import { LimitsSchema } from './limits.js';
import { isProblemRule, ruleIds } from './rule-ids.js';
import { type ServedTier, tiers } from './tool.js';

export const configFileName = 'toolgraph.config.json';

export const servedTiers: readonly ServedTier[] = tiers.filter((tier) => tier !== 'internal');

/** Ends the description of a field that is checked and changes nothing so far. */
const pending = 'Nothing acts on it yet';

/** A sentence or two that somebody reads beside each finding: spaces and characters that nobody sees are none. */
const ReasonText = z
  .string()
  .max(1000)
  .regex(/[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u, 'expected a text with a visible character');
const OptionalText = z.string().optional();
const ActorText = z.string().max(200);

const FolderSchema = z.strictObject({
  path: InstancePathSchema.meta({
    description: 'Path of the folder in the instance; none may lie in another',
    examples: ['tools/nodes'],
  }),
  kind: z
    .enum(['tools', 'skills', 'types', 'views', 'export'])
    .optional()
    .meta({
      description:
        'What a node in it is that does not say so: tools or skills. export: a whole-graph export, whose nodes may have any IRI. ' +
        'What the other kinds hold, its content says. Default: the content decides',
      examples: ['export'],
    }),
});

const PrefixSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, 'expected 1 to 16 letters and digits, beginning with a letter');

const IncludedPathSchema = z
  .string()
  .max(4096)
  .regex(/^[^\0]+$/, 'expected the path of a folder')
  .meta({
    description:
      'Folder of the other instance: a path from this instance, such as ../other, or an absolute one; or "toolgraph:views" or ' +
      '"toolgraph:query-tools", which come with toolgraph',
    examples: ['../other'],
  });

const IncludeSchema = z.union([
  IncludedPathSchema,
  z.strictObject({
    path: IncludedPathSchema,
    prefix: PrefixSchema.optional().meta({
      description: 'Put before its MCP names, with "_", in place of the prefix that its own config states',
      examples: ['b'],
    }),
  }),
]);

/** What `rules` may name. A problem has no severity to choose: what cannot be determined is not served. */
const settableRules = Object.entries(ruleIds).flatMap(([name, id]) => (isProblemRule(id) ? [] : [name, id]));

const RuleSettingSchema = z.union([
  z.enum(['error', 'warn'], {
    error: ({ input }) =>
      input === 'off'
        ? 'expected a reason, to silence a rule: {"severity": "off", "reason": "why it does not fit here"}'
        : 'expected "error", "warn", or {"severity": "error"|"warn"|"off", "reason": "why"}',
  }),
  z.strictObject({
    severity: z.enum(['error', 'warn', 'off']).meta({ description: 'Its severity', examples: ['off'] }),
    reason: ReasonText.meta({
      description: 'Why: it stands beside the findings that are silenced, in SARIF too',
      examples: ['why it does not fit here'],
    }),
  }),
]);

/** How severe a rule counts. Where it is silenced there is a reason. */
export type RuleSetting =
  | { readonly severity: 'error' | 'warn'; readonly reason?: string }
  | { readonly severity: 'off'; readonly reason: string };

/** `toolgraph.config.json`: every field is optional. */
export const ConfigSchema = z
  .strictObject({
    $schema: OptionalText.meta({
      description: 'The JSON Schema of this file, for editors; toolgraph does not read it',
      examples: ['./node_modules/toolgraph/schemas/generated/config.schema.json'],
    }),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected 1 to 63 lower-case letters, digits and "-", not beginning with "-"')
      .optional()
      .meta({
        description: 'Name of the instance. Default: the name of its folder, links followed, made a slug',
        examples: ['my-project'],
      }),
    base: AbsoluteIriSchema.optional().meta({
      description: 'Prefix of the IRIs of this instance. Default: urn:toolgraph:<name>:',
      examples: ['https://example.org/my-project/'],
    }),
    include: z
      .array(IncludeSchema)
      .max(100)
      .optional()
      .meta({
        description:
          'Other instances to serve with this one, each a folder with its own toolgraph.config.json, graph/ or both. ' +
          'Its tools run there, as its own config says; only tiers, keepGoing, getStateTool, daemons, records, kept outputs and the numbers of calls at once are those of this config. ' +
          'What it includes is served too. Give one a prefix where two have a tool of the same name. ' +
          '"toolgraph:views" and "toolgraph:query-tools" are instances that come with toolgraph',
        examples: [['../other', { path: '../b', prefix: 'b' }, 'toolgraph:views']],
      }),
    folders: z
      .array(FolderSchema)
      .min(1)
      .max(100)
      .optional()
      .meta({
        description: 'Folders to read',
        default: [{ path: 'graph' }],
        examples: [[{ path: 'graph' }, { path: 'exports', kind: 'export' }]],
      }),
    prefix: PrefixSchema.optional().meta({ description: 'Put before every MCP name, with "_"', examples: ['docs'] }),
    tiers: z
      .array(z.enum(servedTiers))
      .min(1)
      .optional()
      .meta({ description: 'Tiers to serve', default: ['stable'], examples: [['stable', 'experimental']] }),
    host: z
      .strictObject({
        os: OptionalText.meta({
          description: 'Operating system, as Node names it. Default: that of the host',
          examples: ['linux'],
        }),
        runtime: z
          .record(z.string(), z.union([z.boolean(), z.string()]))
          .optional()
          .meta({
            description: 'By the name of a runtime: true, false, or the command to look for instead',
            examples: [{ bun: false, python: 'python3.12' }],
          }),
        network: z
          .boolean()
          .optional()
          .meta({
            description: 'Whether there is a network. Default: whether an interface other than the loopback is up',
            examples: [false],
          }),
      })
      .optional()
      .meta({ description: 'Facts about the host, in place of what would be found', examples: [{ network: false }] }),
    env: VariableNamesSchema.optional().meta({
      description: 'Variables that tools may receive when they list them in requires.env',
      default: [],
      examples: [['GH_TOKEN']],
    }),
    limits: LimitsSchema.optional().meta({
      description: 'Defaults for calls, and bounds on documents, records, calls at once, kept outputs and queries',
      examples: [{ timeoutMs: 300_000 }],
    }),
    arms: z
      .array(z.enum(['inProcess', 'shell', 'container']))
      .min(1)
      .optional()
      .meta({
        description: 'Order in which arms are preferred; those left out come last. The first that can run here is used',
        default: ['inProcess', 'shell', 'container'],
        examples: [['shell']],
      }),
    engine: EngineSchema.optional().meta({
      description: 'How containers are run (docs/containers.md)',
      examples: [{ command: 'podman' }],
    }),
    rules: z
      .partialRecord(z.enum(settableRules), RuleSettingSchema)
      .optional()
      .meta({
        description:
          'How severe a rule of check counts here, by its name or id (docs/rules.md). A string where that explains itself; a reason is ' +
          'required to silence a rule. Problems cannot be silenced. Only findings about this instance are concerned, not those of what it includes',
        default: {},
        examples: [{ tier: { severity: 'off', reason: 'experimental tools are served by another config' } }],
      }),
    actor: z
      .strictObject({
        name: ActorText.min(1).meta({ description: 'Its name', examples: ['ci'] }),
        role: ActorText.optional().meta({ description: 'Its role', examples: ['reviewer'] }),
        version: ActorText.optional().meta({ description: 'Its version', examples: ['1.2.0'] }),
      })
      .optional()
      .meta({
        description: 'Who calls, in the records of calls that do not say it themselves (docs/records.md)',
        examples: [{ name: 'ci' }],
      }),
    require: z
      .array(z.string())
      .optional()
      .meta({
        description: 'Ids of Tools that must be served: check and build fail on one that is not',
        default: [],
        examples: [['disk-usage']],
      }),
    allowIris: z
      .array(AbsoluteIriSchema)
      .max(100)
      .optional()
      .meta({
        description: 'IRI prefixes outside base that documents may describe',
        default: [],
        examples: [['https://example.org/other/']],
      }),
    ignore: z
      .array(z.string())
      .max(100)
      .optional()
      .meta({
        description: 'Paths, relative to the instance, that are not read: files, or folders with all that is in them',
        default: [],
        examples: [['graph/drafts']],
      }),
    getStateTool: z
      .boolean()
      .optional()
      .meta({
        description: 'Add the tool toolgraph_get_state, which reads any view, for hosts that have no resources',
        default: false,
        examples: [true],
      }),
    keepGoing: z
      .boolean()
      .optional()
      .meta({ description: 'Start although there are problems', default: false, examples: [true] }),
    daemons: z
      .enum(['end', 'leave'])
      .optional()
      .meta({
        description:
          'What becomes of a process that leaves the group of its call and outlives it, where the host has control groups: it is ended with the call, or left running (docs/calls.md). A server that has run a tool takes a change up at its next start',
        default: 'end',
        examples: ['leave'],
      }),
    cwd: InstancePathSchema.optional().meta({
      description: 'Folder in which tools run, from the instance. Default: the instance',
      examples: ['packages/site'],
    }),
    http: z
      .strictObject({
        host: OptionalText.meta({
          description: 'The address to listen on, or a name of this host',
          default: '127.0.0.1',
          examples: ['127.0.0.1'],
        }),
        port: z
          .int()
          .min(0)
          .max(65_535)
          .optional()
          .meta({ description: 'The port to listen on; 0: any that is free', examples: [8080] }),
        ...httpAccess,
      })
      .optional()
      .meta({
        description:
          'Where serve --http listens that is given no address of its own (docs/http.md); without --http a server speaks on its pipes',
        examples: [{ port: 8080 }],
      }),
    logLevel: z
      .enum(['silent', 'error', 'warn', 'info', 'debug'])
      .optional()
      .meta({ description: `What is logged. ${pending}`, examples: ['warn'] }),
  })
  .meta({ title: 'toolgraph.config.json', description: 'Configuration of one instance' });

export type Config = z.output<typeof ConfigSchema>;
export type Folder = z.output<typeof FolderSchema>;
export type Include = Exclude<z.output<typeof IncludeSchema>, string>;

const basicVariables: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'USER']);

/** Whether every tool receives the variable (tool-node.md §4: PATH HOME LANG LC_* TZ TMPDIR USER), whatever the config permits. */
export function isBasicVariable(name: string): boolean {
  return basicVariables.has(name) || name.startsWith('LC_');
}

/**
 * The folders of a PATH in which commands are looked for, when a tool is judged and when it runs. An empty or relative entry would
 * let the current folder decide what runs.
 */
export function searchFolders(path: string | undefined): string[] {
  return (path ?? '').split(':').filter((folder) => folder.startsWith('/'));
}
