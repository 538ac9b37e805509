import type { Invocation } from '../../../schemas/invocation.js';
import type { DroppedRecords } from '../../store/record-reader.js';
import { visible } from '../../visible.js';
import { type Cell, wrapColumns } from './columns.js';
import { noticeLine } from './plain.js';
import { count, type Style } from './style.js';

/** `toolgraph log`: a table at a terminal; else tab-separated, one call a line. */
export function printCalls(calls: readonly Invocation[], style: Style): string[] {
  if (!style.terminal) return calls.map(callRecord);
  return wrapColumns(
    calls.map((call) => callRow(call, style)),
    style.width,
  ).flat();
}

/** One call in words, for a list of a tool's calls. */
export function callWords(call: Invocation): string {
  const parts = [secondsOf(call.started), outcomeWords(call), durationWords(call), actorWords(call), call.reason];
  return parts.filter((part) => part !== undefined && part !== '').join('  ');
}

export function noCallsLine(tool: string | undefined): string {
  return noticeLine(tool === undefined ? 'no call has been recorded yet' : `no call of ${tool} is recorded`);
}

export function droppedLine({ count: dropped, newest, at }: DroppedRecords): string {
  const limits = 'limits.records and limits.recordDays say how many are kept';
  return noticeLine(
    `${count(dropped, 'older record')} of calls up to ${newest} were dropped, the last on ${at}; ${limits}`,
  );
}

function callRow(call: Invocation, { colors }: Style): Cell[] {
  const { outcome } = call;
  const good = outcome === 'ran' ? colors.green : colors.dim;
  return [
    { text: secondsOf(call.started), paint: colors.dim },
    { text: visible(call.tool ?? call.name) },
    { text: outcomeWords(call), paint: outcome === 'ran' || outcome === null ? good : colors.yellow },
    { text: durationWords(call) },
    { text: visible(actorWords(call)) },
    { text: visible(call.reason ?? '') },
  ];
}

/** start, id, tool, outcome, code, exit code or signal, milliseconds, actor, reason. */
function callRecord(call: Invocation): string {
  const { started, id, tool, name, outcome, code, exitCode, signal, reason } = call;
  const fields = [started, id, tool ?? name, outcome ?? 'running', code, exitCode ?? signal, millisecondsOf(call)];
  return [...fields, actorWords(call), reason].map((field) => visible(String(field ?? ''))).join('\t');
}

function secondsOf(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
}

function outcomeWords({ outcome, code }: Invocation): string {
  if (outcome === null) return 'running';
  return code === undefined || code === outcome ? outcome : `${outcome} (${code})`;
}

function millisecondsOf({ started, finished }: Invocation): number | undefined {
  return finished === undefined ? undefined : Date.parse(finished) - Date.parse(started);
}

function durationWords(call: Invocation): string {
  const ms = millisecondsOf(call);
  return ms === undefined ? '' : `${ms} ms`;
}

function actorWords({ by }: Invocation): string {
  const { actor, role, identity } = by;
  if (actor === undefined) return '';
  const named = role === undefined ? actor : `${actor}/${role}`;
  return identity === 'asserted' ? `${named} (asserted)` : named;
}
