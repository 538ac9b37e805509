import { confirmationProperty } from '../../schemas/declaration.js';
import type { Input, Output } from '../../schemas/port.js';
import type { Tool } from '../../schemas/tool.js';
import type { Entry, Omission, Slot } from '../projection/generation.js';
import { slotOf } from '../projection/slots.js';

export interface ExplainedInput {
  readonly name: string;
  readonly schema: string;
  readonly required: boolean;
  /** How it reaches the process, or why it does not; absent where the Tool has no arm that runs here. */
  readonly reaches?: string;
}

export interface ExplainedOutput {
  readonly name: string;
  readonly schema: string;
  readonly required: boolean;
  /** Where it comes from, or what it lacks. */
  readonly from: string;
}

export function explainInputs(
  { io, invoke }: Tool,
  entry: Entry | undefined,
  omission: Omission | undefined,
): ExplainedInput[] {
  return io.inputs.map((input) => ({
    name: input.name,
    schema: input.schema,
    required: input.required ?? false,
    ...(invoke.shell === undefined && invoke.container === undefined && entry === undefined
      ? {}
      : { reaches: reachOf(input, entry, omission) }),
  }));
}

export function explainOutputs({ io: { outputs } }: Tool): ExplainedOutput[] {
  const isStructured = outputs.every(({ from }) => from !== undefined);
  return outputs.map((output) => ({
    name: output.name,
    schema: output.schema,
    required: output.required !== false,
    from: sourceOf(output, isStructured),
  }));
}

function sourceOf({ from }: Output, isStructured: boolean): string {
  if (from === undefined) {
    return 'it has no "from", so the tool has no outputSchema and its result is plain text';
  }
  const whole = 'stdout' in from ? `stdout as ${from.stdout}` : 'the result of the function';
  const source = from.pointer === undefined ? whole : `${from.pointer} of ${whole}`;
  return isStructured ? source : `${source}, which counts only when every output has a "from"`;
}

function reachOf(input: Input, entry: Entry | undefined, omission: Omission | undefined): string {
  if (entry?.binding.arm === 'inProcess') {
    return entry.tool.requiresConfirmation === true && input.name === confirmationProperty
      ? 'it does not: it is never passed on'
      : 'passed to the function';
  }
  // The type of an input of a tool that is not served may be unknown, so a flag of it is shown with its value.
  const slot =
    entry === undefined
      ? slotOf({ input, schema: { type: 'string' } })
      : entry.binding.slots.find(({ name }) => name === input.name);
  if (slot !== undefined) return slotWords(slot);
  if (input.arg !== undefined) return 'it does not: it is never passed on';
  if (input.required !== true) return 'it does not: it has no arg, so it is left out of the inputSchema';
  return omission?.code === 'unreachable-input'
    ? 'it does not: it has no arg, and a required input without one keeps the tool from being served'
    : 'it does not: it has no arg, which a required input needs';
}

function slotWords(slot: Slot): string {
  if (slot.kind === 'stdin') return 'stdin';
  if (slot.kind === 'positional') {
    return slot.repeated ? `words from position ${slot.position} on` : `position ${slot.position}`;
  }
  if (slot.boolean) return `${slot.flag}, present when true`;
  return `${slot.flag}${slot.joined ? '=' : ' '}<${slot.name}>${slot.repeated ? ', once for each element' : ''}`;
}
