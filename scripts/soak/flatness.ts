/** One figure of one process over the bursts. */
export interface Trend {
  readonly first: number;
  readonly last: number;
  readonly highest: number;
  /** Of the least-squares line through the samples after the warm-up, a sample. */
  readonly slope: number;
  /** What the line rises from its first to its last sample. */
  readonly growth: number;
  readonly isFlat: boolean;
}

/** The first part of the samples, in which caches fill and code is compiled, is not judged. */
const warmUpShare = 1 / 3;

/**
 * Whether a figure is flat: the least-squares line through the samples after the first third rises by at most `allowed`. `samples` must
 * not be empty. Pure.
 */
export function trend(samples: readonly number[], allowed: number): Trend {
  const judged = samples.slice(Math.ceil(samples.length * warmUpShare));
  const slope = leastSquaresSlope(judged);
  const growth = slope * (judged.length - 1);
  return {
    first: samples[0] ?? Number.NaN,
    last: samples.at(-1) ?? Number.NaN,
    highest: Math.max(...samples),
    slope,
    growth,
    isFlat: growth <= allowed,
  };
}

/** The slope of y over 0, 1, 2 …; 0 for fewer than two values. */
export function leastSquaresSlope(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const meanX = (values.length - 1) / 2;
  const meanY = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [above, below] = [0, 0];
  for (const [x, value] of values.entries()) {
    above += (x - meanX) * (value - meanY);
    below += (x - meanX) ** 2;
  }
  return above / below;
}

/** A trend in words. `unit` is empty for what is counted. */
export function line({ first, last, highest, slope, growth, isFlat }: Trend, unit: string): string {
  const digits = unit === '' ? 0 : 1;
  const values = [first, last, highest].map((value) => value.toFixed(digits));
  const flat = isFlat ? 'flat' : 'NOT flat';
  return (
    `first ${values[0]}, last ${values[1]}, most ${values[2]} ${unit}`.trimEnd() +
    `, slope ${slope.toFixed(3)} a sample, growth ${growth.toFixed(1)}: ${flat}`
  );
}
