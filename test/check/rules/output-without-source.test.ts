import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../schemas/tool.js';
import { outputWithoutSource } from '../../../src/check/rules/output-without-source.js';
import { node } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

const schema = 'https://example.org/types#/$defs/Any';
const said = { name: 'report', schema, from: { stdout: 'json' as const } };
const silent = { name: 'log', schema };

function findings(outputs: Tool['io']['outputs']) {
  const nodes = [node('a', { io: { inputs: [], outputs } })];
  return found(outputWithoutSource, checked({ nodes })).map(({ message, pointer }) => [message, pointer]);
}

describe('output-without-source', () => {
  it('finds the one output without from that costs the whole outputSchema', () => {
    expect(findings([said, silent])).toEqual([
      [
        'a: its output "log" has no "from", so the tool has no outputSchema, although other outputs have one',
        '/io/outputs/1',
      ],
    ]);
  });

  it('finds nothing where all of them say it, or none does', () => {
    expect([findings([said]), findings([silent, { ...silent, name: 'b' }]), findings([])]).toEqual([[], [], []]);
  });
});
