import { shortJson } from '../../check/contract/wording.js';
import { visible } from '../../visible.js';
import type { ContractReport, LocatedDrift, LocatedTool } from '../contract-report.js';
import { placeOf, problemLine } from './generation.js';
import { jsonText } from './plain.js';
import { count, listNames, type Style } from './style.js';

/** `toolgraph contract`: what drifts and what to do about it, what could not be checked, what is absent, and a summary line. */
export function printContract(report: ContractReport, style: Style): string[] {
  const { tools, problems, server, counts } = report;
  const { dim, yellow } = style.colors;
  const absent = tools.filter(({ state }) => state === 'absent');
  const agreeing = tools.flatMap(({ state, name }) => (state === 'agrees' && name !== undefined ? [name] : []));
  const unchecked = server.error === undefined ? tools.flatMap((tool) => uncheckedLines(tool, style)) : [];
  return [
    ...tools.flatMap((tool) => tool.drift.flatMap((drift) => driftLines(tool, drift, style))),
    ...unchecked,
    ...problems.map((problem) => `${problemLine(problem)} ${yellow('(so the comparison is not complete)')}`),
    ...(server.listing?.faults ?? []).map((fault) => `${yellow('could not check')}: ${visible(fault)}`),
    ...absent.map(({ id, absence }) =>
      dim(visible(`deliberately absent: ${id}: ${absence?.code}: ${absence?.reason}`)),
    ),
    ...(agreeing.length === 0 ? [] : [dim(visible(`agrees: ${listNames(agreeing)}`))]),
    ...serverLines(report),
    `${count(tools.length, 'tool')}: ${counts.agrees} agree, ${counts.drift} drift, ${counts.absent} deliberately absent, ${counts.unchecked} could not be checked`,
  ];
}

/** The stable JSON form of `contract`. */
export function printContractJson(report: ContractReport, generation: { number: number; digest: string }): string {
  const { ok, server, counts, tools, problems } = report;
  const { asked, listing, error, stderr } = server;
  return jsonText({
    generation: generation.number,
    digest: generation.digest,
    ok,
    server: {
      asked,
      name: listing?.name,
      version: listing?.version,
      protocol: listing?.protocol,
      faults: listing?.faults,
      error,
      stderr,
    },
    counts,
    tools: tools.map(toolData),
    problems: problems.map(({ code, message, document, line, column, subject }) => ({
      code,
      message,
      document,
      line,
      column,
      subject,
    })),
  });
}

function toolData({ absence, drift, unchecked, ...tool }: LocatedTool) {
  const { id, name, state, document, pointer, line, column } = tool;
  return {
    id,
    name,
    state,
    ...absence,
    document,
    pointer,
    line,
    column,
    drift: drift.map(driftData),
    unchecked: unchecked.map(({ message, side, keyword, pointer: at }) => ({ message, side, keyword, pointer: at })),
  };
}

function driftData({ nodePointer, serverPointer, document, line, column, ...told }: LocatedDrift) {
  const { code, severity, message, fix, example } = told;
  return {
    code,
    severity,
    message,
    fix,
    node: document === undefined ? undefined : { document, pointer: nodePointer, line, column },
    server: serverPointer === undefined ? undefined : { pointer: serverPointer },
    example,
  };
}

function driftLines({ id, name }: LocatedTool, drift: LocatedDrift, { colors }: Style): string[] {
  const paint = drift.severity === 'error' ? colors.red : colors.yellow;
  const place = drift.document === undefined ? 'server' : placeOf(drift);
  const at = drift.serverPointer === undefined || drift.serverPointer === '' ? '' : ` (server: ${drift.serverPointer})`;
  const example = drift.example === undefined ? [] : [`  example: ${shortJson(drift.example, longestExample)}`];
  return [
    `${place}: ${paint(`${drift.severity} ${drift.code}`)}: ${visible(`${name ?? id}: ${drift.message}${at}`)}`,
    ...[...example, `  to do: ${drift.fix}`].map((line) => colors.dim(visible(line))),
  ];
}

function uncheckedLines({ unchecked, id, name, ...place }: LocatedTool, { colors }: Style): string[] {
  return unchecked.map(
    ({ message }) =>
      `${place.document === undefined ? 'server' : placeOf(place)}: ${colors.yellow('could not check')}: ${visible(`${name ?? id}: ${message}`)}`,
  );
}

function serverLines({ server: { asked, listing, error, stderr } }: ContractReport): string[] {
  if (error !== undefined) {
    const said = (stderr ?? '').split('\n').filter((line) => line.trim() !== '');
    return [visible(`no list from ${asked}: ${error}`), ...said.map((line) => visible(`  its stderr: ${line}`))];
  }
  const known = [listing?.name, listing?.version].filter((words) => words !== undefined && words !== '').join(' ');
  return [visible(`server: ${asked}${known === '' ? '' : ` (${known})`}, protocol ${listing?.protocol}`)];
}

const longestExample = 300;
