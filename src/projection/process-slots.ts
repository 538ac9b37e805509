import type { PatternVerdicts } from '../patterns/verdict.js';
import { argvDanger } from './argv-safety.js';
import type { BindRequest } from './arm.js';
import type { Slot, Unfitness } from './generation.js';
import { interpreterSlot } from './interpreter.js';
import type { Port } from './ports.js';
import { shellSlots } from './slots.js';
import { typeName } from './type-reference.js';

/** The slots of an arm that runs a process with these words, or the first fault of an input, in the order of tool-node.md §3. */
export function processSlots(
  words: readonly string[],
  { ports, verdicts }: Pick<BindRequest, 'ports' | 'verdicts'>,
): { readonly slots: readonly Slot[] } | Unfitness {
  const slots = shellSlots(ports);
  const required = new Set(ports.flatMap(({ input }) => (input.required === true ? [input.name] : [])));
  const code = interpreterSlot(
    words,
    slots.map((slot) => ({ slot, required: required.has(slot.name) })),
  );
  if (code !== undefined) {
    const reason = `its input "${code.input}" would become code: it is run by ${code.interpreter}`;
    return { code: 'interpreter-slot', reason };
  }
  return unreachableInput(ports) ?? unsafeInput(ports, verdicts) ?? { slots };
}

/** A required input that no argument, flag or stdin carries (P8). */
function unreachableInput(ports: readonly Port[]): Unfitness | undefined {
  const unreachable = ports.find(({ input }) => input.required === true && input.arg === undefined);
  if (unreachable === undefined) return undefined;
  const reason = `its required input "${unreachable.input.name}" has no arg, so it cannot reach the process`;
  return { code: 'unreachable-input', reason };
}

/** An input in argv whose type admits a shell-active value (DESIGN decision 7). */
function unsafeInput(ports: readonly Port[], verdicts: PatternVerdicts): Unfitness | undefined {
  for (const { input, schema } of ports) {
    if (input.arg === undefined || 'stdin' in input.arg) continue;
    const danger = argvDanger(schema, verdicts);
    if (danger === undefined) continue;
    const reason = `its input "${input.name}" goes into argv, and the type ${typeName(input.schema)} ${danger}`;
    return { code: 'unsafe-argv-input', reason };
  }
  return undefined;
}
