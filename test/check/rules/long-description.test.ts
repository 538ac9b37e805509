import { describe, expect, it } from 'vitest';
import { longDescription } from '../../../src/check/rules/long-description.js';
import { entry, generation, iriOf, node } from '../../cli/generation-builder.js';
import { checked, found } from '../checked-instance.js';

function served(length: number) {
  const fields = { description: 'a'.repeat(length) };
  return checked({ generation: generation([entry('a', fields)]), nodes: [node('a', fields)] });
}

describe('long-description', () => {
  it('warns of what some hosts do not take, and of nothing shorter', () => {
    expect(found(longDescription, served(1025))).toEqual([
      {
        message: 'a: its description has 1025 characters, and some hosts take at most 1024',
        document: 'graph/tools/a.json',
        pointer: '/description',
        subject: iriOf('a'),
      },
    ]);
    expect(found(longDescription, served(1024))).toEqual([]);
  });
});
