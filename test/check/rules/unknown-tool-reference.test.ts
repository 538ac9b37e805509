import { describe, expect, it } from 'vitest';
import { unknownToolReference } from '../../../src/check/rules/unknown-tool-reference.js';
import { problem } from '../../../src/diagnostic.js';
import { generation, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found, messages } from '../checked-instance.js';

const deprecated = { tier: 'deprecated', deprecated: { replacedBy: 'new-tol' } } as const;

describe('unknown-tool-reference', () => {
  it('finds a replacement, an alternative and a remedy that no Tool is', () => {
    const fields = { ...deprecated, alternativeTo: ['gone'], remedies: [{ error: 'x', tool: 'mender' }] };
    expect(found(unknownToolReference, checked({ nodes: [node('a', fields), node('new-tool')] }))).toEqual(
      [
        ['a: it is an alternative to "gone", and no Tool has this id', '/alternativeTo'],
        ['a: a remedy names "mender", and no Tool has this id', '/remedies'],
        ['a: it is replaced by "new-tol", and no Tool has this id; did you mean "new-tool"?', '/deprecated/replacedBy'],
      ].map(([message, pointer]) => ({ message, document: 'graph/tools/a.json', pointer, subject: iriOf('a') })),
    );
  });

  it('finds nothing where they exist, by id or IRI, as a problem too, or where there is no remedy', () => {
    const fields = {
      alternativeTo: ['b', iriOf('c')],
      remedies: [
        { error: 'x', none: 'wait' },
        { error: 'y', tool: 'd' },
      ],
    };
    const problems = [problem('invalid-node', 'expected a title', { subject: iriOf('d') })];
    const nodes = [node('a', fields), node('b'), node('c')];
    expect(messages(unknownToolReference, checked({ nodes, generation: generation([], [], problems) }))).toEqual([]);
  });
});
