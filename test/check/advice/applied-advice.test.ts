import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../schemas/declaration.js';
import type { Tool } from '../../../schemas/tool.js';
import { NodeSchema } from '../../../schemas/tool-rules.js';
import { builtinTypeNodes, builtinTypesId } from '../../../schemas/types.js';
import { type Advice, adviceFor } from '../../../src/check/advice/advice.js';
import { optionLikeValue } from '../../../src/check/rules/option-like-value.js';
import { parentPath } from '../../../src/check/rules/parent-path.js';
import { analysePatterns } from '../../../src/patterns/analyse.js';
import type { PatternVerdicts } from '../../../src/patterns/verdict.js';
import type { Projection } from '../../../src/projection/generation.js';
import type { ToolNode, TypeNode, TypeRegistry } from '../../../src/projection/node.js';
import { patternsOf } from '../../../src/projection/patterns.js';
import { project } from '../../../src/projection/project.js';
import { input, node, tool } from '../../cli/generation-builder.js';
import { willingHost } from '../../projection/sample-node.js';
import { checked, found } from '../checked-instance.js';

const own: Readonly<Record<string, JsonSchema>> = {
  RepoUrl: { type: 'string', description: 'Where the repository is' },
  Bounded: { type: 'string', pattern: '^[a-z ]+$' },
  RepoPath: { type: 'string', description: 'Anything' },
  Place: { type: 'string', description: 'A folder of the project' },
};
const types: TypeRegistry = new Map<string, TypeNode>([
  ...builtinTypeNodes.map(({ iri, schema }) => [iri, { iri, document: '', schema }] as const),
  ...Object.entries(own).map(([name, schema]) => {
    const iri = ownIri(name);
    return [iri, { iri, document: 'graph/types.json', schema }] as const;
  }),
]);
let verdicts: PatternVerdicts;

beforeAll(async () => {
  const inputs = [...types.keys()].map((schema, i) => ({ ...input(`i${i}`), schema, arg: { positional: i } }));
  verdicts = await analysePatterns(patternsOf([node('all', { io: { inputs, outputs: [] } })], types));
});

function ownIri(name: string): string {
  return `https://example.org/types#/$defs/${name}`;
}

function builtin(name: string): string {
  return `${builtinTypesId}#/$defs/${name}`;
}

function projected(one: ToolNode): Projection {
  const options = { tiers: ['stable' as const] };
  return project({ tools: [one], types, problems: [], host: willingHost([one]), options, verdicts });
}

/** What is advised about a node as it stands; undefined when it is served. */
function advised(fields: Partial<Tool>): Advice | undefined {
  const one = node('deploy', fields);
  const { omissions, entries } = projected(one);
  const [omission] = omissions;
  if (omission === undefined) {
    expect([...entries.keys()]).toEqual(['deploy']);
    return undefined;
  }
  return adviceFor(omission.code, one.tool, { reason: omission.reason, types, verdicts });
}

/** The node with one of the changes, and everything that goes with it. */
function changed(fields: Partial<Tool>, { pointer = '', with: additions = [] }: Advice, change: string): Tool {
  const copy = structuredClone(tool('deploy', fields));
  put(copy, pointer, JSON.parse(`{${change}}`) as Record<string, unknown>);
  for (const { pointer: at, text } of additions) {
    if (at.endsWith('/-')) (placeAt(copy, at.slice(0, -2)) as unknown[]).push(JSON.parse(text));
    else put(copy, at, JSON.parse(`{${text}}`) as Record<string, unknown>);
  }
  return NodeSchema.parse(copy);
}

/** The members of a change stand beside the one that the pointer ends in, or in the object that it leads to. */
function put(target: object, pointer: string, members: Record<string, unknown>): void {
  const place = placeAt(target, pointer);
  const isObject = typeof place === 'object' && place !== null;
  Object.assign(isObject ? place : (placeAt(target, pointer.slice(0, pointer.lastIndexOf('/'))) as object), members);
}

function placeAt(target: object, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], target);
}

function shell(text: string, inputs: Tool['io']['inputs'] = []): Partial<Tool> {
  return { invoke: { shell: text }, io: { inputs, outputs: [] } };
}

const cases: readonly (readonly [string, Partial<Tool>])[] = [
  ...[
    ['git log --author=<n>'],
    ['git log --author <n>'],
    ['git log <branch name> --oneline'],
    ['head -n<count> <file>'],
    ['git log [--max-count=<n>] [-l] <path>...'],
    ['cp <from> <to>'],
    ['git show origin/<branch>'],
    ['git log <branch> | head'],
    ['<command> now'],
    ['cat <a>... <b>'],
    ['tool --format={json,text} <x>'],
    ['tool [<path>] <x>'],
  ].map(([text = '']) => [text, shell(text)] as const),
  [
    'a placeholder of an input that is there',
    shell('git log <Branch>', [input('branch', { schema: builtin('Branch'), required: true })]),
  ],
  ['a flag of an input that is there', shell('git log --author=<n>', [input('author', { schema: builtin('Email') })])],
  [
    'an input that has its arg',
    shell('git log <branch>', [input('branch', { schema: builtin('Branch'), arg: { positional: 0 } })]),
  ],
  [
    'a position after an optional one',
    shell('x <y>', [input('a', { schema: builtin('Slug'), arg: { positional: 0 } })]),
  ],
  ...['RepoUrl', 'RepoPath', 'Bounded', 'Place'].flatMap((name) => [
    [`${name} in argv`, shell('x', [input('thing', { schema: ownIri(name), arg: { flag: '--x' } })])] as const,
    [`${name} without a way`, shell('x', [input('thing', { schema: ownIri(name), required: true })])] as const,
  ]),
  ['Text in argv', shell('x', [input('branch', { schema: builtin('Text'), arg: { positional: 0 } })])],
  ['a name that is no path', shell('x', [input('timeout', { schema: builtin('Text'), arg: { positional: 0 } })])],
  ...[
    'sh -c',
    'python3 -c',
    'python3.11 -u -c',
    'node --no-warnings -e',
    'bash -ec',
    'deno eval',
    'awk',
    'env X=1 perl -e',
  ].map(
    (text) =>
      [text, shell(text, [input('x', { schema: builtin('Word'), required: true, arg: { positional: 0 } })])] as const,
  ),
  ['python3 on stdin', shell('python3 -', [input('x', { schema: builtin('Text'), arg: { stdin: true } })])],
];

