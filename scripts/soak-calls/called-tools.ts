import { jsonFile } from '../../src/json-text.js';

/** A file of the instance: its path with `/`, its text, and whether it is a program. */
export interface InstanceFile {
  readonly path: string;
  readonly text: string;
  readonly isProgram?: true;
}

type Node = { readonly [key: string]: unknown };

const type = (name: string): string => `https://w3id.org/toolgraph/types.schema.json#/$defs/${name}`;
const numberInput = { name: 'n', schema: type('Count'), required: true };
const positional = { ...numberInput, arg: { positional: 0 } };

/** Whatever outlives its call sleeps so long, and names the call after the point: `sleep 3600.17` is of call 17. */
const asleep = '3600';
const sleeps = `sleep "${asleep}.$1"`;

/** The number of the call that a sleeping process is of; undefined for any other process. */
export function callOfSleeper(argv: readonly string[]): number | undefined {
  const [program, time = ''] = argv;
  const n = /^3600\.(\d+)$/.exec(time)?.[1];
  return program === 'sleep' && n !== undefined ? Number(n) : undefined;
}

/** What the programs do: `$1` is the number of the call. */
const programs: ReadonlyMap<string, string> = new Map([
  ['sound', 'echo "ok $1"'],
  ['exit-code', 'echo "no: $1" >&2; exit 3'],
  ['crash', 'ulimit -c 0; kill -SEGV $$'],
  ['hang', `exec ${sleeps}`],
  ['deaf', `trap '' TERM; ${sleeps}; ${sleeps}`],
  ['flood', 'head -c 300000 /dev/zero | tr "\\0" x'],
  ['endless', 'exec yes'],
  ['bad-text', 'printf "\\377 ok %s" "$1"'],
  ['no-stdin', 'exec 0<&-; echo "ok $1"'],
  ['no-output', 'exec 1>&- 2>&-; sleep 0.05'],
  ['grandchild', `${sleeps} & echo "ok $1"`],
  ['daemon', `setsid ${sleeps} </dev/null >/dev/null 2>&1 & exec ${sleeps}`],
]);
const limits: ReadonlyMap<string, Node> = new Map([
  ...['hang', 'endless', 'daemon'].map((id) => [id, { timeoutMs: 300 }] as const),
  ['deaf', { timeoutMs: 200 }],
  ['module-loops', { timeoutMs: 500 }],
]);

const modules: ReadonlyMap<string, string> = new Map([
  ['module-throws', "throw new Error('no');"],
  ['module-exits', 'process.exit(1);'],
  ['module-loops', 'for (;;);'],
]);

/** All but the tool and the module that are edited. */
export function lastingFiles(): InstanceFile[] {
  const config = {
    ...{ name: 'soak-calls', keepGoing: true },
    // So few that calls wait for their turn, and some are refused as busy.
    limits: { concurrentCalls: 4, waitingCalls: 4, outputBytes: 4096, keptOutputs: 4, keptOutputBytes: 4_194_304 },
  };
  return [
    { path: 'toolgraph.config.json', text: jsonFile(config) },
    ...[...programs].flatMap(([id, text]) => [programFile(id, text), nodeFile(programNode(id))]),
    ...[...modules].flatMap(([id, text]) => [moduleFile(id, text), nodeFile(moduleNode(id))]),
    programFile('edited', 'echo "ok $2 as $1"'),
    nodeFile(moduleNode('module')),
    nodeFile({ ...programNode('dangerous', 'true'), requiresConfirmation: true }),
    nodeFile({ ...programNode('unavailable', 'true'), requires: { runtime: ['no-such-runtime-of-the-soak'] } }),
  ];
}

/** The tool that is edited: another command in each revision. */
export function editedNode(revision: number): InstanceFile {
  return nodeFile(programNode('edited', `bin/edited.sh revision-${revision}`));
}

/** The module that is edited. */
export function editedModule(revision: number): InstanceFile {
  return moduleFile('module', `return \`ok \${n} as revision-${revision}\`;`);
}

function programNode(id: string, shell = `bin/${id}.sh`): Node {
  const text = id === 'no-stdin' ? [{ name: 'text', schema: type('Text'), arg: { stdin: true } }] : [];
  return { ...node(id), invoke: { shell }, io: { inputs: [positional, ...text] } };
}

function moduleNode(id: string): Node {
  return { ...node(id), invoke: { inProcess: { module: `modules/${id}.mjs` } }, io: { inputs: [numberInput] } };
}

function node(id: string): Node {
  const limit = limits.get(id);
  const about = { id, title: `Soak ${id}`, description: `The tool ${id} of the soak.`, satisfies: ['soaking'] };
  return limit === undefined ? about : { ...about, limits: limit };
}

function nodeFile(value: Node): InstanceFile {
  return { path: `graph/tools/${String(value.id)}.json`, text: jsonFile(value) };
}

function programFile(id: string, text: string): InstanceFile {
  return { path: `bin/${id}.sh`, text: `#!/bin/sh\n${text}\n`, isProgram: true };
}

function moduleFile(id: string, body: string): InstanceFile {
  return { path: `modules/${id}.mjs`, text: `export default function ({ n }) {\n  ${body}\n}\n` };
}
