import type { Input } from '../../../schemas/port.js';
import type { Tool } from '../../../schemas/tool.js';
import { argvSafeTypes, builtinTypesId } from '../../../schemas/types.js';
import { argvDanger } from '../../projection/argv-safety.js';
import { typeName } from '../../projection/type-reference.js';
import type { Advice, Case } from './advice.js';
import { jsonMember } from './json-member.js';
import { likelyTypesOf } from './likely-type.js';

/** An input that has no way to the process: the ways that are still free. */
export function unreachableAdvice({ io: { inputs } }: Tool, about: Case): Advice | undefined {
  const { reason, types } = about;
  const found = inputIn(reason, inputs);
  if (found === undefined) return undefined;
  const { input, index } = found;
  const isPlain = isSafeInArgv(input.schema, about);
  const retyped = isPlain ? [] : likelyTypesOf(input, types);
  const words = wordWays(input, inputs);
  const ways = [
    ...(isPlain ? words.map((arg) => jsonMember('arg', arg)) : []),
    ...retyped.flatMap((type) =>
      words.map((arg) => `${jsonMember('schema', `${builtinTypesId}#/$defs/${type}`)}, ${jsonMember('arg', arg)}`),
    ),
    ...stdinWays(input, inputs).map((arg) => jsonMember('arg', arg)),
  ];
  return {
    steps: [
      `Say how "${input.name}" reaches the command: as the value of a flag, as a word at a position, or on stdin. Or leave "required" out of it: then it is not offered.`,
      ...(isPlain
        ? []
        : [
            `Its type ${typeName(input.schema)} may hold anything, which only stdin can take. As a word it needs a type that is safe there: ${safeTypes()}.`,
          ]),
    ],
    pointer: `/io/inputs/${index}`,
    now: JSON.stringify(input),
    ...(ways.length === 0 ? {} : { change: ways }),
  };
}

/** An input whose values could be more than a value in a word of the command. */
export function unsafeAdvice({ io: { inputs } }: Tool, { reason, types }: Case): Advice | undefined {
  const found = inputIn(reason, inputs);
  if (found === undefined) return undefined;
  const { input, index } = found;
  const likely = likelyTypesOf(input, types);
  return {
    steps: [
      `Give "${input.name}" a type none of whose values has a space, a quote or another character that a shell acts on, or pass it on stdin, where anything may be.`,
      `Built-in types that are so: ${safeTypes()}.`,
      ...ownTypeStep(input, likely, types),
    ],
    pointer: `/io/inputs/${index}/schema`,
    now: jsonMember('schema', input.schema),
    change: [
      ...(likely.length === 0 ? ['Word'] : likely).map((name) =>
        jsonMember('schema', `${builtinTypesId}#/$defs/${name}`),
      ),
      ...stdinWays(input, inputs).map((arg) => jsonMember('arg', arg)),
    ],
  };
}

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

/** Whether its values are plain by what kind they are, or by the proof of its pattern, where that is known. */
function isSafeInArgv(iri: string, { types, verdicts }: Case): boolean {
  if (argvSafeTypes.includes(iri.slice(`${builtinTypesId}#/$defs/`.length))) return true;
  const schema = types.get(iri)?.schema;
  if (schema?.type !== 'string') return true;
  if (typeof schema.pattern === 'string' && verdicts?.has(schema.pattern) !== true) return true;
  return argvDanger({ ...schema, type: schema.type }, verdicts ?? new Map()) === undefined;
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

/** A type of the instance's own that admits what it should not: what it could say instead, with a pattern only where a built-in one fits. */
function ownTypeStep({ schema }: Input, likely: readonly string[], types: Case['types']): string[] {
  const own = types.get(schema);
  if (own === undefined || schema.startsWith(`${builtinTypesId}#`)) return [];
  const named = `${typeName(schema)} in ${own.document}`;
  const [fitting] = likely;
  const pattern = types.get(`${builtinTypesId}#/$defs/${fitting}`)?.schema.pattern;
  return [
    typeof pattern === 'string'
      ? `Or state it in the type itself: ${named}, with the pattern of ${fitting}: ${jsonMember('pattern', pattern)}`
      : `Or state it in the type itself: ${named}, with an enum of the values that there are, or a pattern that admits only what the command takes.`,
  ];
}

function safeTypes(): string {
  return argvSafeTypes.join(', ');
}
