import { toolNode, typeIri } from '../e2e/instance.js';

/** Types beside those of `Instance.writeTypes`: one for each thing that a schema can hold and a host can stumble over. */
export const mappedTypes = {
  Level: { enum: ['low', 'middle', 'hög'], description: 'How much' },
  Code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{1,6}$', minLength: 4, maxLength: 9, examples: ['AB-12'] },
  Percent: { type: 'integer', minimum: 0, maximum: 100, default: 50 },
  Ratio: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  Switch: { type: 'boolean', title: 'Switch' },
  Text: { type: 'string', title: 'Text' },
  Place: {
    type: 'object',
    title: 'Place – 場所',
    properties: {
      name: { $ref: '#/$defs/Text' },
      'postal-code.1': { $ref: '#/$defs/Code', description: 'Its code' },
      levels: { type: 'array', items: { $ref: '#/$defs/Level' }, minItems: 1, uniqueItems: true },
      inside: {
        type: 'object',
        properties: { share: { $ref: '#/$defs/Ratio' }, open: { const: true } },
        required: ['share'],
        additionalProperties: false,
      },
    },
    required: ['name'],
    additionalProperties: false,
  },
  Route: { type: 'array', items: { $ref: '#/$defs/Place' }, maxItems: 5 },
  Reading: {
    type: 'object',
    properties: {
      unit: { type: 'string', not: { const: 'none' }, anyOf: [{ maxLength: 3 }, { pattern: '^per ' }] },
      value: { type: 'number', oneOf: [{ minimum: 0 }, { const: -1 }] },
    },
    required: ['unit'],
    additionalProperties: false,
  },
  Unportable: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  Anything: { type: 'object', properties: {} },
  Labels: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
} as const;

/** `prints` prints its arguments, one a line, and then its stdin; `fails` ends with 3. */
export const mappedScripts = {
  'bin/prints': ['for argument in "$@"; do printf "%s\\n" "$argument"; done', 'cat'],
  'bin/fails': ['echo "no luck" >&2', 'exit 3'],
} as const;

const longId = 'a-name-of-exactly-sixty-four-characters-which-is-just-short-enou';
const confusable = 'Ignores “quotes”, \\ backslashes, <tags> & {braces}\n\n- a list\n\tand 日本語, العربية, 🙂';

/** A Tool node for each row of the mapping: the rules P1 to P8, P13 to P15, P17 and P18. */
export const mappedTools = [
  toolNode('prints', {
    description: 'Prints what it is given',
    effect: 'read',
    idempotent: true,
    openWorld: false,
    invoke: { shell: 'bin/prints' },
    io: {
      inputs: [
        input('place', 'Word', { required: true, arg: { positional: 0 }, description: 'Wins over the type' }),
        input('codes', 'Code', { repeated: true, arg: { flag: '--code' } }),
        input('level', 'Level', { arg: { flag: '--level' } }),
        input('percent', 'Percent', { arg: { flag: '--percent', joined: true } }),
        input('ratio', 'Ratio', { arg: { flag: '-r' } }),
        input('verbose', 'Switch', { arg: { flag: '--verbose' } }),
        input('text', 'Text', { required: true, arg: { stdin: true } }),
        input('unreached', 'Text'),
        input('words', 'Word', { required: true, repeated: true, arg: { positional: 1 } }),
      ],
    },
  }),
  toolNode('fails', { effect: 'destructive', invoke: { shell: 'bin/fails' } }),
  toolNode('gives-report', {
    effect: 'read',
    idempotent: true,
    invoke: { shell: 'cat' },
    io: {
      inputs: [input('text', 'Text', { required: true, arg: { stdin: true } })],
      outputs: [
        output('route', 'Route', { from: { stdout: 'json', pointer: '/route' }, description: 'Wins over the type' }),
        output('level', 'Level', { from: { stdout: 'json', pointer: '/a~1b/0' }, required: false }),
        output('whole', 'Anything', { from: { stdout: 'json' } }),
        output('printed', 'Text', { from: { stdout: 'text' } }),
      ],
    },
  }),
  toolNode('gives-number', {
    invoke: { shell: 'cat' },
    io: {
      inputs: [input('text', 'Text', { required: true, arg: { stdin: true } })],
      outputs: [output('percent', 'Percent', { from: { stdout: 'json' } })],
    },
  }),
  toolNode('gives-text', {
    type: 'write',
    io: { outputs: [output('text', 'Code', { from: { stdout: 'text' } })] },
    invoke: { shell: 'echo AB-1' },
  }),
  toolNode('describes-prose', {
    io: { outputs: [output('text', 'Text', { from: { stdout: 'text' } }), output('prose', 'Unportable', {})] },
  }),
  toolNode('fails-with-outputs', {
    invoke: { shell: 'bin/fails' },
    io: { outputs: [output('text', 'Text', { from: { stdout: 'text' } })] },
  }),
  toolNode('takes-nothing', { io: {} }),
  toolNode('takes-place', { invoke: { shell: 'cat' }, io: { inputs: [onStdin('Place', true)] } }),
  toolNode('takes-route', { invoke: { shell: 'cat' }, io: { inputs: [onStdin('Route', false)] } }),
  toolNode('takes-reading', { invoke: { shell: 'cat' }, io: { inputs: [onStdin('Reading', true)] } }),
  toolNode('takes-labels', { invoke: { shell: 'cat' }, io: { inputs: [onStdin('Labels', true)] } }),
  toolNode('takes-hundred', {
    io: { inputs: Array.from({ length: 100 }, (_, i) => input(`option-${i}`, 'Word', { arg: { flag: `--o${i}` } })) },
  }),
  // Names that a client with plain objects, or one that takes every key for a keyword, stumbles over.
  toolNode('constructor', {
    io: {
      inputs: ['type', 'properties', 'items', 'required', 'not', 'anyOf', 'title', 'format', 'toString'].map((name) =>
        input(name, 'Word', { arg: { flag: `--${name}` } }),
      ),
    },
  }),
  toolNode('asks-first', {
    requiresConfirmation: true,
    effect: 'write',
    io: { inputs: [input('word', 'Word', { required: true, arg: { positional: 0 } })] },
  }),
  toolNode('same-title', { title: 'Same Title' }),
  toolNode('other-scripts', { title: 'Überschrift 見出し', description: confusable }),
  toolNode('retired', { tier: 'deprecated', deprecated: { reason: 'use prints — 🙂', replacedBy: 'prints' } }),
  toolNode('retired-asks', { tier: 'deprecated', requiresConfirmation: true }),
  toolNode('on-trial', { tier: 'experimental' }),
  toolNode(longId),
  toolNode(`${longId}gh`),
  toolNode(`${longId}gh-again`),
];

function input(name: string, type: keyof typeof mappedTypes | 'Word', fields: Record<string, unknown> = {}) {
  return { name, schema: typeIri(type), ...fields };
}

function output(name: string, type: keyof typeof mappedTypes, fields: Record<string, unknown>) {
  return { name, schema: typeIri(type), ...fields };
}

function onStdin(type: keyof typeof mappedTypes, required: boolean) {
  return input('value', type, { required, arg: { stdin: true } });
}