describe('advice that is applied', () => {
  it.each(cases)('gives only changes that the projection and check accept: %s', (_, fields) => {
    const advice = advised(fields);
    expect(advice?.change?.length).toBeGreaterThan(0);
    for (const change of advice?.change ?? []) {
      const after = changed(fields, advice as Advice, change);
      const one = { ...node('deploy'), tool: after };
      const { omissions, problems, entries } = projected(one);
      expect({ change, omissions, problems }).toEqual({ change, omissions: [], problems: [] });
      expect([...entries.keys()]).toEqual(['deploy']);
      const instance = checked({ nodes: [one], types, verdicts });
      expect(found(parentPath, instance)).toEqual([]);
      expect(found(optionLikeValue, instance)).toEqual([]);
    }
  });

  it.each<[string, string, object[]]>([
    [
      'git log --author=<n>',
      'git log',
      [{ name: 'author', schema: builtin('Word'), required: true, arg: { flag: '--author', joined: true } }],
    ],
    [
      'git log --author <n>',
      'git log',
      [{ name: 'author', schema: builtin('Word'), required: true, arg: { flag: '--author' } }],
    ],
    ['git log <n>', 'git log', [{ name: 'n', schema: builtin('Word'), required: true, arg: { positional: 0 } }]],
    ['git log [-l]', 'git log', [{ name: 'l', schema: builtin('Flag'), arg: { flag: '-l' } }]],
    [
      'rg <pattern> <path>...',
      'rg',
      [
        { name: 'pattern', schema: builtin('Word'), required: true, arg: { positional: 0 } },
        { name: 'path', schema: builtin('Path'), required: true, repeated: true, arg: { positional: 1 } },
      ],
    ],
  ])('makes of the placeholders of %j the inputs that they mean', (text, words, inputs) => {
    const advice = advised(shell(text)) as Advice;
    const after = changed(shell(text), advice, advice.change?.[0] ?? '');
    expect([after.invoke.shell, after.io.inputs]).toEqual([words, inputs]);
  });

  it('adds to an input that is there only the arg, and keeps its type', () => {
    const there = input('author', { schema: builtin('Email'), description: 'Whose', required: true });
    const fields = shell('git log --author=<who>', [there]);
    const advice = advised(fields) as Advice;
    expect(advice.steps.join(' ')).toContain('Add to the input "author": "arg": {"flag":"--author","joined":true}');
    expect(changed(fields, advice, advice.change?.[0] ?? '').io.inputs).toEqual([
      { ...there, arg: { flag: '--author', joined: true } },
    ]);
  });

  it('suggests a script, once, where more than placeholders needs a shell', () => {
    const { steps, change } = advised(shell('git log <branch> --author=<n> | head')) as Advice;
    expect(change).toEqual(['"shell": "scripts/deploy.sh"']);
    expect(steps.filter((step) => step.includes('scripts/deploy.sh'))).toHaveLength(1);
  });

  it.each([
    ['python3 -c', 'python3 scripts/deploy.py'],
    ['python3.11 -u -c', 'python3.11 -u scripts/deploy.py'],
    ['env A=1 node --no-warnings -e', 'env A=1 node --no-warnings scripts/deploy.js'],
    ['bash -ec', 'bash scripts/deploy.sh'],
    ['deno eval', 'deno run scripts/deploy.ts'],
  ])('keeps the interpreter that the author wrote: %s', (text, expected) => {
    const word = input('x', { schema: builtin('Word'), required: true, arg: { positional: 0 } });
    expect(advised(shell(text, [word]))?.change).toEqual([`"shell": "${expected}"`]);
  });

  it.each([
    ['RepoUrl', ['Url']],
    ['Place', ['Path']],
    ['Bounded', []],
  ])(
    'suggests for a type of its own the built-in one that fits, and no pattern where none does: %s',
    (name, fitting) => {
      const { steps, change } = advised(
        shell('x', [input('thing', { schema: ownIri(name), arg: { flag: '--x' } })]),
      ) as Advice;
      const step = steps.find((text) => text.includes('in the type itself')) ?? '';
      expect(step).toMatch(
        fitting.length === 0 ? /an enum of the values/ : new RegExp(`the pattern of ${fitting[0]}: `),
      );
      for (const type of fitting) expect(change?.[0]).toBe(`"schema": "${builtin(type)}"`);
    },
  );
});
