import { confirmationProperty, type Json, type JsonSchema } from '../../../schemas/declaration.js';
import { type Acceptance, isNothing, propertyOf } from '../contract/acceptance.js';
import type { Difference, Outcome, Step } from '../contract/difference.js';
import { byPlace, type DifferencesOfPlace, listed, placeWords } from '../contract/drift-words.js';
import { TooLargeError } from '../contract/effort.js';
import { beyond } from '../contract/inclusion.js';
import { readSchema } from '../contract/read-schema.js';
import type { ComparisonMeans } from '../contract/schema-drift.js';
import { type Change, type Changes, change, type Undecided } from './change.js';

type Part = 'input' | 'output';

/** What a call can give now and could not before, and the other way round. */
export function inputChanges(before: JsonSchema, after: JsonSchema, means: ComparisonMeans): Changes {
  return compare('input', before, after, means, ({ older, lost, gained }) => ({
    changes: [
      ...byPlace(lost.differences).map((group) => lostInput(group, older)),
      ...untold(gained, lost).map(gainedInput),
    ],
    undecided: undecidedOf(lost, 'input'),
  }));
}

/** What a result can have now and could not before, and the other way round. Of a tool without an outputSchema nothing was promised. */
export function outputChanges(
  before: JsonSchema | undefined,
  after: JsonSchema | undefined,
  means: ComparisonMeans,
): Changes {
  if (before === undefined && after === undefined) return { changes: [], undecided: [] };
  if (before === undefined) {
    const message = 'its result is described by an outputSchema now; it was plain text before';
    return { changes: [change('output-added', message)], undecided: [] };
  }
  if (after === undefined) {
    const message = 'it has no outputSchema any more: its result is plain text';
    return { changes: [change('output-removed', message)], undecided: [] };
  }
  return compare('output', before, after, means, ({ newer, lost, gained }) => ({
    changes: [
      ...byPlace(gained.differences).map((group) => gainedOutput(group, newer)),
      ...untold(lost, gained).map(lostOutput),
    ],
    undecided: undecidedOf(gained, 'output'),
  }));
}

interface Compared {
  readonly older: Acceptance;
  readonly newer: Acceptance;
  /** What only the older accepts. */
  readonly lost: Outcome;
  /** What only the newer accepts. */
  readonly gained: Outcome;
}

function compare(
  part: Part,
  before: JsonSchema,
  after: JsonSchema,
  { patterns, effort }: ComparisonMeans,
  tell: (compared: Compared) => Changes,
): Changes {
  try {
    const pointer = `/${part}Schema`;
    const older = readSchema(before, pointer, patterns, effort);
    const newer = readSchema(after, pointer, patterns, effort);
    const lost = beyond(older, newer, patterns, effort);
    return tell({ older, newer, lost, gained: beyond(newer, older, patterns, effort) });
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return { changes: [], undecided: [{ message: `the ${part}s cannot be compared: ${error.message}` }] };
  }
}

/** Without a property that is there, or has to be, on one side only, where `told` tells of it already. */
function untold({ differences }: Outcome, told: Outcome): DifferencesOfPlace[] {
  const paths = new Set(told.differences.filter(isOfPresence).map(({ path }) => pathKey(path)));
  return byPlace(differences.filter((one) => !isOfPresence(one) || !paths.has(pathKey(one.path))));
}

function isOfPresence({ kind }: Difference): boolean {
  return kind === 'required' || kind === 'unknown';
}

function pathKey(path: readonly Step[]): string {
  return JSON.stringify(path.map((step) => (typeof step === 'symbol' ? [step.description] : step)));
}

function lostInput(group: DifferencesOfPlace, older: Acceptance): Change {
  const [{ path, kind, example }] = group;
  const place = placeWords(path, 'input');
  if (path[0] === confirmationProperty) return confirmationChange(kind === 'required', example);
  if (kind === 'required') {
    const words = knows(older, path) ? `${place} has to be given now` : `the new ${place} has to be given`;
    return change('input-required', `${words}; a call without it is refused`, example);
  }
  if (kind === 'unknown')
    return change('input-removed', `there is no ${place} any more; a call that gives it is refused`, example);
  return change('input-narrowed', `${place} does not take ${listed(group)} any more`, example);
}

function confirmationChange(isAdded: boolean, example: Json): Change {
  return isAdded
    ? change(
        'confirmation-added',
        `a call needs ${confirmationProperty}: true now, for which the user has to be asked; without it, it is refused`,
        example,
      )
    : change(
        'confirmation-removed',
        `a call needs no confirmation any more; one that still gives ${confirmationProperty} is refused`,
        example,
      );
}

function gainedInput(group: DifferencesOfPlace): Change {
  const [{ path, kind, example }] = group;
  const place = placeWords(path, 'input');
  if (kind === 'required') return change('input-optional', `${place} may be left out now`, example);
  if (kind === 'unknown') return change('input-added', `there is a new ${place}, which may be left out`, example);
  return change('input-widened', `${place} takes ${listed(group)} too now`, example);
}

function gainedOutput(group: DifferencesOfPlace, newer: Acceptance): Change {
  const [{ path, kind, example }] = group;
  const place = placeWords(path, 'output');
  if (kind === 'unknown') return change('output-added', `there is a new ${place}`, example);
  if (kind === 'required') {
    return knows(newer, path)
      ? change('output-changed', `${place} may be missing now`, example)
      : change('output-removed', `there is no ${place} any more`, example);
  }
  return change('output-changed', `${place} may be ${listed(group)} now`, example);
}

function lostOutput(group: DifferencesOfPlace): Change {
  const [{ path, kind, example }] = group;
  const place = placeWords(path, 'output');
  if (kind === 'required') return change('output-narrowed', `${place} is always there now`, example);
  if (kind === 'unknown') {
    return change('output-narrowed', `there is no ${place} any more, which could be missing before`, example);
  }
  return change('output-narrowed', `${place} is never ${listed(group)} any more`, example);
}

/** Whether values of a schema can have something at a path; of a path below the first step it is not asked. */
function knows({ alternatives }: Acceptance, path: readonly Step[]): boolean {
  const [name] = path;
  if (path.length !== 1 || typeof name !== 'string') return true;
  return alternatives.some((one) => one.kind === 'object' && !isNothing(propertyOf(one, name)));
}

/** What keeps it from being known that nothing breaks. */
function undecidedOf({ undecided }: Outcome, part: Part): Undecided[] {
  const told = undecided.map(({ path, keyword, pointer }) => {
    return `${placeWords(path, part)}: what "${keyword}" says at ${pointer} is not decided`;
  });
  return [...new Set(told)].map((message) => ({ message }));
}
