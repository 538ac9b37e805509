import { describe, expect, it } from 'vitest';
import { KnownLists } from '../../../scripts/load/known-lists.js';

const toolsOf = (round: number) => [
  { name: 'lasting_1', description: 'Stays.' },
  { name: 'moving_1', description: `Round ${round} of it.` },
  { name: 'moving_2', description: `Round ${round} of it.` },
];
const list = (round: number, tools = toolsOf(round)) => ({
  tools,
  generation: { number: round, digest: `digest ${round}` },
  earliest: 3,
  latest: 4,
});

describe('A list that a client is given', () => {
  const known = new KnownLists(toolsOf);

  it('is whole when it is that of a round which could be served', () => {
    expect([3, 4].map((round) => known.faultOf(list(round)))).toEqual([undefined, undefined]);
    expect(known.faultOf(list(3))).toBeUndefined();
  });

  it.each([
    ['older than what was known', list(2), 'a list is of round 2, and one of 3 to 4 had to be served'],
    ['of a round that was not written yet', list(5), 'a list is of round 5, and one of 3 to 4 had to be served'],
    [
      'of two rounds',
      list(3, [...toolsOf(3).slice(0, 2), ...toolsOf(4).slice(2)]),
      'a list is not that of its round 3',
    ],
    ['without one of its tools', list(4, toolsOf(4).slice(1)), 'a list is not that of its round 4'],
    ['in another order', list(4, toolsOf(4).reverse()), 'a list is not that of its round 4'],
    ['without any that change', list(4, toolsOf(4).slice(0, 1)), 'a list of 1 tools has none of those that change'],
  ])('is at fault when it is %s', (_, given, fault) => {
    expect(known.faultOf(given)).toBe(fault);
  });

  it('is at fault when another was given for the same generation', () => {
    const other = toolsOf(3).map((tool) => ({ ...tool, title: 'Other' }));
    expect(known.faultOf(list(3, other))).toBe('generation 3 was given as two lists');
  });
});
