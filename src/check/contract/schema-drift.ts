import { confirmationProperty } from '../../../schemas/declaration.js';
import { type Acceptance, isNothing, propertyOf } from './acceptance.js';
import type { Outcome, Step, Undecided } from './difference.js';
import { driftsOf, placeWords } from './drift-words.js';
import { type Effort, TooLargeError } from './effort.js';
import { type Drift, drift, type Unchecked } from './finding.js';
import { beyond } from './inclusion.js';
import type { PatternAnswers } from './pattern-question.js';
import { readSchema } from './read-schema.js';
import type { Part, SchemaPair, Side } from './schema-pair.js';

export interface ComparisonMeans {
  readonly patterns: PatternAnswers;
  readonly effort: Effort;
}

export interface SchemaDrift {
  readonly drift: readonly Drift[];
  readonly unchecked: readonly Unchecked[];
}

/** What two schemas of one tool accept differently, both ways, in words. */
export function schemaDrift(pair: SchemaPair, means: ComparisonMeans): SchemaDrift {
  const node = read(pair, 'node', means);
  const server = read(pair, 'server', means);
  if ('message' in node) return { drift: [], unchecked: [node] };
  if ('message' in server) return { drift: [], unchecked: [server] };
  try {
    return compare(pair, node, server, means);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    const message = `the ${pair.part}Schema cannot be compared: ${error.message}`;
    return { drift: [], unchecked: [{ message, pointer: pointerTo(pair.part) }] };
  }
}

function read(pair: SchemaPair, side: Side, { patterns, effort }: ComparisonMeans): Acceptance | Unchecked {
  const pointer = pointerTo(pair.part);
  try {
    return readSchema(pair[side], pointer, patterns, effort);
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return { side, pointer, message: `the ${pair.part}Schema of the ${side} cannot be compared: ${error.message}` };
  }
}

function compare(
  pair: SchemaPair,
  node: Acceptance,
  server: Acceptance,
  { patterns, effort }: ComparisonMeans,
): SchemaDrift {
  const refused = beyond(node, server, patterns, effort);
  const wider = beyond(server, node, patterns, effort);
  const unnamed = unnamedInputs(pair, node, server);
  const isTold = ({ path }: { readonly path: readonly Step[] }): boolean => unnamed.some((name) => name === path[0]);
  const rest = ({ differences, undecided }: Outcome): Outcome => ({
    differences: differences.filter((one) => !isTold(one)),
    undecided: undecided.filter((one) => !isTold(one)),
  });
  const found = [
    ...unnamed.map((name) => unnamedDrift(name, pair)),
    ...driftsOf(rest(refused), 'node', pair),
    ...driftsOf(rest(wider), 'server', pair),
  ];
  const doubts = [...doubtsOf(rest(refused), 'node'), ...doubtsOf(rest(wider), 'server')];
  return { drift: found.filter(isFirstOfItsKind), unchecked: uncheckedOf(doubts, pair.part) };
}

/** Inputs of the node that the server does not name and takes with any value: it accepts them, and knows nothing of them. */
function unnamedInputs({ part, confirmed }: SchemaPair, node: Acceptance, server: Acceptance): string[] {
  const served = server.alternatives.flatMap((one) => (one.kind === 'object' ? [one] : []));
  if (part === 'output' || served.some(({ opaque }) => opaque.length > 0)) return [];
  const names = node.alternatives.flatMap((one) => (one.kind === 'object' ? [...one.properties.keys()] : []));
  return names.filter((name) => {
    const isOurs = confirmed === true && name === confirmationProperty;
    const isNamed = served.some(({ properties }) => properties.has(name));
    return !isOurs && !isNamed && served.some((one) => !isNothing(propertyOf(one, name)));
  });
}

function unnamedDrift(name: string, { placeOf, part }: SchemaPair): Drift {
  const place = placeWords([name], part);
  return drift('input-unnamed', `the node describes ${place}, the server does not name it and takes anything for it`, {
    nodePointer: placeOf([name]),
    serverPointer: pointerTo(part),
  });
}

/** A confirmation that is missing shows in both directions. */
function isFirstOfItsKind({ code }: Drift, index: number, all: readonly Drift[]): boolean {
  return code !== 'confirmation-missing' || all.findIndex((other) => other.code === code) === index;
}

interface Doubt {
  readonly undecided: Undecided;
  readonly accepting: Side;
}

function doubtsOf({ undecided }: Outcome, accepting: Side): Doubt[] {
  return undecided.map((one) => ({ undecided: one, accepting }));
}

function uncheckedOf(doubts: readonly Doubt[], part: Part): Unchecked[] {
  const found = new Map<string, Unchecked>();
  for (const { undecided, accepting } of doubts) {
    const { keyword, pointer, path } = undecided;
    const isNode = (undecided.of === 'accepting') === (accepting === 'node');
    const side = isNode ? 'node' : 'server';
    const message = `${placeWords(path, part)}: what "${keyword}" says at ${pointer} of the ${side} is not decided`;
    found.set(JSON.stringify([side, keyword, pointer]), { message, keyword, side, pointer });
  }
  return [...found.values()];
}

function pointerTo(part: Part): string {
  return `/${part}Schema`;
}
