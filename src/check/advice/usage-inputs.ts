import type { Arg, Input } from '../../../schemas/port.js';
import { builtinTypesId } from '../../../schemas/types.js';
import { splitWords } from '../../projection/words.js';
import { likelyTypes } from './likely-type.js';
import { rawWords, unquotedPart } from './raw-words.js';

/** A shell string written like a usage line, as fixed words and the inputs that stand in place of the rest. */
export interface UsageInputs {
  readonly shell: string;
  /** Placeholders and optional parts as they are written, in order. */
  readonly parts: readonly string[];
  /** Inputs that are to be added, or that are there and lack an `arg`. */
  readonly inputs: readonly UsageInput[];
}

export interface UsageInput {
  readonly input: Input;
  /** Of an input that is there already: its index, and only the `arg` is new. */
  readonly index?: number;
}

/**
 * What a usage line such as `git log --author=<n> [-l] <path>` means in a node. Undefined where more than placeholders and optional parts
 * would be left of shell syntax, or where the inputs would have no valid order.
 */
export function usageInputs(shell: string, known: readonly Input[]): UsageInputs | undefined {
  const reading = new UsageReading(known);
  const words = rawWords(shell);
  for (const [i, { text }] of words.entries()) {
    const next = words[i + 1]?.text;
    if (!reading.word(text, i === 0, next)) return undefined;
  }
  const found = reading.found();
  const split = splitWords(found.shell);
  return 'words' in split && found.parts.length > 0 ? found : undefined;
}

interface Part {
  /** `--author`, where it is the value of a flag. */
  readonly flag?: string;
  readonly joined?: boolean;
  /** Of the placeholder; absent of a flag without a value. */
  readonly placeholder?: string;
  readonly repeated: boolean;
  readonly required: boolean;
}

class UsageReading {
  readonly #known: readonly Input[];
  readonly #fixed: string[] = [];
  readonly #parts: string[] = [];
  readonly #inputs: UsageInput[] = [];
  readonly #positional: Pick<Input, 'required' | 'repeated'>[];
  #skipsNext = false;

  constructor(known: readonly Input[]) {
    this.#known = known;
    this.#positional = known
      .flatMap((input) =>
        input.arg !== undefined && 'positional' in input.arg ? [{ input, n: input.arg.positional }] : [],
      )
      .sort((a, b) => a.n - b.n)
      .map(({ input }) => input);
  }

  found(): UsageInputs {
    return { shell: this.#fixed.join(' '), parts: this.#parts, inputs: this.#inputs };
  }

  /** False where the word has no meaning as an input. */
  word(text: string, isFirst: boolean, next: string | undefined): boolean {
    if (this.#skipsNext) {
      this.#skipsNext = false;
      return true;
    }
    const plain = unquotedPart(text);
    if (!/<[A-Za-z][^<>]*>|^\[[-<]/.test(plain)) {
      const value = next === undefined || !isFlag(text) ? null : /^<([A-Za-z][^<>\n]*)>$/.exec(next);
      if (value === null || isFirst) {
        this.#fixed.push(text);
        return true;
      }
      this.#skipsNext = true;
      this.#parts.push(`${text} ${next}`);
      return this.#add({ flag: text, placeholder: value[1] ?? '', repeated: false, required: true });
    }
    if (isFirst || plain !== text) return false;
    this.#parts.push(text);
    const part = partOf(text);
    return part !== undefined && this.#add(part);
  }

  #add(part: Part): boolean {
    const name = nameOf(part);
    const index = this.#known.findIndex((input) => isMeant(input, part, name));
    const known = this.#known[index];
    if (known?.arg !== undefined) return true;
    if (known === undefined && this.#inputs.some(({ input }) => input.name === name)) return false;
    const fresh: Input = {
      name,
      schema: typeOf(part, name),
      ...(part.required ? { required: true } : {}),
      ...(part.repeated ? { repeated: true } : {}),
    };
    const input = known ?? fresh;
    const arg = this.#argOf(part, input);
    if (arg === undefined) return false;
    this.#inputs.push({ input: { ...input, arg }, ...(known === undefined ? {} : { index }) });
    return true;
  }

  /** Undefined where a position after the others would be refused: after a repeated one, or a required one after an optional one. */
  #argOf({ flag, joined }: Part, input: Input): Arg | undefined {
    if (flag !== undefined) return { flag, ...(joined === true ? { joined } : {}) };
    const last = this.#positional.at(-1);
    if (last?.repeated === true || (last !== undefined && last.required !== true && input.required === true))
      return undefined;
    this.#positional.push(input);
    return { positional: this.#positional.length - 1 };
  }
}

function isFlag(word: string): boolean {
  return /^-[A-Za-z0-9-][A-Za-z0-9._-]*$/.test(word) && word !== '--';
}

/** `<x>`, `<x>...`, `--x=<y>`, `-n<y>`, a word around a placeholder, or one of these in brackets. */
function partOf(word: string): Part | undefined {
  const bracketed = /^\[(.*)\](\.\.\.|…)?$/u.exec(word);
  const required = bracketed === null;
  const [, inner = word, dots] = bracketed ?? [];
  const repeated = dots !== undefined || /(?:\.\.\.|…)$/u.test(inner);
  const text = inner.replace(/\s*(?:\.\.\.|…)$/u, '');
  const [, flag, separator = '', value = ''] =
    /^(-[A-Za-z0-9-][A-Za-z0-9._-]*?)(?:(=|\s+|(?=<))(.+))?$/u.exec(text) ?? [];
  const placeholder = /<([^<>]+)>/.exec(text)?.[1];
  if (flag !== undefined) {
    if (value === '' ? repeated : /[|]/.test(value) && placeholder === undefined) return undefined;
    const named = value === '' ? {} : { placeholder: placeholder ?? value };
    return { flag, ...(separator === '=' ? { joined: true } : {}), ...named, repeated, required };
  }
  return placeholder === undefined || text.startsWith('-') ? undefined : { placeholder, repeated, required };
}

function isMeant({ name, arg }: Input, { flag, placeholder = '' }: Part, chosen: string): boolean {
  const same = (text: string): boolean => plainName(text) !== '' && plainName(text) === plainName(name);
  return (
    same(chosen) || same(placeholder) || (flag !== undefined && arg !== undefined && 'flag' in arg && arg.flag === flag)
  );
}

/** A long flag says what its value is; `<n>` after it mostly does not. */
function nameOf({ flag, placeholder = '' }: Part): string {
  const text = flag?.startsWith('--') === true || placeholder === '' ? (flag ?? '').replace(/^-+/, '') : placeholder;
  return text.replace(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64) || 'option';
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function typeOf({ placeholder }: Part, name: string): string {
  const type = placeholder === undefined ? 'Flag' : (likelyTypes(name)[0] ?? likelyTypes(placeholder)[0] ?? 'Word');
  return `${builtinTypesId}#/$defs/${type}`;
}
