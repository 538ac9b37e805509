import { builtinTypesId } from '../schemas/types.js';

/** A whole Tool node, for docs/node.md. */
export const sampleTool = {
  id: 'count-words',
  title: 'Count words',
  description: 'Prints how many words a text has. Use it before a text is sent where its length is limited.',
  effect: 'read',
  invoke: { shell: 'wc -w' },
  io: {
    inputs: [{ name: 'text', schema: `${builtinTypesId}#/$defs/Text`, required: true, arg: { stdin: true } }],
    outputs: [{ name: 'words', schema: `${builtinTypesId}#/$defs/Count`, from: { stdout: 'json' } }],
  },
  satisfies: ['text-measure'],
};

export const sampleSkill = {
  name: 'text-measure',
  title: 'Measure texts',
  description: 'Find out how long a text is, before it goes where length is limited',
};

export const sampleView = {
  '@type': 'View',
  id: 'tools-of-skill',
  title: 'Tools of a skill',
  description: 'Which tools satisfy a skill, by its name',
  query: 'SELECT ?id { ?tool tg:satisfies/schema:name ?skill ; dcterms:identifier ?id } ORDER BY ?id',
  parameters: [{ name: 'skill', schema: `${builtinTypesId}#/$defs/Slug`, required: true }],
};

/** A rule that one field alone cannot show, and what of a sound Tool breaks it: members that replace those of `sampleTool`. */
export interface NodeRule {
  readonly what: string;
  readonly breaks: Readonly<Record<string, unknown>>;
}

/** Every rule of schemas/tool-rules.ts. */
export const nodeRules: readonly NodeRule[] = [
  { what: '`description` or its older name `summary`, and not both.', breaks: { summary: 'Counts' } },
  { what: '`effect` or its other spelling `type`, and not both.', breaks: { type: 'read' } },
  { what: '`deprecated` only with `"tier": "deprecated"`.', breaks: { deprecated: { reason: 'too slow' } } },
  {
    what: '`invoke` has at least one of `shell`, `container`, `inProcess` and `manual`.',
    breaks: { invoke: { mcp: { tool: 'count' } } },
  },
  { what: 'A remedy has `tool` or `none`, and not both.', breaks: { remedies: [{ error: '429' }] } },
  { what: 'Two inputs do not share a name', breaks: inputs({ name: 'a' }, { name: 'a' }) },
  { what: 'or a flag.', breaks: inputs({ arg: { flag: '-a' } }, { arg: { flag: '-a' } }) },
  { what: 'At most one input is on stdin,', breaks: inputs({ arg: { stdin: true } }, { arg: { stdin: true } }) },
  { what: 'and that one is not repeated.', breaks: inputs({ repeated: true, arg: { stdin: true } }) },
  { what: 'Positions are counted from 0 without a gap,', breaks: inputs({ arg: { positional: 1 } }) },
  { what: 'and each is taken once.', breaks: inputs({ arg: { positional: 0 } }, { arg: { positional: 0 } }) },
  {
    what: 'A required positional does not come after an optional one.',
    breaks: inputs({ arg: { positional: 0 } }, { required: true, arg: { positional: 1 } }),
  },
  {
    what: 'Only the last positional may be repeated.',
    breaks: inputs({ repeated: true, arg: { positional: 0 } }, { arg: { positional: 1 } }),
  },
  { what: 'Two outputs with a `from` do not share a name.', breaks: outputs({ name: 'a' }, { name: 'a' }) },
  { what: 'A text has no parts: `"stdout": "text"` has no `pointer`.', breaks: outputs({ pointer: '/a' }) },
];

function inputs(...ports: readonly object[]): { io: object } {
  return {
    io: { inputs: ports.map((port, i) => ({ name: `p${i}`, schema: `${builtinTypesId}#/$defs/Slug`, ...port })) },
  };
}

function outputs(...ports: readonly { name?: string; pointer?: string }[]): { io: object } {
  const of = ({ name = 'a', ...rest }: { name?: string; pointer?: string }) => {
    return { name, schema: `${builtinTypesId}#/$defs/Text`, from: { stdout: 'text', ...rest } };
  };
  return { io: { outputs: ports.map(of) } };
}
