import { z } from 'zod';
import {
  AbsoluteIriSchema,
  callLimits,
  InstancePathSchema,
  type ServedTier,
  tiers,
  VariableNamesSchema,
} from './tool.js';

export const configFileName = 'toolgraph.config.json';

export const servedTiers: readonly ServedTier[] = tiers.filter((tier) => tier !== 'internal');

const FolderSchema = z.strictObject({
  path: InstancePathSchema,
  kind: z.enum(['tools', 'skills', 'types', 'views', 'export']).optional(),
});

const PrefixSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9]{0,15}$/, 'expected 1 to 16 letters and digits, beginning with a letter');

const IncludedPathSchema = z
  .string()
  .max(4096)
  .regex(/^[^\0]+$/, 'expected the path of a folder')
  .meta({
    description: 'Folder of the other instance: a path from this instance, such as ../other, or an absolute one',
  });

const IncludeSchema = z.union([
  IncludedPathSchema,
  z.strictObject({
    path: IncludedPathSchema,
    prefix: PrefixSchema.optional().meta({
      description: 'Put before its MCP names, with "_", in place of the prefix that its own config states',
    }),
  }),
]);

/** `toolgraph.config.json`: every field is optional. */
export const ConfigSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'expected 1 to 63 lower-case letters, digits and "-", not beginning with "-"')
      .optional()
      .meta({ description: 'Name of the instance. Default: the name of its folder, links followed, made a slug' }),
    base: AbsoluteIriSchema.optional().meta({
      description: 'Prefix of the IRIs of this instance. Default: urn:toolgraph:<name>:',
    }),
    include: z
      .array(IncludeSchema)
      .max(100)
      .optional()
      .meta({
        description:
          'Other instances to serve with this one, each a folder with its own toolgraph.config.json, graph/ or both. ' +
          'Its tools run there, as its own config says; only tiers and keepGoing are those of this config. ' +
          'What it includes is served too. Give one a prefix where two have a tool of the same name',
      }),
    folders: z.array(FolderSchema).min(1).max(100).optional().meta({ description: 'Folders to read. Default: graph' }),
    prefix: PrefixSchema.optional().meta({ description: 'Put before every MCP name, with "_"' }),
    tiers: z.array(z.enum(servedTiers)).min(1).optional().meta({ description: 'Tiers to serve. Default: stable' }),
    host: z
      .strictObject({
        os: z.string().optional(),
        runtime: z.record(z.string(), z.union([z.boolean(), z.string()])).optional(),
        network: z.boolean().optional(),
      })
      .optional()
      .meta({
        description: 'Facts about the host. runtime: a name to true, false, or the command to look for instead',
      }),
    env: VariableNamesSchema.optional().meta({
      description: 'Variables that tools may receive when they list them in requires.env',
    }),
    limits: z
      .strictObject({
        ...callLimits,
        documentBytes: z.int().min(1024).max(268_435_456).optional(),
        documents: z.int().min(1).max(1_000_000).optional(),
      })
      .optional()
      .meta({ description: 'Defaults for calls (60 s, 1 MiB) and bounds on documents (4 MiB each, 100,000 in all)' }),
    arms: z
      .array(z.enum(['inProcess', 'shell', 'container']))
      .min(1)
      .optional()
      .meta({ description: 'Order in which arms are preferred' }),
    engine: z
      .strictObject({ command: z.enum(['podman', 'docker']).optional(), flags: z.array(z.string()).optional() })
      .optional(),
    rules: z
      .record(
        z.string(),
        z.union([
          z.enum(['error', 'warn']),
          z.strictObject({ severity: z.enum(['error', 'warn', 'off']), reason: z.string().min(1) }),
        ]),
      )
      .optional()
      .meta({ description: 'Severity of a check rule; a reason is required to silence one' }),
    actor: z
      .strictObject({ name: z.string().min(1), role: z.string().optional(), version: z.string().optional() })
      .optional(),
    require: z.array(z.string()).optional().meta({ description: 'Ids of Tools that must be projected' }),
    allowIris: z
      .array(AbsoluteIriSchema)
      .max(100)
      .optional()
      .meta({ description: 'IRI prefixes outside base that documents may describe' }),
    ignore: z
      .array(z.string())
      .max(100)
      .optional()
      .meta({ description: 'Paths, relative to the instance, that are not read' }),
    keepGoing: z.boolean().optional().meta({ description: 'Start although there are problems' }),
    cwd: InstancePathSchema.optional().meta({ description: 'Folder in which tools run. Default: the instance' }),
    http: z.strictObject({ host: z.string().optional(), port: z.int().min(0).max(65_535).optional() }).optional(),
    logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug']).optional(),
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
