import type { NumberRange, StringRange } from './acceptance.js';
import { contained, type Outcome, type Step, shownBy, together } from './difference.js';
import { exampleOf, formless } from './formats.js';
import { isInRange, isMultiple } from './membership.js';
import type { PatternAnswers } from './pattern-question.js';
import type { Sampler } from './sample.js';
import { boundWords } from './wording.js';

type Path = readonly Step[];

/** What numbers are in `a` and not in `b`, one difference for each bound that shows it. */
export function numberDifferences(a: NumberRange, b: NumberRange, path: Path): Outcome {
  const outcomes: Outcome[] = [];
  const tell = (what: string, keyword: string, isBeyond: (n: number) => boolean): void => {
    const example = candidates(a, b).find((n) => isInRange(a, n) && isBeyond(n));
    outcomes.push(
      shownBy(example, { path, kind: 'bound', what, acceptedAt: a.pointer, refusedAt: b.pointer }, keyword),
    );
  };
  const least = {
    word: b.minOpen ? 'of at most' : 'below',
    isBeyond: (n: number) => n < b.min || (b.minOpen && n === b.min),
  };
  const most = {
    word: b.maxOpen ? 'of at least' : 'above',
    isBeyond: (n: number) => n > b.max || (b.maxOpen && n === b.max),
  };
  if (a.min < b.min || (a.min === b.min && b.minOpen && !a.minOpen)) {
    tell(`numbers ${least.word} ${b.min}`, 'minimum', least.isBeyond);
  }
  if (a.max > b.max || (a.max === b.max && b.maxOpen && !a.maxOpen)) {
    tell(`numbers ${most.word} ${b.max}`, 'maximum', most.isBeyond);
  }
  const { step } = b;
  if (step !== undefined && !(a.step !== undefined && isMultiple(a.step, step))) {
    const what = step === 1 ? 'numbers with a fraction' : `numbers that are no multiple of ${step}`;
    tell(what, 'multipleOf', (n) => !isMultiple(n, step));
  }
  return together(outcomes);
}

/** Numbers at which two ranges can differ: about their bounds, 0, and the multiples of their steps. */
function candidates(a: NumberRange, b: NumberRange): number[] {
  const ends = [0, a.min, a.max, b.min, b.max].filter(Number.isFinite);
  const stride = a.step ?? 1;
  const near = ends.flatMap((end) => {
    const snapped = a.step === undefined ? end : Math.round(end / a.step) * a.step;
    return [
      snapped,
      snapped - stride,
      snapped + stride,
      snapped + 0.5 * stride,
      snapped - 0.5 * stride,
      end + 0.25,
      end - 0.25,
    ];
  });
  const between = [a.min, a.max, b.min, b.max].filter(Number.isFinite).sort((x, y) => x - y);
  const middles = between.slice(1).map((end, i) => (end + (between[i] ?? end)) / 2);
  return [...near, ...middles].map((n) => n + 0);
}

/** What strings are in `a` and not in `b`: by length, then for each pattern and format that `a` does not have. */
export function stringDifferences(
  a: StringRange,
  b: StringRange,
  path: Path,
  sampler: Sampler,
  answers: PatternAnswers,
): Outcome {
  const outcomes: Outcome[] = [];
  const told = { path, kind: 'bound', acceptedAt: a.pointer, refusedAt: b.pointer } as const;
  const tell = (what: string, keyword: string, range: StringRange): void => {
    if (range.patterns.length > 0 && range.formats.length === 0) {
      const { patterns, min, max } = range;
      if (answers.word({ matching: patterns, min, max }) === 'none') return;
    }
    outcomes.push(shownBy(sampler.strings(range, 1)[0], { ...told, what }, keyword));
  };
  if (a.min < b.min) tell(boundWords('string', 'fewer', b.min), 'minLength', { ...a, max: Math.min(a.max, b.min - 1) });
  if (a.max > b.max) tell(boundWords('string', 'more', b.max), 'maxLength', { ...a, min: Math.max(a.min, b.max + 1) });
  for (const pattern of b.patterns) {
    if (a.patterns.includes(pattern)) continue;
    const { patterns, min, max } = a;
    const found =
      a.formats.length > 0 ? undefined : answers.word({ matching: patterns, notMatching: pattern, min, max });
    if (found === 'none') continue;
    outcomes.push(shownBy(found?.word, { ...told, what: `strings that do not match ${pattern}` }, 'pattern'));
  }
  for (const format of b.formats) {
    if (!a.formats.includes(format))
      outcomes.push(shownBy(without(a, format), { ...told, what: `strings that are no ${format}` }, 'format'));
  }
  return outcomes.length === 0 ? contained : together(outcomes);
}

/** A string of the range that certainly does not have the format. */
function without({ min, max, patterns, formats }: StringRange, format: string): string | undefined {
  const other = formats.length === 0 ? formless : formats.length === 1 ? exampleOf(formats[0] ?? '') : undefined;
  if (other === undefined || exampleOf(format) === undefined || patterns.length > 0) return undefined;
  return other.length >= min && other.length <= max ? other : undefined;
}
