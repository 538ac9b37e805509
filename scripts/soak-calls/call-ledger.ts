import type { Invocation } from '../../schemas/invocation.js';
import type { Death, PlannedCall } from './call-plan.js';
import { outcomeOfEnd } from './faults.js';

/** What became of a call, as its client sees it. */
export type Fate =
  /** `end` is `ran` or the code of the error; `id` is that of the record, which an unknown tool has none of. */
  | { readonly kind: 'answered'; readonly end: string; readonly id?: string; readonly text: string }
  | { readonly kind: 'cancelled' }
  /** Its server or its client has gone. */
  | { readonly kind: 'unanswered'; readonly death: Death };

export interface MadeCall extends PlannedCall {
  readonly fate: Fate;
}

export interface RecordFaults {
  /** Calls that were answered or cancelled and have no record. */
  readonly lost: readonly string[];
  /** Calls with more than one. */
  readonly doubled: readonly string[];
  /** Records that have no end, though no call goes on. */
  readonly unended: readonly string[];
  /** Records that say something else than the answer did. */
  readonly wrong: readonly string[];
  /** Answers that are none of those that the call may have. */
  readonly unexpected: readonly string[];
}

/** How the caller of a call is named. */
export function callerName(n: number): string {
  return `call-${n}`;
}

/** Compares what clients saw with all records of an instance on which nothing goes on any more. Pure. */
export function compareRecords(calls: readonly MadeCall[], records: readonly Invocation[]): RecordFaults {
  const byCaller = new Map<string | undefined, Invocation[]>();
  for (const record of records) byCaller.set(record.by.actor, [...(byCaller.get(record.by.actor) ?? []), record]);
  const found = { lost: [], doubled: [], unended: [], wrong: [], unexpected: [] } as Record<
    keyof RecordFaults,
    string[]
  >;
  for (const call of calls) {
    const name = callerName(call.n);
    const own = byCaller.get(name) ?? [];
    byCaller.delete(name);
    const words = describeCall(call);
    const unexpected = unexpectedAnswer(call);
    if (unexpected !== undefined) found.unexpected.push(`${words}: ${unexpected}`);
    if (own.length > 1) found.doubled.push(`${words}: ${own.length} records`);
    const [record] = own;
    if (record === undefined) {
      if (call.fate.kind !== 'unanswered') found.lost.push(words);
    } else if (record.outcome === null) found.unended.push(words);
    else {
      const difference = differenceOf(call, record);
      if (difference !== undefined) found.wrong.push(`${words}: ${difference}`);
    }
  }
  for (const caller of byCaller.keys()) found.doubled.push(`${caller}: recorded, and nobody made it`);
  return found;
}

/** A call in words. */
export function describeCall({ n, fault, fate }: MadeCall): string {
  return `${callerName(n)} (${fault.name}, ${wordsOf(fate)})`;
}

function wordsOf(fate: Fate): string {
  if (fate.kind === 'answered') return `answered: ${fate.end}`;
  return fate.kind === 'cancelled' ? 'cancelled' : `unanswered, ${fate.death}`;
}

function unexpectedAnswer({ n, fault, fate }: MadeCall): string | undefined {
  if (fate.kind !== 'answered' || fate.end === 'busy') return undefined;
  const text = fault.text?.(n);
  if (!fault.ends.includes(fate.end)) return `expected ${fault.ends.join(' or ')}: ${fate.text.slice(0, 300)}`;
  if (fate.end !== 'ran' || text === undefined || fate.text.includes(text)) return undefined;
  return `expected the text "${text}", not "${fate.text.slice(0, 80)}"`;
}

/** In what a record that has an end differs from what the client saw. */
function differenceOf({ fault, fate }: MadeCall, record: Invocation): string | undefined {
  const { id, outcome, code = 'ran' } = record;
  if (record.name !== fault.tool) return `its record is of ${record.name}`;
  if (fate.kind === 'answered') {
    if (fate.id !== undefined && fate.id !== id) return `its record is ${id}, the answer names ${fate.id}`;
    if (outcome === outcomeOfEnd(fate.end) && code === fate.end) return undefined;
  } else if (fate.kind === 'cancelled') {
    // It may have ended before it was told, or been refused because too many waited.
    if (outcome === 'cancelled' || outcome === outcomeOfEnd(code)) return undefined;
  } else if (outcome === 'interrupted') {
    if (fate.death === 'server killed') return undefined;
  } else if (outcome === outcomeOfEnd(code)) return undefined;
  return `its record says ${outcome} (${code})`;
}
