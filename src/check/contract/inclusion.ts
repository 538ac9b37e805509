import type { Json } from '../../../schemas/declaration.js';
import {
  type Acceptance,
  type Alternative,
  type ArrayShape,
  anything,
  type ExactValue,
  isNothing,
  itemAt,
  type ObjectShape,
  possibleMembers,
  propertyOf,
} from './acceptance.js';
import {
  anyItem,
  anyOther,
  contained,
  type Difference,
  isContained,
  type Outcome,
  type Step,
  shownBy,
  together,
} from './difference.js';
import { Effort, TooLargeError } from './effort.js';
import { opaqueIn, opaqueOf } from './intersection.js';
import { accepts } from './membership.js';
import type { PatternAnswers } from './pattern-question.js';
import { freshName, numbersIn, Sampler } from './sample.js';
import { numberDifferences, stringDifferences } from './scalar-inclusion.js';
import { boundWords, exactWords, typeWords } from './wording.js';

const maxComparisons = 50_000;
/** A range of integers of at most so many is also compared one by one. */
const maxMembers = 64;

/**
 * What schema `a` accepts and schema `b` does not. A difference is told only with a value that shows it: `a` certainly accepts it and `b`
 * certainly refuses it. That there is none is told only when it is proved. All else is undecided. Throws a TooLargeError when the two
 * together are beyond what is compared.
 */
export function beyond(a: Acceptance, b: Acceptance, patterns: PatternAnswers, effort = new Effort()): Outcome {
  return new Inclusion(patterns, effort).ofSchema(a, b, []);
}

type Path = readonly Step[];

class Inclusion {
  readonly #patterns: PatternAnswers;
  readonly #sampler: Sampler;
  readonly #effort: Effort;
  #comparisons = 0;

  constructor(patterns: PatternAnswers, effort: Effort) {
    this.#patterns = patterns;
    this.#effort = effort;
    this.#sampler = new Sampler(patterns, effort);
  }

