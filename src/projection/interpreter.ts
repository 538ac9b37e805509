import type { Slot } from './generation.js';
import { type Interpreter, interpreters, type Launcher, launchers, programName } from './interpreters.js';

/** An input that would become code (tool-node.md §3, `interpreter-slot`). */
export interface CodeSlot {
  readonly input: string;
  /** What would run it, for the message: `sh -c`, `node on stdin`. */
  readonly interpreter: string;
}

/** A slot, and whether a call has to fill it: what is optional may be absent, so that the next thing takes its place. */
export interface ArgvSlot {
  readonly slot: Slot;
  readonly required: boolean;
}

/**
 * The first input that an interpreter would run as code, however plain its type is: nothing that is safe for argv is safe as
 * code. `slots` in the order of argv (P7). A file that an interpreter would run is not code: it is there already.
 */
export function interpreterSlot(words: readonly string[], slots: readonly ArgvSlot[]): CodeSlot | undefined {
  const command = findCommand(words);
  const stdin = slots.find(({ slot }) => slot.kind === 'stdin')?.slot.name;
  const { program, launched } = command;
  if (program === undefined) return programSlot(command, slots, stdin);
  if (program === 'eval') {
    const [first] = slots;
    return first === undefined ? undefined : { input: first.slot.name, interpreter: 'eval' };
  }
  const interpreter = interpreters.get(program);
  if (interpreter === undefined) return undefined;
  const scan = new CodeScan(program, interpreter);
  scan.words(words.slice(command.at + 1));
  const found = scan.slots(slots.filter(({ slot }) => slot.kind !== 'stdin'));
  if (found !== undefined || stdin === undefined) return found;
  // Behind xargs, stdin is not the program's: its lines are appended to the words, or put in place of a mark in them.
  const appended = launched.find(({ launcher }) => launcher.stdin === 'arguments');
  if (appended === undefined) {
    return scan.readsStdin() ? { input: stdin, interpreter: `${program} on stdin` } : undefined;
  }
  const replaces = words.slice(0, command.at).some((word) => /^(?:-I|-i|--replace)/.test(word));
  if (!scan.expectsCode && !(scan.hasCode && replaces)) return undefined;
  return { input: stdin, interpreter: `${program}, as an argument from ${appended.name}` };
}

interface Command {
  /** Index of the program in the words. */
  readonly at: number;
  /** Undefined when the words end with a launcher, so that an input would name the program. */
  readonly program: string | undefined;
  readonly launched: readonly { readonly name: string; readonly launcher: Launcher }[];
}

/** The program behind `env`, `sudo`, `timeout 5` and the like. */
function findCommand(words: readonly string[]): Command {
  const launched: { name: string; launcher: Launcher }[] = [];
  let at = 0;
  for (;;) {
    const word = words[at];
    if (word === undefined) return { at, program: undefined, launched };
    const name = programName(word);
    const launcher = launchers.get(name);
    const { subcommands } = launcher ?? {};
    if (launcher === undefined || subcommands?.includes(words[at + 1] ?? '') === false) {
      return { at, program: name, launched };
    }
    launched.push({ name, launcher });
    at = afterOptions(words, at + 1, launcher);
  }
}

function afterOptions(words: readonly string[], start: number, { values = [], operands = 0 }: Launcher): number {
  let left = operands;
  let at = start;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (values.includes(word)) at += 1;
    else if (!word.startsWith('-') && !/^\w+=/.test(word)) {
      if (left === 0) return at;
      left -= 1;
    }
  }
  return at;
}

/** No word names a program: a positional input would, and what a launcher runs from stdin is code. */
function programSlot(
  { launched }: Command,
  slots: readonly ArgvSlot[],
  stdin: string | undefined,
): CodeSlot | undefined {
  const last = launched.at(-1);
  if (last === undefined) return undefined;
  const positional = slots.find(({ slot }) => slot.kind === 'positional');
  if (positional !== undefined)
    return { input: positional.slot.name, interpreter: `${last.name}, as the program to start` };
  if (stdin === undefined || last.launcher.stdin !== 'code') return undefined;
  return { input: stdin, interpreter: `${last.name} on stdin` };
}

/** A word that is taken for the script even after an option that is not known here. */
const fileLike = /\/|\.[A-Za-z]\w*$/;

/** Follows the arguments of one interpreter as it would read them itself. */
class CodeScan {
  readonly #program: string;
  readonly #interpreter: Interpreter;
  /** The option, or the program itself, whose code comes next. */
  #awaits: string | undefined;
  #skips = false;
  /** The word before is an option that is not known here: the next word may be its value. */
  #unsure = false;
  /** The arguments from here on are those of a script, or of the code. */
  #ended = false;
  #stdin = false;
  hasCode = false;

  constructor(program: string, interpreter: Interpreter) {
    this.#program = program;
    this.#interpreter = interpreter;
    if (interpreter.operand === 'code') this.#awaits = program;
  }

  get expectsCode(): boolean {
    return this.#awaits !== undefined && !this.#ended;
  }

  readsStdin(): boolean {
    return this.#stdin || (this.#interpreter.stdin === true && !this.#ended && !this.hasCode);
  }

  words(words: readonly string[]): void {
    for (const word of words) {
      if (this.#ended) return;
      this.#word(word);
    }
  }

  slots(slots: readonly ArgvSlot[]): CodeSlot | undefined {
    for (const { slot, required } of slots) {
      if (this.#ended) return undefined;
      if (slot.kind === 'flag') {
        const option = this.#codeOption(slot.flag);
        if (option === undefined) continue;
        if (!slot.boolean) return { input: slot.name, interpreter: option };
        this.#awaits = option;
      } else {
        if (this.#awaits !== undefined) return { input: slot.name, interpreter: this.#awaits };
        // A required positional is the script to run, or the value of the option before it.
        if (required && !this.#skips) this.#ended = true;
        this.#skips = false;
      }
    }
    return undefined;
  }

  #word(word: string): void {
    const { values = [], ends = [], subcommands = [], stdinOption, operand } = this.#interpreter;
    const option = this.#codeOption(word);
    const unsure = this.#unsure;
    this.#unsure = false;
    if (this.#skips) this.#skips = false;
    else if (this.#awaits !== undefined && !(operand === 'code' && !this.hasCode && word.startsWith('-')))
      this.#fixed();
    else if (word === '-' || word === '/dev/stdin') this.#end(true);
    else if (word === stdinOption) this.#stdin = true;
    else if (option !== undefined) this.#awaits = option;
    else if (this.#interpreter.code.some((long) => long.startsWith('--') && word.startsWith(`${long}=`))) this.#fixed();
    else if (values.includes(word)) this.#skips = true;
    else if (ends.includes(word)) this.#end(false);
    else if (/^[-+]/.test(word)) this.#unsure = /^--[^=]+$/.test(word);
    else if (subcommands.includes(word)) this.#awaits = `${this.#program} ${word}`;
    else if (word !== 'run' && (!unsure || fileLike.test(word))) this.#end(false);
  }

  #codeOption(word: string): string | undefined {
    const { code, cluster } = this.#interpreter;
    return code.includes(word) || cluster?.test(word) === true ? `${this.#program} ${word}` : undefined;
  }

  /** The code is a fixed word of the node: what follows are its arguments. */
  #fixed(): void {
    this.hasCode = true;
    this.#end(false);
  }

  #end(stdin: boolean): void {
    this.#ended = true;
    this.#awaits = undefined;
    this.#stdin ||= stdin;
  }
}
