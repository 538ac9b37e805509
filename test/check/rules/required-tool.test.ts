import { describe, expect, it } from 'vitest';
import { requiredTool } from '../../../src/check/rules/required-tool.js';
import { problem } from '../../../src/diagnostic.js';
import { entry, generation, iriOf, node, omission } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

function messages(parts: Parameters<typeof checked>[0]): string[] {
  return found(requiredTool, checked(parts)).map(({ message }) => message);
}

describe('required-tool', () => {
  it('finds nothing where the Tool is served', () => {
    expect(messages({ require: ['a'], generation: generation([entry('a')]) })).toEqual([]);
  });

  it('says why a required Tool is omitted, at its place in the config', () => {
    const parts = {
      require: ['a', 'b'],
      generation: generation([entry('a')], [omission('b', 'tier', 'experimental')]),
    };
    expect(found(requiredTool, checked(parts))).toEqual([
      {
        message: 'the required Tool "b" is not served: tier: experimental',
        document: 'toolgraph.config.json',
        pointer: '/require/1',
      },
    ]);
  });

  it('says which problem it has, that of a part of it too', () => {
    const problems = [problem('invalid-node', 'expected a name', { subject: `${iriOf('b')}/input/x` })];
    expect(messages({ require: ['b'], nodes: [node('b')], generation: generation([], [], problems) })).toEqual([
      'the required Tool "b" is not served: invalid-node: expected a name',
    ]);
  });

  it('does not count a Tool that is only served as it was', () => {
    const problems = [problem('invalid-node', 'expected a title', { subject: iriOf('b') })];
    const kept = { ...entry('b'), lastGood: true } as const;
    expect(messages({ require: ['b'], generation: generation([kept], [], problems) })).toEqual([
      'the required Tool "b" is not served: invalid-node: expected a title',
    ]);
  });

  it('asks what was meant where nothing describes it', () => {
    expect(messages({ require: ['disk-usge'], nodes: [node('disk-usage')] })).toEqual([
      'the required Tool "disk-usge" is not served: no document describes it; did you mean "disk-usage"?',
    ]);
    const unclear = generation([], [], [problem('unreadable', 'not JSON', { document: 'graph/x.json' })]);
    expect(messages({ require: ['b'], generation: unclear })).toEqual([
      'the required Tool "b" is not served: no document that could be read describes it',
    ]);
  });
});
