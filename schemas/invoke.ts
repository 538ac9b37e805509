import { z } from 'zod';
import { InstancePathSchema, word, words } from './fields.js';

/** A reference of an image. It stands among the words of the engine's command line, so it cannot look like an option. */
const ImageSchema = z
  .string()
  .max(512)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/,
    'expected the name of an image, such as ghcr.io/x/y:1: letters, digits and . _ : / @ -, beginning with a letter or a digit',
  );

/** What would end the field that a path is in, on the command line of an engine, is not allowed. */
const MountTargetSchema = z
  .string()
  .max(1024)
  .regex(/^\/(?=[^/])[^\0:,"\n]*$/, 'expected an absolute path in the container, other than "/", without : , and "');

const MountTextSchema = z
  .string()
  .max(2048)
  .regex(
    /^(?!\/)(?!(?:[^:]*\/)?\.\.(?:[/:]|$))(?!\.?\/*$)[^\0:]+(?::\/(?=[^/:])[^\0:,"\n]*(?::r[ow])?)?$/,
    'expected a path of the instance, without "..", or "source:/target", or "source:/target:rw"',
  );

const ContainerSchema = z
  .union([
    ImageSchema,
    z.strictObject({
      image: ImageSchema.meta({ description: 'The image, by its name or its digest', examples: ['ghcr.io/x/y:1'] }),
      command: z
        .union([word, words])
        .optional()
        .meta({
          description: 'The command in the image: words, or text that is split as "shell" is',
          examples: [['y']],
        }),
      network: z
        .boolean()
        .optional()
        .meta({
          description:
            'Whether it may use the network, which also needs requires.network: without that, true gives nothing. Default: as ' +
            'requires.network says',
          examples: [false],
        }),
      mounts: z
        .array(
          z.union([
            MountTextSchema,
            z.strictObject({
              source: InstancePathSchema.meta({ description: 'Folder or file of the instance', examples: ['docs'] }),
              target: MountTargetSchema.meta({ description: 'Where it is in the container', examples: ['/docs'] }),
              readOnly: z
                .boolean()
                .optional()
                .meta({ description: 'Whether it cannot be written there', default: true, examples: [false] }),
            }),
          ]),
        )
        .optional()
        .meta({
          description:
            'What of the instance is seen in the container, which is nothing else of the host. Text is "source:/target", ' +
            'with ":rw" where it may be written; without a target it is the source, from "/"',
          examples: [[{ source: 'docs', target: '/docs' }, 'data:/data:rw']],
        }),
    }),
  ])
  .meta({ description: 'Runs in a container: the image, or an object that says more', examples: ['ghcr.io/x/y:1'] });

/** The arms of a Tool: the ways to run it. */
export const InvokeSchema = z
  .strictObject({
    shell: z
      .string()
      .min(1)
      .max(8192)
      .optional()
      .meta({
        description:
          'The command: words, split by the quoting rules of a shell, and started without one. So no pipe, redirection, variable, ~ or ' +
          'glob: put such a line into a script and name that. Inputs come after these words, as their "arg" says',
        examples: ['git log --oneline', 'scripts/report.sh'],
      }),
    container: ContainerSchema.optional(),
    inProcess: z
      .strictObject({
        module: InstancePathSchema.meta({
          description: 'Path of the module in the instance',
          examples: ['src/tools/readme.js'],
        }),
        register: word
          .optional()
          .meta({ description: 'Name of the export that is called', examples: ['registerReadme'] }),
      })
      .optional()
      .meta({
        description: 'A function of a module of the instance',
        examples: [{ module: 'src/tools/readme.js', register: 'registerReadme' }],
      }),
    mcp: z
      .strictObject({ tool: word.meta({ description: 'Name of the MCP tool', examples: ['readme_sync'] }) })
      .optional()
      .meta({
        description:
          'It is an MCP tool of another server already. Never served from here: give another arm too, or it is left out',
        examples: [{ tool: 'readme_sync' }],
      }),
    manual: z
      .literal(true)
      .optional()
      .meta({ description: 'A person does it. It stays in the graph and is never served' }),
  })
  // For editors; `ToolSchema` and the projection say the same in words.
  .meta({
    description: 'The ways to run it, at least one. Served is the first that can run here: inProcess, shell, container',
    examples: [{ shell: 'git status --short' }],
    anyOf: ['shell', 'container', 'inProcess', 'manual'].map((arm) => ({ required: [arm] })),
  });
