import type { Tool } from '../../schemas/tool.js';
import { splitWords } from '../projection/words.js';
import type { CommandEffect } from './command-effect.js';
import { commandRows, rehearsals, valuedOptions } from './command-rows.js';
import { type Arguments, programOf, readArguments, shellCommands } from './command-words.js';
import { wrappedCommands } from './wrapped-commands.js';

/** The part of a command that shows an effect, as words: `git push --force`. */
export interface KnownEffect {
  readonly effect: CommandEffect;
  readonly words: string;
}

/** What the commands of a Tool are known to do: of its shell arm, a shell string that needs a shell too, and of its container. */
export function knownEffects({ invoke: { shell, container } }: Tool): KnownEffect[] {
  const command = typeof container === 'object' ? container.command : undefined;
  const lines = [shell, typeof command === 'string' ? command : undefined].filter((line) => line !== undefined);
  return [...lines.flatMap((line) => effectsOfCode(line, 0)), ...(Array.isArray(command) ? effectsOf(command, 0) : [])];
}

/** How many programs deep one is looked for that another runs. */
const mostDepth = 16;

/** What needs no shell is split as a call splits it, and the rest as well as it can be without one. */
function effectsOfCode(code: string, depth: number): KnownEffect[] {
  const split = splitWords(code);
  const commands = 'words' in split ? [split.words] : shellCommands(code);
  return [...redirections(code), ...commands.flatMap((words) => effectsOf(words, depth))];
}

function effectsOf(words: readonly string[], depth: number): KnownEffect[] {
  if (depth > mostDepth) return [];
  const { commands, code } = wrappedCommands(words);
  return [
    ...ownEffects(words),
    ...commands.flatMap((command) => effectsOf(command, depth + 1)),
    ...code.flatMap((text) => effectsOfCode(text, depth + 1)),
  ];
}

function redirections(shell: string): KnownEffect[] {
  const plain = shell.replaceAll(/'[^']*'|"[^"]*"|<[^<>\s]*>|=>|->/gu, '');
  const found = /(?<![0-9&])(>>?)\s*(?!&|\/dev\/null)[^\s>|;&]+/u.exec(plain);
  if (found === null) return [];
  const effects: CommandEffect[] = found[1] === '>>' ? ['writes', 'adds'] : ['writes'];
  return effects.map((effect) => ({ effect, words: `the redirection ${found[0]}` }));
}

const bundled = new Set(['tar', 'bsdtar', 'gtar']);

function ownEffects([first = '', ...words]: readonly string[]): KnownEffect[] {
  const program = programOf(first).replace(/^pip3$/u, 'pip');
  // The first word of tar is a bundle of options with or without the hyphen.
  const args = bundled.has(program) && /^[A-Za-z]/u.test(words[0] ?? '') ? [`-${words[0]}`, ...words.slice(1)] : words;
  const read = readArguments(args, valuedOptions.get(program) ?? new Set());
  if (isRehearsal(program, read)) return [];
  const { options, operands } = read;
  const plain = [...options, ...operands.filter((word) => !/^-./u.test(word))];
  return commandRows.flatMap(({ programs, sub, needs, unless, effects }) => {
    if (!programs.has(program)) return [];
    const subWords = sub?.map((text) => text.split(' ')).find((ones) => ones.every((word, i) => operands[i] === word));
    if (sub !== undefined && subWords === undefined) return [];
    const needed = needs === undefined ? undefined : plain.find((word) => needs.test(word));
    if ((needs !== undefined && needed === undefined) || plain.some((word) => unless?.test(word))) return [];
    const shown = [program, ...(subWords ?? []), ...(needed === undefined ? [] : [needed.replace(/^(-.)=/u, '$1 ')])];
    return effects.map((effect) => ({ effect, words: shown.join(' ') }));
  });
}

/** Whether the program only tells of itself, or of what it would do. */
function isRehearsal(program: string, { options, operands: [sub = ''] }: Arguments): boolean {
  const own = rehearsals.filter(({ programs, sub: subs }) => programs.has(program) && subs?.has(sub) !== false);
  return options.some(
    (option) => option === '--help' || option === '--version' || own.some((one) => one.option.test(option)),
  );
}
