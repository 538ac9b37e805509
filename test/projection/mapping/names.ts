import { type MappingRow, row } from './row.js';

/** P1 to P3: name, title and description. */
export const namesRows: readonly MappingRow[] = [
  row('P1', 'the name is the id with "-" as "_"', { id: 'read-me' }, { declares: { name: '"read_me"' } }),
  row('P1', 'after the prefix of the config', {}, { declares: { name: '"ch_sample"' } }, { prefix: 'ch' }),
  row(
    'P1',
    'any other character of a foreign id becomes "_"',
    {},
    { declares: { name: '"a_b_c"' } },
    { foreignId: 'a.b c' },
  ),
  row(
    'P1',
    'what does not begin with a letter gets "t_"',
    {},
    { declares: { name: '"t____"' } },
    { foreignId: '__工' },
  ),
  row(
    'P1',
    'a long one is cut, and ends in 8 hex of the sha-256 of the uncut name',
    {},
    { declares: { name: `"${'x'.repeat(55)}_9537c5fd"` } },
    { foreignId: 'x'.repeat(65) },
  ),
  row(
    'P2',
    'a title that says no more than the id is left out',
    { title: 'SAMPLE' },
    { declares: { title: undefined } },
  ),
  row('P2', 'any other stays', { title: 'Sample it' }, { declares: { title: '"Sample it"' } }),
  row(
    'P3',
    'the description is verbatim',
    { description: ' a\n"b" ✓ ' },
    { declares: { description: '" a\\n\\"b\\" ✓ "' } },
  ),
];
