import type { Tool } from '../../../schemas/tool.js';
import { programName } from '../../projection/interpreters.js';
import type { Advice, Case } from './advice.js';
import { jsonMember } from './json-member.js';
import { rawWords } from './raw-words.js';

/** An input that an interpreter would run: the program goes into a file, which the interpreter that the author wrote runs. */
export function interpreterAdvice({ id, invoke: { shell = '' } }: Tool, { reason }: Case): Advice {
  const [, program = 'sh', option] = /it is run by (\S+?)(?: (-\S+|eval|exec)| on stdin|,|$)/.exec(reason) ?? [];
  const runs = scriptRun(shell, program, option, id);
  const [script, isRunItself] = runs === undefined ? [`scripts/${id}.sh`, true] : [runs.script, false];
  return {
    steps: [
      `Put the program into a file of the instance, such as ${script}, and name the file: then the input is an argument of the program, and no part of it.`,
      ...(isRunItself ? [`It begins with #!/bin/sh, and is made executable: chmod +x ${script}`] : []),
    ],
    pointer: '/invoke/shell',
    now: jsonMember('shell', shell),
    change: [jsonMember('shell', runs?.shell ?? script)],
  };
}

/** Undefined of a program that runs no script by its name. */
function scriptRun(
  shell: string,
  program: string,
  option: string | undefined,
  id: string,
): { readonly script: string; readonly shell: string } | undefined {
  const known = scripts.get(program);
  const words = rawWords(shell).map(({ text }) => text);
  const at = words.findIndex((word) => programName(word) === program);
  if (known === undefined || at === -1) return undefined;
  const [extension, ...before] = known;
  const script = `scripts/${id}.${extension}`;
  const code = option === undefined ? -1 : words.indexOf(option, at);
  const options = words.slice(at + 1, code === -1 ? undefined : code).filter((word) => !fromStdin.has(word));
  return { script, shell: [...words.slice(0, at + 1), ...options, ...before, script].join(' ') };
}

/** Words that say that the program comes from stdin. */
const fromStdin: ReadonlySet<string> = new Set(['-', '-s', '/dev/stdin']);

/** By the name of the program, the extension of a script of it, and the words before the script. */
const scripts: ReadonlyMap<string, readonly [extension: string, ...before: string[]]> = new Map<
  string,
  readonly [string, ...string[]]
>([
  ...['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh'].map((name) => [name, ['sh']] as const),
  ...['python', 'pypy'].map((name) => [name, ['py']] as const),
  ...['node', 'nodejs'].map((name) => [name, ['js']] as const),
  ...['bun', 'tsx'].map((name) => [name, ['ts']] as const),
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, ['awk', '-f']] as const),
  ...['pwsh', 'powershell'].map((name) => [name, ['ps1', '-File']] as const),
  ['deno', ['ts', 'run']],
  ['sed', ['sed', '-f']],
  ['ruby', ['rb']],
  ['perl', ['pl']],
  ['php', ['php']],
  ['lua', ['lua']],
  ['julia', ['jl']],
  ['rscript', ['R']],
  ['tclsh', ['tcl']],
]);
