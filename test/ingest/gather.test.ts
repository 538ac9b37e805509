import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTimes, Gatherer } from '../../src/ingest/gather.js';

interface Made {
  readonly at: number;
  readonly full: boolean;
  readonly paths: readonly string[];
}

/** Lets a Gatherer live through hints at given times, waking it exactly when it asks to be woken. */
function live(hints: readonly { at: number; path?: string }[], until: number, passMs = 0): Made[] {
  const gatherer = new Gatherer();
  gatherer.take(0);
  const made: Made[] = [];
  const left = [...hints].sort((a, b) => a.at - b.at);
  let now = 0;
  while (now <= until) {
    const due = Math.max(now, gatherer.nextAt());
    const hint = left[0];
    if (hint !== undefined && hint.at <= due) {
      gatherer.hint(hint.at, hint.path);
      now = Math.max(now, hint.at);
      left.shift();
      continue;
    }
    now = due;
    if (now > until) break;
    const pass = gatherer.take(now);
    made.push({ at: now, full: pass.full, paths: [...pass.paths] });
    now += passMs;
  }
  return made;
}

const start = 1_000;
const hintTimes = (spanMs: number) => fc.array(fc.integer({ min: 0, max: spanMs }), { minLength: 1, maxLength: 60 });

describe('Gatherer', () => {
  it('passes one edit at once, and scans everything 250 ms later', () => {
    expect(live([{ at: start, path: 'a' }], 2_000)).toEqual([
      { at: start, full: false, paths: ['a'] },
      { at: start + 250, full: true, paths: [] },
    ]);
  });

  it('gathers what follows until 50 ms of quiet', () => {
    const hints = [0, 80, 120, 150].map((ms) => ({ at: start + ms, path: `${ms}` }));
    expect(live(hints, 1_300)).toEqual([
      { at: start, full: false, paths: ['0'] },
      { at: start + 200, full: true, paths: ['80', '120', '150'] },
    ]);
  });

  it('gathers for 250 ms at most when there is no quiet', () => {
    const hints = Array.from({ length: 100 }, (_, i) => ({ at: start + i * 10, path: `${i}` }));
    const passes = live(hints, start + 1_000);
    expect(passes.map(({ at }) => at - start)).toEqual([0, 260, 520, 780]);
  });

  it('W18: looks at one path at once, and answers what follows, whose events lag behind, with a full scan', () => {
    const hints = [0, 1, 2].map((ms) => ({ at: start + ms, path: `${ms}` }));
    expect(live(hints, start + 150).map(({ full }) => full)).toEqual([false, true]);
  });

  it('scans everything at the interval though nothing happens', () => {
    expect(live([], 25_000)).toEqual([
      { at: 10_000, full: true, paths: [] },
      { at: 20_000, full: true, paths: [] },
    ]);
  });

  it('W18: any number of hints within 100 ms after quiet makes at most two passes before the confirming scan', () => {
    fc.assert(
      fc.property(hintTimes(100), (times) => {
        const first = Math.min(...times);
        const passes = live(
          times.map((ms) => ({ at: start + ms, path: `${ms}` })),
          start + 10_000 - 2_000,
        );
        const carrying = passes.filter(({ paths }) => paths.length > 0);
        expect(carrying.length).toBeLessThanOrEqual(2);
        expect(carrying[0]?.at).toBe(start + first);
      }),
    );
  });

  it('loses no hint: each is in a pass or before a full scan, and a full scan follows the last, however long passes take', () => {
    fc.assert(
      fc.property(hintTimes(3_000), fc.integer({ min: 0, max: 400 }), (times, passMs) => {
        const passes = live(
          times.map((ms) => ({ at: start + ms, path: `${ms}` })),
          start + 8_000,
          passMs,
        );
        for (const ms of times) {
          const seen = passes.filter(({ at, full, paths }) => at >= start + ms && (full || paths.includes(`${ms}`)));
          expect(seen.length).toBeGreaterThan(0);
        }
        const last = start + Math.max(...times);
        const confirming = passes.find(({ at, full }) => full && at >= last + defaultTimes.fullAfterMs);
        expect(confirming?.at).toBeLessThanOrEqual(last + defaultTimes.fullAfterMs + 100 + passMs * 2);
      }),
    );
  });

  it('makes a hint without a path a full scan', () => {
    expect(live([{ at: start }], 1_100)).toEqual([{ at: start, full: true, paths: [] }]);
  });

  it('looks again when a pass asks for it, 100 ms apart', () => {
    const gatherer = new Gatherer();
    gatherer.take(start);
    gatherer.retryIn(start, 20);
    expect(gatherer.nextAt()).toBe(start + 100);
    gatherer.retryIn(start, 150);
    expect(gatherer.nextAt()).toBe(start + 100);
    expect(gatherer.take(start + 100)).toEqual({ full: false, paths: new Set() });
    expect(gatherer.nextAt()).toBe(start + 10_000);
  });

  it('obeys a demand at once, in the middle of gathering too', () => {
    const gatherer = new Gatherer();
    gatherer.take(start);
    gatherer.hint(start + 50, 'a');
    gatherer.hint(start + 60, 'b');
    gatherer.demand(start + 61, ['c']);
    expect(gatherer.nextAt()).toBeLessThanOrEqual(start + 61);
    expect(gatherer.take(start + 61)).toEqual({ full: false, paths: new Set(['a', 'b', 'c']) });
    gatherer.demand(start + 70);
    expect(gatherer.take(start + 70).full).toBe(true);
  });

  it('polls as often as it is told, until it is told otherwise', () => {
    const gatherer = new Gatherer();
    gatherer.demand(0);
    gatherer.take(0);
    gatherer.every(250);
    expect(gatherer.nextAt()).toBe(250);
    gatherer.every(undefined);
    expect(gatherer.nextAt()).toBe(10_000);
  });
});
