import { z } from 'zod';
import { InstancePathSchema, word, words } from './fields.js';

const ContainerSchema = z
  .union([
    word,
    z.strictObject({
      image: word.meta({ description: 'The image, by its name or its digest', examples: ['ghcr.io/x/y:1'] }),
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
          description: 'Whether it may use the network; it also needs requires.network',
          default: false,
          examples: [true],
        }),
      mounts: z
        .array(
          z.union([
            word,
            z.strictObject({
              source: word.meta({ description: 'Folder or file of the host', examples: ['docs'] }),
              target: word.meta({ description: 'Where it is in the container', examples: ['/docs'] }),
              readOnly: z
                .boolean()
                .optional()
                .meta({ description: 'Whether it cannot be written there', examples: [true] }),
            }),
          ]),
        )
        .optional()
        .meta({
          description: 'What of the host is seen in the container',
          examples: [[{ source: 'docs', target: '/docs' }]],
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
