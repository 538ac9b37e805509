import { confirmationProperty } from '../../schemas/declaration.js';
import type { CallCode } from '../diagnostic.js';
import type { Binding, ContainerBinding, Entry, ShellBinding, Slot } from '../projection/generation.js';
import { type Refusal, refuseParams } from './refusal.js';

/** Linux refuses a single argument of 128 KiB, its NUL included (MAX_ARG_STRLEN, execve(2)). */
export const argumentBytesLimit = 128 * 1024;
/** Bound on all arguments together, a NUL for each included. */
export const argvBytesLimit = 1024 * 1024;

type ProcessBinding = ShellBinding | ContainerBinding;

/** What starts the process: a program, or the image of a container, its arguments and what is written to its stdin. Nothing here is ever read by a shell. */
export interface Argv {
  readonly kind: 'argv';
  readonly file: string;
  readonly args: readonly string[];
  /** Left out when no input is bound to stdin, or none was given. */
  readonly stdin?: string;
}

/**
 * The argv of one call (P7, P8): words, positionals by position, flags in declared order, the repeated positional last.
 * `args` are values that satisfy the inputSchema; names without a slot are left alone. That a value has no shell-active character is
 * the proof of its type (DESIGN decision 7) and is not looked at again. Pure.
 *
 * Refuses with `invalid_params` (a gap in the positions, a NUL, a value that no argument can carry), `option_like_value` (a leading
 * `-` outside a joined flag, negative numbers too) or `argument_too_large`; `details` names the inputs. Throws a TypeError that names the
 * module for a Tool that is run as a function (P10).
 */
export function buildArgv(
  entry: Pick<Entry, 'binding' | 'tool'>,
  args: Readonly<Record<string, unknown>>,
): Argv | Refusal {
  const { words, slots } = argvBinding(entry);
  const given = givenValues(slots, entry.tool, args);
  const gap = positionGap(slots, given);
  if (gap !== undefined) return gap;

  const built: string[] = words.slice(1);
  let stdin: string | undefined;
  for (const slot of inArgvOrder(slots)) {
    if (!given.has(slot.name)) continue;
    const value = given.get(slot.name);
    if (slot.kind === 'stdin') {
      const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
      const refusal = refuseUncarried(slot.name, text);
      if (refusal !== undefined) return refusal;
      stdin = text;
    } else {
      const slotWords = wordsOf(slot, value);
      if (!Array.isArray(slotWords)) return slotWords;
      // Not push(...words): an array of 100,000 elements as parameters would overflow the stack.
      for (const word of slotWords) built.push(word);
    }
  }
  return (
    refuseLongArgv(built) ?? { kind: 'argv', file: words[0], args: built, ...(stdin === undefined ? {} : { stdin }) }
  );
}

type ArgvSlot = Exclude<Slot, { kind: 'stdin' }>;

function argvBinding({ binding, tool }: { readonly binding: Binding; readonly tool: Entry['tool'] }): ProcessBinding {
  if (binding.arm === 'inProcess') {
    throw new TypeError(`${tool.id} has no argv: it is run as a function of the module ${binding.module}`);
  }
  return binding;
}

/** The values that reach the process, by input name: no confirmation, no undefined, no empty list. */
function givenValues(
  slots: ProcessBinding['slots'],
  tool: Entry['tool'],
  args: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const slot of slots) {
    if (tool.requiresConfirmation === true && slot.name === confirmationProperty) continue;
    const value = Object.hasOwn(args, slot.name) ? args[slot.name] : undefined;
    const nothing = value === undefined || (isRepeated(slot) && Array.isArray(value) && value.length === 0);
    if (!nothing) given.set(slot.name, value);
  }
  return given;
}

