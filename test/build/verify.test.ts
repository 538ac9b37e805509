import { describe, expect, it } from 'vitest';
import { verifyBuild } from '../../src/build/verify.js';
import { schemaFaultFinder } from '../../src/invocation/schema-validity.js';
import type { Entry } from '../../src/projection/generation.js';
import { entry, generation, iriOf } from '../cli/generation-builder.js';

const faultsOf = await schemaFaultFinder();

function withProperty(id: string, schema: { readonly [keyword: string]: string | number }): Entry {
  const one = entry(id);
  const inputSchema = { type: 'object' as const, properties: { p: schema }, additionalProperties: false };
  return { ...one, declaration: { ...one.declaration, inputSchema } };
}

describe('verifyBuild', () => {
  it('finds nothing in a generation whose schemas are valid', () => {
    expect(verifyBuild(generation([withProperty('a', { type: 'string' }), entry('b')]), faultsOf)).toEqual([]);
  });

  it('names the tool and the place of what is no JSON Schema 2020-12', () => {
    const found = verifyBuild(
      generation([withProperty('a', { type: 'text' }), withProperty('b', { minLength: -1 })]),
      faultsOf,
    );
    expect(found).toMatchObject([
      { code: 'unportable-schema', severity: 'error', document: 'graph/tools/a.json', subject: iriOf('a') },
      { code: 'unportable-schema', document: 'graph/tools/b.json' },
    ]);
    expect(found[0]?.message).toMatch(
      /^a: its input schema is no JSON Schema 2020-12, at \/properties\/p\/type: must /,
    );
  });

  it('names two names that would be one file where case is not told apart', () => {
    expect(verifyBuild(generation([entry('Ab'), entry('ab')]), faultsOf)).toMatchObject([
      {
        code: 'name-collision',
        message: 'ab and Ab would be one file where case is not told apart; change one of the ids',
        document: 'graph/tools/ab.json',
      },
    ]);
  });
});
