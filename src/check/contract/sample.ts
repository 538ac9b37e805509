import type { Json } from '../../../schemas/declaration.js';
import {
  type Acceptance,
  type Alternative,
  type ArrayShape,
  isNothing,
  itemAt,
  type NumberRange,
  type ObjectShape,
  propertyOf,
  type StringRange,
} from './acceptance.js';
import type { Effort } from './effort.js';
import { exampleOf } from './formats.js';
import { canonicalText } from './json-value.js';
import { accepts, isInRange } from './membership.js';
import type { PatternAnswers } from './pattern-question.js';

/** Longer strings and arrays are not made: what would need one is not decided. */
const maxLength = 2000;
const maxDepth = 40;

/** Makes values that a schema accepts, as plain ones as there are. Undefined where none was found, which does not mean that there is none. */
export class Sampler {
  readonly #patterns: PatternAnswers;
  readonly #effort: Effort;

  constructor(patterns: PatternAnswers, effort: Effort) {
    this.#effort = effort;
    this.#patterns = patterns;
  }

  one(acceptance: Acceptance, depth = 0): Json | undefined {
    return this.#first(acceptance, 1, depth)[0];
  }

  /** Up to `most` different values. */
  ofAlternative(alternative: Alternative, most: number, depth = 0): Json[] {
    this.#effort.spend(0.1);
    if (alternative.opaque.length > 0 || depth > maxDepth) return [];
    switch (alternative.kind) {
      case 'value':
        return [alternative.value];
      case 'number':
        return numbersIn(alternative, most);
      case 'string':
        return this.strings(alternative, most);
      case 'array':
        return present(this.array(alternative, alternative.min, new Map(), depth));
      case 'object':
        return present(this.object(alternative, {}, depth));
    }
  }

  strings(range: StringRange, most: number): string[] {
    const { min, max, patterns, formats } = range;
    if (min > maxLength) return [];
    if (formats.length > 0) {
      const example = exampleOf(formats[0] ?? '');
      const fits = example !== undefined && formats.length === 1 && patterns.length === 0;
      return fits && example.length >= min && example.length <= max ? [example] : [];
    }
    if (patterns.length > 0) {
      const found = this.#patterns.word({ matching: patterns, min, max });
      return typeof found === 'object' ? [found.word] : [];
    }
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].slice(0, most).map((letter) => letter.repeat(Math.max(1, min)));
    return max === 0 ? [''] : [...letters, ...longer(min, Math.min(max, maxLength), most - letters.length)];
  }

  /** An array of this length, with these items at these places. */
  array(shape: ArrayShape, length: number, given: ReadonlyMap<number, Json>, depth = 0): Json[] | undefined {
    if (length > maxLength || length < shape.min || length > shape.max) return undefined;
    const items: Json[] = [];
    const taken = new Set(Array.from(given.values(), canonicalText));
    for (let i = 0; i < length; i++) {
      const item = given.get(i) ?? this.#item(itemAt(shape, i), shape.unique ? taken : undefined, depth);
      if (item === undefined) return undefined;
      taken.add(canonicalText(item));
      items.push(item);
    }
    return items;
  }

  /** An object with these members, without those names, and with as many members as are asked for or needed. */
  object(
    shape: ObjectShape,
    { given = new Map(), without, members = 0, like }: ObjectWish,
    depth = 0,
  ): { readonly [key: string]: Json } | undefined {
    const chosen = new Map<string, Json>(given);
    const add = (name: string): boolean => {
      if (chosen.has(name) || name === without) return true;
      const member = this.#like(propertyOf(shape, name), like && propertyOf(like, name), depth + 1);
      if (member !== undefined) chosen.set(name, member);
      return member !== undefined;
    };
    for (const name of shape.required) if (!add(name)) return undefined;
    const wanted = Math.max(members, shape.min);
    if (wanted > maxLength) return undefined;
    for (const name of shape.properties.keys()) if (chosen.size < wanted) add(name);
    for (let i = 0; chosen.size < wanted && i <= wanted && !isNothing(shape.additional); i++) add(freshName(shape, i));
    return chosen.size < wanted ? undefined : Object.fromEntries(chosen);
  }

  /** What the other accepts too, where that is easily had: an example then shows one thing only. */
  #like(acceptance: Acceptance, other: Acceptance | undefined, depth: number): Json | undefined {
    const wished = other === undefined ? undefined : this.one(other, depth);
    if (wished !== undefined && accepts(acceptance, wished, this.#patterns) === 'yes') return wished;
    return this.one(acceptance, depth);
  }

  #first({ alternatives }: Acceptance, most: number, depth: number): Json[] {
    const found: Json[] = [];
    for (const alternative of alternatives) {
      if (found.length < most) found.push(...this.ofAlternative(alternative, most - found.length, depth));
    }
    return found;
  }

  #item(acceptance: Acceptance, taken: ReadonlySet<string> | undefined, depth: number): Json | undefined {
    if (taken === undefined) return this.one(acceptance, depth + 1);
    return this.#first(acceptance, taken.size + 1, depth + 1).find((value) => !taken.has(canonicalText(value)));
  }
}

export interface ObjectWish {
  readonly given?: ReadonlyMap<string, Json>;
  readonly without?: string;
  readonly members?: number;
  /** Members have values that this has too, where it can be. */
  readonly like?: ObjectShape;
}

/** A name that none of the shapes has among its properties. */
export function freshName(shape: ObjectShape, n = 0, other?: ObjectShape): string {
  let name = n === 0 ? 'other' : `other${n}`;
  while (shape.properties.has(name) || other?.properties.has(name) === true) name = `${name}_`;
  return name;
}

/** Up to `most` numbers of the range: near 0 where that is in it, else from one of its ends. */
export function numbersIn(range: NumberRange, most: number): number[] {
  const { min, max, step } = range;
  const start = Number.isFinite(min) ? min : Number.isFinite(max) ? max : 0;
  const origin = isInRange(range, 0) ? 0 : step === undefined ? start : Math.round(start / step) * step;
  const found = new Set<number>();
  const stride = step ?? 1;
  for (let i = 0; found.size < most && i <= most + 1; i++) {
    for (const candidate of [origin + i * stride, origin - i * stride]) {
      if (found.size < most && isInRange(range, candidate)) found.add(candidate + 0);
    }
  }
  const middle = (min + max) / 2;
  if (found.size < most && isInRange(range, middle)) found.add(middle);
  return [...found];
}

function longer(min: number, max: number, most: number): string[] {
  const from = Math.max(1, min) + 1;
  return Array.from({ length: Math.max(0, Math.min(most, max - from + 1)) }, (_, i) => 'a'.repeat(from + i));
}

function present<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}
