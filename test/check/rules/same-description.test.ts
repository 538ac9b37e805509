import { describe, expect, it } from 'vitest';
import { sameDescription } from '../../../src/check/rules/same-description.js';
import { entry, generation, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

describe('same-description', () => {
  it('warns of two served Tools that say the same, but for case, spaces and full stops', () => {
    const fields = [
      { description: 'Counts words.' },
      { description: 'counts  words' },
      { description: 'Counts lines.' },
    ];
    const ids = ['a', 'b', 'c'];
    const nodes = ids.map((id, i) => node(id, fields[i]));
    const entries = ids.map((id, i) => entry(id, fields[i]));
    expect(found(sameDescription, checked({ generation: generation(entries), nodes }))).toEqual([
      {
        message: 'b: it has the same description as "a"',
        document: 'graph/tools/b.json',
        pointer: '/description',
        subject: iriOf('b'),
      },
    ]);
    expect(found(sameDescription, checked({ nodes }))).toEqual([]);
  });
});
