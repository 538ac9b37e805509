import type { Slot } from './generation.js';
import type { Port } from './ports.js';

/**
 * The slots of a shell arm in the order in which they reach the process (P7): positionals by position, flags in declared order,
 * the repeated positional last; then stdin, which is no word. A port without `arg` has none.
 */
export function shellSlots(ports: readonly Port[]): Slot[] {
  const slots = ports.flatMap((port) => slotOf(port) ?? []);
  return slots.sort((a, b) => rank(a) - rank(b) || position(a) - position(b));
}

/** The slot of one port; undefined without `arg`. */
export function slotOf({ input: { name, arg, repeated = false }, schema }: Port): Slot | undefined {
  if (arg === undefined) return undefined;
  if ('stdin' in arg) return { name, kind: 'stdin' };
  if ('positional' in arg) return { name, kind: 'positional', position: arg.positional, repeated };
  const boolean = schema.type === 'boolean';
  return { name, kind: 'flag', flag: arg.flag, joined: arg.joined ?? false, repeated, boolean };
}

function rank(slot: Slot): number {
  if (slot.kind === 'stdin') return 3;
  if (slot.kind === 'flag') return 1;
  return slot.repeated ? 2 : 0;
}

function position(slot: Slot): number {
  return slot.kind === 'positional' ? slot.position : 0;
}
