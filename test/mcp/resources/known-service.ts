import type { View } from '../../../schemas/view.js';
import type { ReadableService } from '../../../src/mcp/resources/read-resource.js';
import type { Generation } from '../../../src/projection/generation.js';
import type { ServedView } from '../../../src/projection/view-state.js';
import type { QueryOptions, QueryResult } from '../../../src/store/query/graph-query.js';
import { Iri, type LiteralTerm } from '../../../src/store/rdf-terms.js';
import { entry, generation, node, omission } from '../../cli/generation-builder.js';

export const base = 'urn:toolgraph:demo:';

/** What resources ask of a service, over one generation. */
export function knownService(over: Partial<ReadableService> = {}, current: Generation = sampleGeneration()) {
  const asked: { sparql: string; options: QueryOptions }[] = [];
  const service: ReadableService = {
    current,
    status: () => ({
      ...{ instance: 'test', version: '0.1.0', state: 'ready', documents: 2 },
      generation: { number: current.number, digest: current.digest },
      ...{ tools: current.entries.size, views: current.views.size },
      ...{ omissions: current.omissions.length, problems: current.problems.length },
    }),
    nodes: [
      node('greet', { alternativeTo: ['by-hand'] }),
      node('by-hand'),
      node('secret', { tier: 'internal', satisfies: ['hiding'] }),
    ],
    skills: [
      {
        iri: `${base}skill/demo-skill`,
        document: 's.md',
        name: 'demo-skill',
        title: 'Testing',
        description: 'Tests | it',
      },
    ],
    instances: [{ label: '', root: '/i', config: { base } as ReadableService['instances'][number]['config'] }],
    outputs: { list: () => [], read: async () => undefined },
    recordedCalls: async () => undefined,
    query: async (sparql, options = {}) => {
      asked.push({ sparql, options });
      return rows(['tool'], [{ tool: new Iri(`${base}tool/greet`) }]);
    },
    ...over,
  };
  return { service, asked };
}

export function sampleGeneration(over: Partial<Generation> = {}): Generation {
  const secret = { ...omission('secret', 'internal', 'no'), id: 'secret' };
  return { ...generation([entry('greet')], [omission('by-hand', 'manual-only', 'by a person'), secret]), ...over };
}

export function withViews(...views: ServedView[]): Generation {
  return sampleGeneration({ views: new Map(views.map((view) => [view.id, view])) });
}

export function servedView(fields: Partial<ServedView> & Pick<View, 'id'>): ServedView {
  return {
    ...{ iri: `${base}view/${fields.id}`, document: 'graph/v.json', title: 'A view', description: 'Shows it' },
    ...{ tier: 'stable', query: 'SELECT ?tool {}', form: 'select', parameters: [] },
    ...fields,
  };
}

type Term = Iri | LiteralTerm;

export function rows(variables: readonly string[], of: readonly Record<string, Term>[]): QueryResult {
  const generationOf = { number: 7, digest: 'e'.repeat(64) };
  return { kind: 'bindings', generation: generationOf, variables, rows: of.map((row) => new Map(Object.entries(row))) };
}
