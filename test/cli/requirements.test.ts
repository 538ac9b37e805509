import { describe, expect, it } from 'vitest';
import { requirementsOf } from '../../src/cli/requirements.js';
import { tool } from './generation-builder.js';

const demanding = tool('a', {
  requires: { os: ['linux'], runtime: ['bun', 'python:yaml'], network: true, env: ['GH_TOKEN'] },
  when: { exists: ['package.json'] },
});

function met(outcome: Parameters<typeof requirementsOf>[1]): string[] {
  return requirementsOf(demanding, outcome).map(({ kind, met }) => `${kind} ${met}`);
}

describe('requirementsOf', () => {
  it('lists nothing for a Tool that requires nothing', () => {
    expect(requirementsOf(tool('a', { requires: { network: false } }), 'projected')).toEqual([]);
  });

  it('names what is needed', () => {
    expect(requirementsOf(demanding, 'projected').map(({ needs }) => needs)).toEqual([
      ['linux'],
      ['bun', 'python:yaml'],
      ['network'],
      ['GH_TOKEN'],
      ['package.json'],
    ]);
  });

  it('says that all are met when the Tool is projected, or when only its command is missing', () => {
    const all = ['os yes', 'runtime yes', 'network yes', 'env yes', 'when yes'];
    expect(met('projected')).toEqual(all);
    expect(met('command-not-found')).toEqual(all);
  });

  it('says that those before the unmet one are met, and nothing of those after it', () => {
    expect(met('unmet-network')).toEqual(['os yes', 'runtime yes', 'network no', 'env unknown', 'when unknown']);
  });

  it.each(['shell-syntax', 'tier', undefined] as const)(
    'says nothing when %s was decided before any of them',
    (code) => {
      expect(new Set(requirementsOf(demanding, code).map(({ met }) => met))).toEqual(new Set(['unknown']));
    },
  );
});
