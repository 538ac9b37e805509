import { beforeAll, describe, expect, it } from 'vitest';
import type { Tier } from '../../schemas/tool.js';
import type { View } from '../../schemas/view.js';
import { analysePatterns } from '../../src/patterns/analyse.js';
import type { PatternVerdicts } from '../../src/patterns/verdict.js';
import { schemaSource } from '../../src/projection/schema-source.js';
import { evaluateView, type QueryVerdict, queryKey } from '../../src/projection/view-state.js';
import { registry, sampleTypes, sampleView, typeIri } from './sample-node.js';

let verdicts: PatternVerdicts;

beforeAll(async () => {
  verdicts = await analysePatterns([sampleTypes.Slug.pattern, sampleTypes.Slow.pattern]);
});

function stateOf(fields: Partial<View>, verdict: QueryVerdict | undefined = { form: 'select' }) {
  const node = { ...sampleView({ id: 'v', ...fields }, 'graph/v.json'), pointer: '/@graph/3' };
  const queries = new Map(verdict === undefined ? [] : [[queryKey(node), verdict]]);
  const options = { tiers: ['stable' as const] };
  return evaluateView(node, { schemaOf: schemaSource(registry(sampleTypes)), verdicts, queries, options });
}

const slug = { name: 'slug', schema: typeIri('Slug'), required: true };

describe('The state of a view', () => {
  it('is projected, with the schema of each parameter', () => {
    expect(stateOf({ parameters: [slug, { name: 'count', schema: typeIri('Count') }] })).toMatchObject({
      state: 'projected',
      view: {
        ...{ id: 'v', document: 'graph/v.json', form: 'select' },
        parameters: [
          { name: 'slug', required: true, type: { type: 'string' }, linearPatterns: [sampleTypes.Slug.pattern] },
          { name: 'count', type: { type: 'integer', minimum: 0 } },
        ],
      },
    });
  });

  it.each([
    ['experimental', 'tier'],
    ['deprecated', 'tier'],
    ['internal', 'internal'],
  ] satisfies [Tier, string][])('is omitted with the tier %s', (tier, code) => {
    expect(stateOf({ tier })).toMatchObject({ state: 'omitted', omission: { id: 'v', code, pointer: '/@graph/3' } });
  });

  it.each([
    [{ fault: 'expected "{"', line: 2, column: 7 }, 'the query (line 2, column 7 of it): expected "{"'],
    [{ fault: 'it does not use ?slug' }, 'the query: it does not use ?slug'],
    [{ form: 'describe' }, 'expected SELECT, ASK or CONSTRUCT'],
  ] satisfies [QueryVerdict, string][])('is a problem with the query judged as %j', (verdict, message) => {
    const state = stateOf({}, verdict);
    expect(state).toMatchObject({
      state: 'problem',
      problems: [
        {
          code: 'invalid-query',
          pointer: '/@graph/3/query',
          subject: 'urn:toolgraph:test:view/v',
          message: expect.stringContaining(message),
        },
      ],
    });
  });

  it.each([
    ['Missing', 'unresolved-schema'],
    ['Slugs', 'unportable-schema'],
    ['Slow', 'unsafe-pattern'],
  ])('is a problem with a parameter of the type %s', (type, code) => {
    const state = stateOf({ parameters: [slug, { name: 'other', schema: typeIri(type) }] });
    expect(state).toMatchObject({ state: 'problem', problems: [{ code, pointer: '/@graph/3/parameters/1/schema' }] });
    expect(state).toMatchObject({ problems: [{ message: expect.stringContaining('parameter "other": ') }] });
  });

  it('has its uri and its media type, for which it has to be a SELECT', () => {
    const read = { uri: 'notes://a', mediaType: 'text/plain' };
    expect(stateOf(read)).toMatchObject({ state: 'projected', view: read });
    for (const form of ['ask', 'construct'] as const) {
      expect(stateOf(read, { form })).toMatchObject({
        problems: [{ code: 'invalid-query', message: expect.stringContaining('expected a SELECT of one value') }],
      });
      expect(stateOf({ uri: 'notes://a' }, { form })).toMatchObject({ state: 'projected' });
    }
  });

  it('is a problem rather than an omission, whatever the tier', () => {
    expect(stateOf({ tier: 'internal' }, { fault: 'no' })).toMatchObject({ state: 'problem' });
  });
});
