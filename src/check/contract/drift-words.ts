import { confirmationProperty } from '../../../schemas/declaration.js';
import { anyItem, anyOther, type Difference, type Outcome, type Step } from './difference.js';
import { type Drift, type DriftCode, drift } from './finding.js';
import type { Part, SchemaPair, Side } from './schema-pair.js';

/** What the accepting side accepts and the other does not, as findings: differences of one place are told together. */
export function driftsOf({ differences }: Outcome, accepting: Side, pair: SchemaPair): Drift[] {
  return byPlace(differences).map((group) => driftOf(group, accepting, pair));
}

/** Differences of one place that are told in one sentence. */
export type DifferencesOfPlace = readonly [Difference, ...Difference[]];

/** A property that is missing, or that is too many, is told by itself; all else of one place is told together. */
export function byPlace(differences: readonly Difference[]): DifferencesOfPlace[] {
  const groups = new Map<string, [Difference, ...Difference[]]>();
  for (const difference of differences) {
    const isNamed = difference.kind === 'required' || difference.kind === 'unknown';
    const key = JSON.stringify([difference.path.map(stepKey), isNamed ? difference.kind : '']);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [difference]);
    else group.push(difference);
  }
  return [...groups.values()];
}

function driftOf(group: DifferencesOfPlace, accepting: Side, pair: SchemaPair): Drift {
  const [first] = group;
  const { path, acceptedAt, refusedAt, example } = first;
  // What no keyword says has no place of its own.
  const serverPointer = (accepting === 'server' ? acceptedAt : refusedAt) || `/${pair.part}Schema`;
  const nodePointer = pair.placeOf(path);
  const places = { nodePointer, serverPointer, example };
  if (pair.confirmed === true && path[0] === confirmationProperty) {
    return drift(
      'confirmation-missing',
      `the node requires the user's confirmation, the server does not take ${confirmationProperty}: true as the only way to call it`,
      places,
    );
  }
  const words = pair.part === 'input' ? inputWords(group, first, accepting) : outputWords(group, first, accepting);
  return drift(codeOf(pair.part, accepting, first), words, places);
}

function codeOf(part: Part, accepting: Side, { kind, path }: Difference): DriftCode {
  const isOpen = kind === 'unknown' && path.at(-1) === anyOther && accepting === 'server';
  if (part === 'input' && isOpen) return 'input-open';
  if (part === 'input') return accepting === 'node' ? 'input-refused' : 'input-wider';
  if (accepting === 'node') return 'output-narrower';
  return kind === 'unknown' ? 'output-undescribed' : 'output-wider';
}

function inputWords(group: readonly Difference[], { kind, path }: Difference, accepting: Side): string {
  const refusing = accepting === 'node' ? 'server' : 'node';
  const place = placeWords(path, 'input');
  if (kind === 'required') return `the ${refusing} requires ${place}, the ${accepting} does not`;
  if (kind === 'unknown') {
    return path.at(-1) === anyOther
      ? `the ${accepting} accepts ${place} that it does not name, the ${refusing} does not`
      : `the ${accepting} accepts ${place}, the ${refusing} does not`;
  }
  return `the ${accepting} accepts ${listed(group)} for ${place}, the ${refusing} does not`;
}

function outputWords(group: readonly Difference[], { kind, path }: Difference, accepting: Side): string {
  const place = placeWords(path, 'output');
  const [may, not] =
    accepting === 'server'
      ? ['the server may', 'the node says it does not']
      : ['the node says that it may', 'the server does not'];
  if (kind === 'required') return `${may} leave out ${place}, ${not}`;
  if (kind === 'unknown')
    return `${may} return ${place}${path.at(-1) === anyOther ? ' that it does not name' : ''}, ${not}`;
  return `${may} return ${listed(group)} for ${place}, ${not}`;
}

const mostListed = 8;

/** What is accepted, of all differences of a place: `null and numbers above 10`. */
export function listed(group: readonly Difference[]): string {
  const all = [...new Set(group.map(({ what }) => what))];
  const shown = all.length > mostListed ? [...all.slice(0, mostListed), `${all.length - mostListed} more`] : all;
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** `input "a"`, `property "b" of each item of input "a"`. */
export function placeWords(path: readonly Step[], part: Part): string {
  if (path.length === 0) return part === 'input' ? 'the arguments' : 'the result';
  return path
    .map((step, i) => {
      const property = i === 0 ? part : 'property';
      if (step === anyItem) return 'each item';
      if (step === anyOther) return i === 0 ? `${part}s` : 'properties';
      return typeof step === 'number' ? `item ${step}` : `${property} ${JSON.stringify(step)}`;
    })
    .reverse()
    .join(' of ');
}

function stepKey(step: Step): string | number {
  return typeof step === 'symbol' ? ` ${String(step.description)}` : step;
}
