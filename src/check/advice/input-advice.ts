import type { Input } from '../../../schemas/port.js';
import type { Tool } from '../../../schemas/tool.js';
import { argvSafeTypes, builtinTypesId } from '../../../schemas/types.js';
import { typeName } from '../../projection/type-reference.js';
import type { Advice, Case } from './advice.js';
import { jsonMember } from './json-member.js';

/** An input that has no way to the process: the ways that are still free. */
export function unreachableAdvice({ io: { inputs } }: Tool, { reason, types }: Case): Advice | undefined {
  const found = inputIn(reason, inputs);
  if (found === undefined) return undefined;
  const { input, index } = found;
  const isPlain = isSafeInArgv(input.schema, types);
  const ways = isPlain ? [...wordWays(input, inputs), ...stdinWays(input, inputs)] : stdinWays(input, inputs);
  const isFree = isPlain || ways.length > 0;
  return {
    steps: [
      `Say how "${input.name}" reaches the command: as the value of a flag, as a word at a position, or on stdin. Or leave "required" out of it: then it is not offered.`,
      ...(isPlain ? [] : [`Its type ${typeName(input.schema)} may hold anything, which only stdin can take.`]),
      ...(isFree
        ? []
        : [`stdin is taken by another input, so give "${input.name}" a type that is safe as a word: ${safeTypes()}.`]),
    ],
    pointer: `/io/inputs/${index}`,
    now: JSON.stringify(input),
    ...(ways.length === 0 ? {} : { change: ways.map((arg) => jsonMember('arg', arg)) }),
  };
}

/** An input whose values could be more than a value in a word of the command. */
export function unsafeAdvice({ io: { inputs } }: Tool, { reason, types }: Case): Advice | undefined {
  const found = inputIn(reason, inputs);
  if (found === undefined) return undefined;
  const { input, index } = found;
  const own = types.get(input.schema);
  const isOwn = own !== undefined && !input.schema.startsWith(`${builtinTypesId}#`);
  const nearest = likelyTypes(input.name);
  return {
    steps: [
      `Give "${input.name}" a type none of whose values has a space, a quote or another character that a shell acts on, or pass it on stdin, where anything may be.`,
      `Built-in types that are so: ${safeTypes()}.`,
      ...(isOwn
        ? [
            `Or state it in the type itself: ${typeName(input.schema)} in ${own.document}, with ${jsonMember('pattern', '^[A-Za-z0-9_][A-Za-z0-9_./-]*$')} or an enum.`,
          ]
        : []),
    ],
    pointer: `/io/inputs/${index}/schema`,
    now: jsonMember('schema', input.schema),
    change: [
      ...nearest.map((name) => jsonMember('schema', `${builtinTypesId}#/$defs/${name}`)),
      ...stdinWays(input, inputs).map((arg) => jsonMember('arg', arg)),
    ],
  };
}

/** An input that an interpreter would run. */
export function interpreterAdvice({ id, invoke: { shell = '' } }: Tool, { reason }: Case): Advice {
  const [, interpreter = 'sh'] = /it is run by (\S+?)(?:,| |$)/.exec(reason) ?? [];
  const script = `scripts/${id}.${extensions.get(interpreter) ?? 'sh'}`;
  const runs = extensions.has(interpreter) ? `${interpreter} ${script}` : script;
  return {
    steps: [
      `Put the program into a file of the instance, such as ${script}, and name the file: then the input is an argument of the program, and no part of it.`,
      ...(runs === script ? [`It begins with #!/bin/sh, and is made executable: chmod +x ${script}`] : []),
    ],
    pointer: '/invoke/shell',
    now: jsonMember('shell', shell),
    change: [jsonMember('shell', runs)],
  };
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['node', 'js'],
  ['bun', 'ts'],
  ['deno', 'ts'],
  ['python', 'py'],
  ['python3', 'py'],
  ['ruby', 'rb'],
  ['perl', 'pl'],
  ['php', 'php'],
]);

/** The input that a reason names. */
function inputIn(
  reason: string,
  inputs: readonly Input[],
): { readonly input: Input; readonly index: number } | undefined {
  const name = /\binput "([^"]+)"/.exec(reason)?.[1];
  const index = inputs.findIndex((input) => input.name === name);
  const input = inputs[index];
  return input === undefined ? undefined : { input, index };
}

/** Whether its values are plain by what kind they are; of a pattern, only the proof knows. */
function isSafeInArgv(schema: string, types: Case['types']): boolean {
  if (argvSafeTypes.includes(schema.slice(`${builtinTypesId}#/$defs/`.length))) return true;
  const type = types.get(schema)?.schema;
  return type?.type !== 'string' || 'pattern' in type || 'enum' in type || 'const' in type;
}

function wordWays({ name, repeated }: Input, inputs: readonly Input[]): object[] {
  const used = inputs.flatMap(({ arg }) => (arg !== undefined && 'positional' in arg ? [arg.positional] : []));
  const last = inputs.find(({ arg }) => arg !== undefined && 'positional' in arg && arg.positional === used.length - 1);
  const flag = { flag: `--${name.replaceAll(/[_.]/g, '-').replace(/^-+/, '')}` };
  const canFollow = last === undefined || (last.repeated !== true && last.required === true);
  return repeated === true || canFollow ? [flag, ...(canFollow ? [{ positional: used.length }] : [])] : [flag];
}

function stdinWays({ name, repeated }: Input, inputs: readonly Input[]): object[] {
  const isTaken = inputs.some((other) => other.name !== name && other.arg !== undefined && 'stdin' in other.arg);
  return isTaken || repeated === true ? [] : [{ stdin: true }];
}

/** Built-in types that an input of this name is likely to be; a plain word where the name tells nothing. */
function likelyTypes(name: string): string[] {
  const likely = byName.filter(([pattern]) => pattern.test(name)).map(([, type]) => type);
  return likely.length === 0 ? ['Word'] : likely.slice(0, 2);
}

const byName: readonly (readonly [RegExp, string])[] = [
  [/(?:path|dir|folder|file|source|target|out)/i, 'Path'],
  [/(?:url|link|endpoint)/i, 'Url'],
  [/(?:host|domain|server)/i, 'HostName'],
  [/(?:branch|ref|tag)/i, 'Branch'],
  [/(?:sha|commit|hash)/i, 'CommitSha'],
  [/(?:version)/i, 'SemVer'],
  [/(?:package|module|dependency)/i, 'PackageName'],
  [/(?:repo)/i, 'RepositoryName'],
  [/(?:script|task|command)/i, 'ScriptName'],
  [/(?:e-?mail)/i, 'Email'],
  [/(?:date|since|until|day)/i, 'Date'],
  [/(?:count|limit|number|size|max|min)/i, 'Count'],
  [/(?:slug|name|id|key)$/i, 'Slug'],
];

function safeTypes(): string {
  return argvSafeTypes.join(', ');
}
