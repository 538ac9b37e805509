import { describe, expect, it } from 'vitest';
import { patternsIn, patternsOf } from '../../src/projection/patterns.js';
import { registry, sampleNode, typeIri } from './sample-node.js';

describe('patternsOf', () => {
  const types = registry({
    Used: { type: 'array', items: { $ref: '#/$defs/Deep' } },
    Deep: {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a$' } },
      patternProperties: { '^b': { type: 'string' } },
    },
    Unused: { type: 'string', pattern: '^unused$' },
    Output: { type: 'string', pattern: '^output$' },
    Broken: { type: 'array', pattern: '^broken$' },
  });

  it('has those of the types that inputs and outputs that are read name, behind references too, and no others', () => {
    const inputs = ['Used', 'Broken', 'Missing'].map((name) => ({ name, schema: typeIri(name) }));
    const outputs = [
      { name: 'read', schema: typeIri('Output'), from: { stdout: 'json' } } as const,
      { name: 'prose', schema: typeIri('Unused') },
    ];
    expect(patternsOf([sampleNode({ inputs, outputs }), sampleNode({ id: 'b', inputs })], types)).toEqual(
      new Set(['^a$', '^b', '^output$']),
    );
  });

  it('does not take data for patterns', () => {
    expect(patternsIn({ type: 'object', default: { pattern: 'x' }, enum: [{ pattern: 'y' }], properties: {} })).toEqual(
      new Set(),
    );
    expect(patternsIn({ anyOf: [{ pattern: 'a' }, { not: { contains: { pattern: 'b' } } }] })).toEqual(
      new Set(['a', 'b']),
    );
  });
});
