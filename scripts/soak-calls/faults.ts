import type { OutcomeKind } from '../../schemas/invocation.js';

/** What one kind of call of the soak does, and what may come of it. */
export interface Fault {
  readonly name: FaultName;
  /** How often it is made, relative to the others. */
  readonly weight: number;
  /** The MCP name that is called. */
  readonly tool: string;
  /** `n` is the number of the call. Its processes have it among their arguments. */
  readonly args: (n: number) => { readonly [name: string]: unknown };
  /** How it may end, besides `busy`: the code of the error, or `ran`. */
  readonly ends: readonly string[];
  /** What the text of the result must have in it when it ran. */
  readonly text?: (n: number) => string;
  /** The client cancels it a moment later. */
  readonly isCancelled?: true;
}

export type FaultName =
  | ('sound' | 'exit code' | 'crash' | 'hang' | 'deaf to TERM' | 'flood' | 'endless flood' | 'bad UTF-8')
  | ('closed stdin' | 'closed output' | 'grandchild' | 'daemon' | 'cancelled' | 'edited' | 'invalid arguments')
  | ('unknown tool' | 'unconfirmed' | 'unavailable' | 'module' | 'module throws' | 'module exits' | 'module loops');

const n = (number: number): { readonly n: number } => ({ n: number });
const ok = (number: number): string => `ok ${number}`;
/** Bytes for a program that does not read them: more than a pipe holds. */
const unread = 'x'.repeat(200_000);

/** The tool that is edited, deleted and put back meanwhile can be gone, or have been gone since its server started. */
const absent = ['tool_removed', 'unknown_tool'];

export const faults: readonly Fault[] = [
  { name: 'sound', weight: 8, tool: 'sound', args: n, ends: ['ran'], text: ok },
  { name: 'exit code', weight: 3, tool: 'exit_code', args: n, ends: ['exit_code'] },
  { name: 'crash', weight: 3, tool: 'crash', args: n, ends: ['killed'] },
  { name: 'hang', weight: 2, tool: 'hang', args: n, ends: ['timeout'] },
  { name: 'deaf to TERM', weight: 1, tool: 'deaf', args: n, ends: ['timeout'] },
  { name: 'flood', weight: 3, tool: 'flood', args: n, ends: ['ran'] },
  { name: 'endless flood', weight: 1, tool: 'endless', args: n, ends: ['timeout'] },
  { name: 'bad UTF-8', weight: 3, tool: 'bad_text', args: n, ends: ['ran'], text: (number) => `\ufffd ok ${number}` },
  {
    name: 'closed stdin',
    weight: 2,
    tool: 'no_stdin',
    args: (number) => ({ n: number, text: unread }),
    ends: ['ran'],
    text: ok,
  },
  { name: 'closed output', weight: 3, tool: 'no_output', args: n, ends: ['ran'] },
  { name: 'grandchild', weight: 3, tool: 'grandchild', args: n, ends: ['ran'], text: ok },
  { name: 'daemon', weight: 1, tool: 'daemon', args: n, ends: ['timeout'] },
  { name: 'cancelled', weight: 5, tool: 'hang', args: n, ends: ['timeout'], isCancelled: true },
  { name: 'edited', weight: 8, tool: 'edited', args: n, ends: ['ran', ...absent], text: ok },
  { name: 'invalid arguments', weight: 4, tool: 'sound', args: () => ({ n: 'no number' }), ends: ['invalid_params'] },
  { name: 'unknown tool', weight: 3, tool: 'nobody_has_this', args: n, ends: ['unknown_tool'] },
  { name: 'unconfirmed', weight: 3, tool: 'dangerous', args: n, ends: ['confirmation_required'] },
  { name: 'unavailable', weight: 3, tool: 'unavailable', args: n, ends: ['tool_unavailable'] },
  { name: 'module', weight: 5, tool: 'module', args: n, ends: ['ran'], text: ok },
  { name: 'module throws', weight: 3, tool: 'module_throws', args: n, ends: ['module_failed'] },
  { name: 'module exits', weight: 2, tool: 'module_exits', args: n, ends: ['module_failed'] },
  // A loop that is ended takes the other calls of its thread along.
  { name: 'module loops', weight: 1, tool: 'module_loops', args: n, ends: ['timeout', 'module_failed'] },
];

/** Made in this order, one after the other, they leave the threads of the same modules alive, and end those of the others. */
export const settlingFaults: readonly Fault[] = (
  ['module loops', 'module exits', 'module throws', 'module'] as const
).map(named);

function named(name: FaultName): Fault {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`there is no fault ${name}`);
  return fault;
}

/** By the code of an error, the outcome that its record must have; of every other code it is `failed` (docs/records.md). */
const outcomes: ReadonlyMap<string, OutcomeKind> = new Map([
  ['ran', 'ran'],
  ['confirmation_required', 'refused-permission'],
  ['invalid_params', 'refused-input'],
  ['unknown_tool', 'unavailable'],
  ['tool_removed', 'unavailable'],
  ['tool_unavailable', 'unavailable'],
  ['busy', 'unavailable'],
  ['timeout', 'timeout'],
  ['cancelled', 'cancelled'],
]);

/** The outcome that has to be recorded of a call that was answered so. */
export function outcomeOfEnd(end: string): OutcomeKind {
  return outcomes.get(end) ?? 'failed';
}
