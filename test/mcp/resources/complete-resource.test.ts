import { describe, expect, it } from 'vitest';
import { completeResource } from '../../../src/mcp/resources/complete-resource.js';
import { LiteralTerm } from '../../../src/store/rdf-terms.js';
import { knownService, rows, servedView, withViews } from './known-service.js';

const schema = 'urn:types#/$defs/Slug';
const type = { type: 'string', examples: ['release-notes', 'v2'] } as const;
const view = servedView({ id: 'v', parameters: [{ name: 'skill', schema, type } as never] });

function completed(over: Parameters<typeof knownService>[0] = {}) {
  const { service } = knownService(over, withViews(view));
  return completeResource(service, 'toolgraph://view/v{?skill,format}', { name: 'skill', value: '' }, new Map());
}

describe('The parameter of a view', () => {
  it('is completed with what the view finds when it is left open', async () => {
    const found = ['b', 'a', 'a'].map((text) => ({ skill: new LiteralTerm(text) }));
    expect((await completed({ query: async () => rows(['skill'], found) })).values).toEqual(['a', 'b']);
  });

  it('is never completed with examples of its type, which no answer has', async () => {
    expect((await completed()).values).toEqual([]);
    const failing = { query: () => Promise.reject(new Error('busy')) };
    expect((await completed(failing)).values).toEqual([]);
  });
});