function positionGap(slots: ProcessBinding['slots'], given: ReadonlyMap<string, unknown>): Refusal | undefined {
  const positionals = positionalSlots(slots);
  const last = positionals.findLastIndex((slot) => given.has(slot.name));
  const holder = positionals[last];
  const missing = positionals.slice(0, last + 1).filter((slot) => !given.has(slot.name));
  if (holder === undefined || missing.length === 0) return undefined;
  return refuseParams(
    missing.map(({ name }) => ({
      path: `/${name}`,
      message: `is needed when "${holder.name}" is given, because it comes before it on the command line`,
    })),
  );
}

function inArgvOrder(slots: ProcessBinding['slots']): Slot[] {
  const positionals = positionalSlots(slots);
  return [
    ...positionals.filter((slot) => !slot.repeated),
    ...slots.filter((slot) => slot.kind !== 'positional'),
    ...positionals.filter((slot) => slot.repeated),
  ];
}

function positionalSlots(slots: ProcessBinding['slots']) {
  return slots.filter((slot) => slot.kind === 'positional').sort((a, b) => a.position - b.position);
}

function isRepeated(slot: Slot): boolean {
  return slot.kind !== 'stdin' && slot.repeated;
}

function wordsOf(slot: ArgvSlot, value: unknown): string[] | Refusal {
  if (slot.kind === 'flag' && slot.boolean) {
    if (typeof value !== 'boolean') return refuseParams([{ path: `/${slot.name}`, message: 'must be boolean' }]);
    return value ? [slot.flag] : [];
  }
  if (slot.repeated !== Array.isArray(value)) {
    const message = slot.repeated ? 'must be array' : 'must be a single value, not an array';
    return refuseParams([{ path: `/${slot.name}`, message }]);
  }
  const words: string[] = [];
  for (const element of Array.isArray(value) ? value : [value]) {
    const text = scalarText(element);
    if (text === undefined) {
      return refuseParams([{ path: `/${slot.name}`, message: 'must be a string, a finite number or a boolean' }]);
    }
    const word = slot.kind === 'flag' && slot.joined ? `${slot.flag}=${text}` : text;
    const refusal =
      refuseUncarried(slot.name, text) ?? refuseOptionLike(slot, text) ?? refuseLongArgument(slot.name, word);
    if (refusal !== undefined) return refusal;
    if (slot.kind === 'flag' && !slot.joined) words.push(slot.flag);
    words.push(word);
  }
  return words;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  return undefined;
}

/** A NUL ends an argument, so spawn throws on it (X3); half a surrogate pair would silently arrive as U+FFFD. */
function refuseUncarried(name: string, text: string): Refusal | undefined {
  if (text.includes('\0')) {
    return refuseParams([{ path: `/${name}`, message: 'must not hold a NUL character (U+0000)' }]);
  }
  if (!text.isWellFormed()) {
    return refuseParams([{ path: `/${name}`, message: 'must be well-formed Unicode, without half a surrogate pair' }]);
  }
  return undefined;
}

function refuseOptionLike(slot: ArgvSlot, text: string): Refusal | undefined {
  if (!text.startsWith('-') || (slot.kind === 'flag' && slot.joined)) return undefined;
  return refuse(
    'option_like_value',
    `The value of "${slot.name}" begins with "-", so the program could read it as an option; use a value that does not`,
    { input: slot.name },
  );
}

function refuseLongArgument(name: string, word: string): Refusal | undefined {
  const bytes = Buffer.byteLength(word);
  if (bytes < argumentBytesLimit) return undefined;
  const message = `The argument of "${name}" has ${bytes} bytes; a process takes less than ${argumentBytesLimit}`;
  return refuse('argument_too_large', message, { input: name, bytes, limitBytes: argumentBytesLimit });
}

function refuseLongArgv(args: readonly string[]): Refusal | undefined {
  const bytes = args.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 0);
  if (bytes < argvBytesLimit) return undefined;
  const message = `The arguments have ${bytes} bytes in all; expected less than ${argvBytesLimit}`;
  return refuse('argument_too_large', message, { bytes, limitBytes: argvBytesLimit });
}

function refuse(code: CallCode, message: string, details: Refusal['details']): Refusal {
  return { kind: 'refused', code, message, details };
}