  ofSchema(a: Acceptance, b: Acceptance, path: Path): Outcome {
    if (a === b || b === anything) return contained;
    return together(a.alternatives.map((alternative) => this.#ofAlternative(alternative, b, path)));
  }

  #ofAlternative(a: Alternative, b: Acceptance, path: Path): Outcome {
    this.#comparisons += 1;
    this.#effort.spend(1);
    if (this.#comparisons > maxComparisons)
      throw new TooLargeError('the two schemas together are too large to compare');
    if (a.kind === 'value') return this.#ofValue(a, b, path);
    const outcomes: Outcome[] = [];
    for (const candidate of b.alternatives) {
      if (candidate.kind !== a.kind) continue;
      const outcome = this.#ofShape(a, candidate, path);
      if (isContained(outcome)) return contained;
      outcomes.push(outcome);
    }
    if (this.#isSpelledOut(a, b)) return contained;
    if (outcomes.length === 0) return this.#ofOtherType(a, b, path);
    return this.#closest(a, b, outcomes, path);
  }

  #ofValue(a: ExactValue, b: Acceptance, path: Path): Outcome {
    const found = accepts(b, a.value, this.#patterns);
    if (found === 'yes') return contained;
    if (found === 'no') {
      const refusal: Difference = {
        path,
        kind: 'value',
        what: exactWords(a.value),
        acceptedAt: a.pointer,
        refusedAt: b.pointer,
        example: a.value,
      };
      return a.opaque.length === 0 ? { differences: [refusal], undecided: [] } : undecidedBy(a, path, 'accepting');
    }
    const same = b.alternatives.some((other) => other.kind === 'value' && other.text === a.text && isImplied(other, a));
    if (same) return contained;
    return { differences: [], undecided: [{ path, of: 'refusing', ...undecidedIn(b) }] };
  }

  /** Whether every integer of a small range is accepted, and be it one by one. */
  #isSpelledOut(a: Alternative, b: Acceptance): boolean {
    if (a.kind !== 'number' || a.step === undefined || !Number.isInteger(a.step)) return false;
    const count = (a.max - a.min) / a.step + 1;
    if (!(count <= maxMembers)) return false;
    const members = numbersIn(a, maxMembers);
    return members.length === count && members.every((member) => accepts(b, member, this.#patterns) === 'yes');
  }

  #ofOtherType(a: Alternative, b: Acceptance, path: Path): Outcome {
    const named = b.alternatives.filter((other) => other.kind === 'value' && typeWords(other) === typeWords(a)).length;
    const example = this.#sampler
      .ofAlternative(a, named + 1)
      .find((value) => this.#shows(value, { alternatives: [a], pointer: '' }, b));
    if (example === undefined) {
      if (opaqueOf(a).length > 0) return undecidedBy(a, path, 'accepting');
      return { differences: [], undecided: [{ path, of: 'accepting', keyword: 'type', pointer: a.pointer }] };
    }
    const what = named === 0 ? typeWords(a) : `${typeWords(a)} other than the ${named} that are named`;
    return {
      differences: [{ path, kind: 'type', what, acceptedAt: a.pointer, refusedAt: b.pointer, example }],
      undecided: [],
    };
  }

  /** None of the alternatives of `b` takes all of `a`: the nearest of them says best what is missing. */
  #closest(a: Alternative, b: Acceptance, outcomes: readonly Outcome[], path: Path): Outcome {
    const whole: Acceptance = { alternatives: [a], pointer: a.pointer };
    const shown = outcomes.map(({ differences, undecided }) => ({
      differences: differences.filter(({ example }) => this.#shows(example, whole, b)),
      undecided,
      lost: differences.filter(({ example }) => !this.#shows(example, whole, b)),
    }));
    const complete = shown.filter(({ lost, differences }) => lost.length === 0 && differences.length > 0);
    const [best] = (complete.length > 0 ? complete : shown.filter(({ differences }) => differences.length > 0)).sort(
      (x, y) => x.differences.length - y.differences.length,
    );
    const only = best ?? (shown.length === 1 ? shown[0] : undefined);
    if (only === undefined) {
      const [first] = outcomes.flatMap(({ undecided }) => undecided);
      return { differences: [], undecided: [first ?? { path, of: 'refusing', keyword: 'anyOf', pointer: b.pointer }] };
    }
    const { differences, undecided, lost } = only;
    const unclear = lost.flatMap((difference) => this.#unclear(a, difference));
    return { differences, undecided: [...undecided, ...unclear] };
  }

  #unclear(a: Alternative, { path, refusedAt }: Difference): Outcome['undecided'] {
    const found = undecidedBy(a, path, 'accepting').undecided;
    return found.length > 0 ? found : [{ path, of: 'refusing', keyword: 'anyOf', pointer: refusedAt }];
  }

  #shows(example: Json, a: Acceptance, b: Acceptance): boolean {
    return accepts(a, example, this.#patterns) === 'yes' && accepts(b, example, this.#patterns) === 'no';
  }

  #ofShape(a: Alternative, b: Alternative, path: Path): Outcome {
    const outcomes: Outcome[] = [this.#ofOpaque(a, b, path)];
    if (a.kind === 'number' && b.kind === 'number') outcomes.push(numberDifferences(a, b, path));
    if (a.kind === 'string' && b.kind === 'string')
      outcomes.push(stringDifferences(a, b, path, this.#sampler, this.#patterns));
    if (a.kind === 'array' && b.kind === 'array') outcomes.push(this.#ofArrays(a, b, path));
    if (a.kind === 'object' && b.kind === 'object') outcomes.push(this.#ofObjects(a, b, path));
    return together(outcomes);
  }

  #ofOpaque(a: Alternative, b: Alternative, path: Path): Outcome {
    const unknown = b.opaque.filter(({ key }) => key === undefined || !a.opaque.some((known) => known.key === key));
    return {
      differences: [],
      undecided: unknown.map(({ keyword, pointer }) => ({ path, of: 'refusing', keyword, pointer })),
    };
  }

  #ofArrays(a: ArrayShape, b: ArrayShape, path: Path): Outcome {
    const outcomes: Outcome[] = [];
    const tell = (what: string, keyword: string, example: Json | undefined): void => {
      outcomes.push(
        shownBy(example, { path, kind: 'bound', what, acceptedAt: a.pointer, refusedAt: b.pointer }, keyword),
      );
    };
    if (a.min < b.min) tell(boundWords('array', 'fewer', b.min), 'minItems', this.#sampler.array(a, a.min, new Map()));
    if (a.max > b.max) {
      const length = Math.max(a.min, b.max + 1);
      tell(boundWords('array', 'more', b.max), 'maxItems', this.#sampler.array(a, length, new Map()));
    }
    if (b.unique && !a.unique && a.max > 1) tell('arrays with equal items', 'uniqueItems', this.#twice(a));
    const places = Math.min(Math.max(a.prefix.length, b.prefix.length), a.max);
    for (let i = 0; i < Math.min(places, b.max); i++) outcomes.push(this.#ofItem(a, b, i, [...path, i]));
    if (a.max > places && b.max > places) outcomes.push(this.#ofItem(a, b, places, [...path, anyItem]));
    return together(outcomes);
  }

  #ofItem(a: ArrayShape, b: ArrayShape, index: number, path: Path): Outcome {
    const length = Math.max(a.min, index + 1);
    return this.#within(this.ofSchema(itemAt(a, index), itemAt(b, index), path), (item) =>
      this.#sampler.array(a, length, new Map([[index, item]])),
    );
  }

  #twice(a: ArrayShape): Json | undefined {
    const first = this.#sampler.one(itemAt(a, 0));
    if (first === undefined) return undefined;
    return this.#sampler.array(
      a,
      Math.max(2, a.min),
      new Map([
        [0, first],
        [1, first],
      ]),
    );
  }

  #ofObjects(a: ObjectShape, b: ObjectShape, path: Path): Outcome {
    const names = new Set([...a.properties.keys(), ...b.properties.keys()]);
    const outcomes = Array.from(names, (name) => this.#ofProperty(a, b, name, [...path, name]));
    outcomes.push(this.#ofProperty(a, b, freshName(a, 0, b), [...path, anyOther]));
    for (const name of b.required) {
      if (a.required.has(name)) continue;
      const example = this.#sampler.object(a, { without: name, like: b });
      const whole = example !== undefined && Object.hasOwn(example, name) ? undefined : example;
      const told = {
        path: [...path, name],
        kind: 'required',
        what: 'nothing',
        acceptedAt: a.pointer,
        refusedAt: b.pointer,
      } as const;
      outcomes.push(shownBy(whole, told, 'required'));
    }
    const tell = (what: string, keyword: string, example: Json | undefined): void => {
      outcomes.push(
        shownBy(example, { path, kind: 'bound', what, acceptedAt: a.pointer, refusedAt: b.pointer }, keyword),
      );
    };
    if (a.min < b.min && b.min > b.required.size) {
      tell(boundWords('object', 'fewer', b.min), 'minProperties', this.#sampler.object(a, {}));
    }
    // Who has more members than a closed object can have has one that it refuses: that is told above.
    if (a.max > b.max && b.max < possibleMembers(b)) {
      tell(boundWords('object', 'more', b.max), 'maxProperties', this.#sampler.object(a, { members: b.max + 1 }));
    }
    return together(outcomes);
  }

  #ofProperty(a: ObjectShape, b: ObjectShape, name: string, path: Path): Outcome {
    const [own, other] = [propertyOf(a, name), propertyOf(b, name)];
    if (isNothing(own)) return contained;
    const wrap = (member: Json): Json | undefined =>
      this.#sampler.object(a, { given: new Map([[name, member]]), like: b });
    if (!isNothing(other)) return this.#within(this.ofSchema(own, other, path), wrap);
    const member = this.#sampler.one(own);
    const told = { path, kind: 'unknown', what: 'a value', acceptedAt: own.pointer, refusedAt: b.pointer } as const;
    return shownBy(member === undefined ? undefined : wrap(member), told, 'additionalProperties');
  }

  /** The outcome of a part, its examples made whole. */
  #within(outcome: Outcome, wrap: (part: Json) => Json | undefined): Outcome {
    if (isContained(outcome)) return contained;
    return together([
      { differences: [], undecided: outcome.undecided },
      ...outcome.differences.map((difference) => shownBy(wrap(difference.example), difference, difference.kind)),
    ]);
  }
}

function undecidedBy(a: Alternative, path: Path, of: 'accepting' | 'refusing'): Outcome {
  return { differences: [], undecided: opaqueOf(a).map(({ keyword, pointer }) => ({ path, of, keyword, pointer })) };
}

function undecidedIn(b: Acceptance): { keyword: string; pointer: string } {
  const [first] = opaqueIn(b);
  if (first !== undefined) return first;
  const string = b.alternatives.find((other) => other.kind === 'string');
  return { keyword: string?.formats.length ? 'format' : 'pattern', pointer: string?.pointer ?? b.pointer };
}

/** Whether all that is not understood of `b` is said of `a` too. */
function isImplied(b: Alternative, a: Alternative): boolean {
  return b.opaque.every(({ key }) => key !== undefined && a.opaque.some((known) => known.key === key));
}
