import type { JsonSchema } from '../../schemas/declaration.js';
import type { SeededRandom } from '../../scripts/seeded-random.js';
import type { Slot } from '../../src/projection/generation.js';
import { hostileText, hostileValue } from './hostile-values.js';

/** What must become of one value in one slot: the words of the command line that it is, or the code of the refusal. */
export type Fate = readonly string[] | 'invalid_params' | 'option_like_value' | 'argument_too_large';

export interface FuzzedSlot {
  readonly slot: Slot;
  readonly schema: JsonSchema;
  readonly value: (random: SeededRandom) => unknown;
  /** Whether a value is of the type of the slot, said without its JSON Schema. */
  readonly isOfType: (value: unknown) => boolean;
}

const text = {
  schema: { type: 'string' },
  value: hostileText,
  isOfType: (value: unknown) => typeof value === 'string',
};
const isSafe = (value: unknown) =>
  Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value as number);
const number = { schema: { type: 'number' }, value: hostileValue, isOfType: (value: unknown) => isSafe(value) };
const integer = {
  schema: { type: 'integer' },
  value: hostileValue,
  isOfType: (value: unknown) => Number.isSafeInteger(value),
};
const members = ['$(id)', "' x", 'a\nb', '-rf', '', 7, '7;id', '\u202e', '--'];
const listed = {
  schema: { enum: members },
  value: (random: SeededRandom) => (random.chance(0.7) ? random.pick(members) : hostileValue(random)),
  isOfType: (value: unknown) => members.some((member) => member === value),
};
const matching = {
  schema: { type: 'string', pattern: '^[^a-zA-Z]*$' },
  value: hostileText,
  isOfType: (value: unknown) =>
    typeof value === 'string' && ![...value].some((one) => one >= 'A' && one <= 'z' && /[a-z]/i.test(one)),
};
const yesOrNo = {
  schema: { type: 'boolean' },
  value: hostileValue,
  isOfType: (value: unknown) => typeof value === 'boolean',
};

const singles = 8;
const flag = (name: string, over: object = {}): Slot => ({
  ...{ name, kind: 'flag', flag: `--${name}`, joined: false, repeated: false, boolean: false },
  ...over,
});
const typed = Object.entries({ number, integer, listed, matching });

/** Every kind of slot, in the order in which its words come on the command line: positionals, flags, the repeated positional. */
export const fuzzedSlots: readonly FuzzedSlot[] = [
  ...Array.from(
    { length: singles },
    (_, position): FuzzedSlot => ({
      slot: { name: `place-${position}`, kind: 'positional', position, repeated: false },
      ...text,
    }),
  ),
  ...Array.from({ length: singles }, (_, i) => ({ slot: flag(`flag-${i}`), ...text })),
  ...Array.from({ length: singles }, (_, i) => ({ slot: flag(`joined-${i}`, { joined: true }), ...text })),
  ...typed.map(([name, type]) => ({ slot: flag(name), ...type })),
  ...typed.map(([name, type]) => ({ slot: flag(`joined-${name}`, { joined: true }), ...type })),
  ...typed.map(([name, type]) => ({ slot: flag(`repeated-${name}`, { repeated: true }), ...type })),
  { slot: flag('boolean', { boolean: true }), ...yesOrNo },
  { slot: flag('repeated', { repeated: true }), ...text },
  { slot: flag('repeated-joined', { repeated: true, joined: true }), ...text },
  { slot: { name: 'stdin', kind: 'stdin' }, ...text },
  { slot: { name: 'rest', kind: 'positional', position: singles, repeated: true }, ...text },
];

export function fateOf({ slot, isOfType }: FuzzedSlot, value: unknown): Fate {
  if (!isOfType(value)) return 'invalid_params';
  if (slot.kind === 'flag' && slot.boolean) return value === true ? [slot.flag] : [];
  const word = String(value);
  if (word.includes('\0') || /\p{Surrogate}/u.test(word)) return 'invalid_params';
  if (slot.kind === 'stdin') return [word];
  const isJoined = slot.kind === 'flag' && slot.joined;
  if (word.startsWith('-') && !isJoined) return 'option_like_value';
  const argument = isJoined ? `${slot.flag}=${word}` : word;
  if (Buffer.byteLength(argument) >= 131_072) return 'argument_too_large';
  return slot.kind === 'flag' && !isJoined ? [slot.flag, word] : [argument];
}

/** What an entry with these slots is made of, beside its command. */
export const fuzzedParts = {
  slots: fuzzedSlots.map(({ slot }) => slot),
  properties: Object.fromEntries(
    fuzzedSlots.map(({ slot, schema }) => {
      return [slot.name, isRepeated(slot) ? { type: 'array', items: schema } : schema] as const;
    }),
  ),
  linearPatterns: ['^[^a-zA-Z]*$'],
};

export function isRepeated(slot: Slot): boolean {
  return slot.kind !== 'stdin' && slot.repeated;
}
