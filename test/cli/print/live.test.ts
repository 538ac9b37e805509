import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/print/columns.js';
import { liveFrame } from '../../../src/cli/print/live.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation, omission } from '../generation-builder.js';

const settings = {
  terminal: true,
  width: 70,
  rows: 23,
  colors: pc.createColors(false),
  instance: 'demo',
  hint: ['Ctrl-C ends.'],
};

function many(tools: number, omissions: number, problems: number) {
  const list = <T>(n: number, make: (id: string) => T) => Array.from({ length: n }, (_, i) => make(`t${i + 10}`));
  return generation(
    list(tools, (id) => entry(id)),
    list(omissions, (id) => omission(`o-${id}`, 'tier', 'experimental')),
    list(problems, (id) => problem('unreadable', 'bad', { document: `${id}.json` })),
  );
}

describe('liveFrame', () => {
  it('shows all of a small instance, and what to do', () => {
    expect(liveFrame(many(1, 1, 1), settings)).toEqual([
      'toolgraph: 1 tool, 1 omission, 1 problem (generation 4, instance demo)',
      '1 tool',
      '  t10  shell  stable  Title of t10 - What t10 does.',
      '1 problem',
      '  t10.json  unreadable  bad',
      '1 omission',
      '  o-t10  tier  experimental',
      '',
      'Ctrl-C ends.',
    ]);
  });

  it('says how many more there are where the screen has no room', () => {
    const frame = liveFrame(many(30, 1, 0), { ...settings, rows: 10 });
    expect(frame).toHaveLength(10);
    expect(frame[1]).toBe('30 tools');
    expect(frame[5]).toBe('  … 27 more: toolgraph tools');
    expect(frame[7]).toBe('  o-t10  tier  experimental');
  });

  it('wraps a problem, a reason and the hint; a row that has no room is counted, not cut', () => {
    const message = 'expected one of a rather long list of things';
    const one = generation([], [], [problem('invalid-node', message, { document: 'graph/a.json' })]);
    const narrow = { ...settings, width: 40, hint: ['Edit a node and see it arrive here. Ctrl-C ends.'] };
    expect(liveFrame(one, narrow).slice(1)).toEqual([
      '1 problem',
      '  graph/a.json  invalid-node',
      '    expected one of a rather long list',
      '    of things',
      '',
      'Edit a node and see it arrive here.',
      'Ctrl-C ends.',
    ]);
    expect(liveFrame(one, { ...narrow, rows: 7 }).slice(1, 4)).toEqual([
      '1 problem',
      '  … 1 more: toolgraph tools',
      '',
    ]);
  });

  it('never has more lines or wider ones than the screen, so that it can be drawn over', () => {
    const size = fc.nat(50);
    fc.assert(
      fc.property(
        size,
        size,
        size,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 150 }),
        (t, o, p, rows, width) => {
          const frame = liveFrame(many(t, o, p), { ...settings, rows, width });
          expect(frame.length).toBeLessThanOrEqual(rows);
          for (const line of frame) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it('uses the room that it has', () => {
    expect(liveFrame(many(50, 50, 50), settings)).toHaveLength(23);
    expect(liveFrame(many(50, 1, 0), settings)).toHaveLength(23);
  });
});
