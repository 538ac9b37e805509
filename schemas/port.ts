import { z } from 'zod';
import { AbsoluteIriSchema, text } from './fields.js';
import { argvSafeTypes, builtinTypesId } from './types.js';

/** How an input reaches the process (P8). */
const ArgSchema = z
  .union(
    [
      z.strictObject({
        flag: z
          .string()
          .regex(/^-[A-Za-z0-9-][A-Za-z0-9._-]*$/, 'expected a flag, such as "-x" or "--name"')
          .meta({
            description: 'The flag, with the value as the word after it. Of a boolean: present when true, else absent',
            examples: ['--only', '-n'],
          }),
        joined: z
          .boolean()
          .optional()
          .meta({
            description: 'Write flag and value as one word, --flag=value. Then the value may begin with "-"',
            examples: [true],
          }),
      }),
      z.strictObject({
        positional: z
          .int()
          .min(0)
          .max(1000)
          .meta({ description: 'Place among the positional words, counted from 0 without a gap', examples: [0, 1] }),
      }),
      z.strictObject({
        stdin: z.literal(true).meta({ description: 'The value is written to the standard input; it may be any text' }),
      }),
    ],
    { error: 'expected {"flag": "--x", "joined"?: true}, {"positional": 0} or {"stdin": true}' },
  )
  .meta({
    description: 'How the input reaches the process: as a flag, at a position, or on stdin. Without it, it does not',
    examples: [{ flag: '--only' }, { flag: '--only', joined: true }, { positional: 0 }, { stdin: true }],
  });

const JsonPointerSchema = z
  .string()
  .max(4096)
  .regex(
    /^(?:\/(?:[^~/]|~[01])*)*$/u,
    'expected a JSON pointer (RFC 6901), such as "/items/0": each step begins with "/", "~" is written "~0" and "/" in a key "~1"',
  )
  .optional()
  .meta({
    description: 'Which part of the JSON value it is: a JSON pointer (RFC 6901). Left out: the whole',
    examples: ['/items/0'],
  });

/** Where an output comes from (P6). */
const FromSchema = z
  .union(
    [
      z.strictObject({
        stdout: z.enum(['json', 'text']).meta({
          description:
            'The standard output: read as one JSON value, or taken as text, without the white space at both ends',
          examples: ['json', 'text'],
        }),
        pointer: JsonPointerSchema,
      }),
      z.strictObject({
        result: z.literal(true).meta({ description: 'What the function of the inProcess arm returns' }),
        pointer: JsonPointerSchema,
      }),
    ],
    { error: 'expected {"stdout": "json"|"text"} or {"result": true}, with an optional pointer' },
  )
  .meta({
    description:
      'Where the output comes from. When every output says so, the tool has an outputSchema; where the type of one has a contentMediaType, the ' +
      'outputs are content of a result instead: images, audio, resources, texts',
    examples: [{ stdout: 'text' }, { stdout: 'json', pointer: '/items' }, { result: true }],
  });

const portName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'expected 1 to 64 of A-Z a-z 0-9 _ . -');

export const InputSchema = z.strictObject({
  name: portName.meta({
    description: 'Name of the input: the property that a client gives',
    examples: ['path'],
  }),
  schema: AbsoluteIriSchema.meta({
    description:
      'The type: the IRI of an entry of the $defs of a type document, <$id>#/$defs/<Name>. One that goes into a word of the command has ' +
      'to admit no character that a shell acts on; docs/types.md lists the built-in types that do not',
    examples: argvSafeTypes.map((name) => `${builtinTypesId}#/$defs/${name}`),
  }),
  description: text.optional().meta({
    description: 'What the model reads about the input, in place of the description of its type',
    examples: ['Files or folders, relative to the project; each must exist'],
  }),
  required: z
    .boolean()
    .optional()
    .meta({
      description: 'Whether a call has to give it',
      default: false,
      examples: [true],
    }),
  repeated: z
    .boolean()
    .optional()
    .meta({
      description:
        'A list of values: the flag is given once for each, or they are the last positional words. Not on stdin, and no booleans',
      default: false,
      examples: [true],
    }),
  arg: ArgSchema.optional(),
});

export const OutputSchema = z.strictObject({
  name: portName.meta({
    description: 'Name of the output: its property in the structured result',
    examples: ['report'],
  }),
  schema: AbsoluteIriSchema.meta({
    description: 'The type: the IRI of an entry of the $defs of a type document',
    examples: [`${builtinTypesId}#/$defs/Text`],
  }),
  description: text.optional().meta({ description: 'What the output is', examples: ['The commits, newest first'] }),
  required: z
    .boolean()
    .optional()
    .meta({
      description: 'Whether the result always has it',
      default: true,
      examples: [false],
    }),
  from: FromSchema.optional(),
});

export type Input = z.output<typeof InputSchema>;
export type Output = z.output<typeof OutputSchema>;
export type Arg = z.output<typeof ArgSchema>;
