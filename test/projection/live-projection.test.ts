import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Diagnostic, problem } from '../../src/diagnostic.js';
import { analysePatterns } from '../../src/patterns/analyse.js';
import type { PatternVerdicts } from '../../src/patterns/verdict.js';
import { generationDigests } from '../../src/projection/digest.js';
import type { Projection } from '../../src/projection/generation.js';
import { type Basis, LiveProjection } from '../../src/projection/live-projection.js';
import type { DocumentNodes, ToolNode, ViewNode } from '../../src/projection/node.js';
import { type QueryVerdict, queryKey } from '../../src/projection/view-state.js';
import { registry, sampleNode, sampleTypes, sampleView, typeIri, willingHost } from './sample-node.js';

let verdicts: PatternVerdicts;

beforeAll(async () => {
  verdicts = await analysePatterns([sampleTypes.Slug.pattern]);
});

const paths = ['one.json', 'two.json', 'three.json', 'four.json'];
const types = registry(sampleTypes);
const otherTypes = registry({ ...sampleTypes, Slug: { ...sampleTypes.Slug, description: 'Another slug' } });

/** What can be said of a Tool: its ids meet in one MCP name, and its forms cover the three states. */
const tool = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd-e', 'f'),
  form: fc.constantFrom('good', 'better', 'untyped', 'manual', 'colliding', 'absent'),
});

function node(path: string, { id, form }: { id: string; form: string }): ToolNode {
  const slug = { name: 'slug', schema: typeIri(form === 'untyped' ? 'Missing' : 'Slug'), arg: { flag: '--slug' } };
  const invoke =
    form === 'manual' ? { manual: true as const } : { shell: form === 'absent' ? 'nowhere' : 'echo hello' };
  const made = sampleNode({ id, description: `Does ${form}.`, inputs: [slug], invoke }, { document: path });
  if (form !== 'colliding') return made;
  return { ...made, iri: `https://example.org/ns#tool/${id}`, tool: { ...made.tool, id: id.replace('-', '.') } };
}

/** What can be said of a view. */
const view = fc.record({
  id: fc.constantFrom('v', 'w'),
  form: fc.constantFrom('good', 'better', 'broken', 'untyped', 'experimental', 'internal', 'foreign'),
});

function viewNode(path: string, pointer: string, { id, form }: { id: string; form: string }): ViewNode {
  const tier = form === 'experimental' || form === 'internal' ? form : 'stable';
  const parameters = [{ name: 'slug', schema: typeIri(form === 'untyped' ? 'Missing' : 'Slug') }];
  const node = sampleView({ id, tier, query: `ASK { ?${form} ?p ?slug }`, parameters }, path);
  const foreign = form === 'foreign' ? { iri: `https://example.org/ns#view/${id}` } : {};
  return { ...node, ...foreign, pointer };
}

const queries = new Map(
  ['good', 'better', 'broken', 'untyped', 'experimental', 'internal', 'foreign'].map((form): [string, QueryVerdict] => [
    queryKey(viewNode('', '', { id: 'v', form })),
    form === 'broken' ? { fault: 'no query' } : { form: 'ask' },
  ]),
);

const documentStep = fc.record({
  kind: fc.constant('document' as const),
  path: fc.constantFrom(...paths),
  gone: fc.boolean(),
  tools: fc.array(tool, { maxLength: 2 }),
  views: fc.array(view, { maxLength: 2 }),
  finding: fc.constantFrom('none', 'subject', 'view', 'document', 'warning'),
  broken: fc.constantFrom('none', 'all', 'a'),
});
const basisStep = fc.record({
  kind: fc.constant('basis' as const),
  prefix: fc.constantFrom(undefined, 'x'),
  tiers: fc.constantFrom(['stable' as const], ['experimental' as const]),
  hasEcho: fc.boolean(),
  types: fc.constantFrom(types, otherTypes),
  outside: fc.constantFrom('none', 'subject', 'document'),
});
type Step =
  typeof documentStep extends fc.Arbitrary<infer D>
    ? D | (typeof basisStep extends fc.Arbitrary<infer B> ? B : never)
    : never;

const iriOfA = 'urn:toolgraph:test:tool/a';
const iriOfV = 'urn:toolgraph:test:view/v';

function finding(kind: string, path: string): Diagnostic[] {
  if (kind === 'none') return [];
  const place = kind === 'document' ? { document: path } : { document: path, subject: iriOfA };
  if (kind === 'view') return [problem('invalid-node', `told of ${path}`, { document: path, subject: iriOfV })];
  return [{ ...problem('invalid-node', `told of ${path}`, place), severity: kind === 'warning' ? 'warning' : 'error' }];
}

function nodesOf(step: Extract<Step, { kind: 'document' }>): DocumentNodes | undefined {
  if (step.gone) return undefined;
  const tools = step.tools.map((said, i) => ({ ...node(step.path, said), pointer: `/${i}` }));
  const broken = step.broken === 'all' ? 'all' : step.broken === 'a' ? [iriOfA] : [];
  const views = step.views.map((said, i) => viewNode(step.path, `/views/${i}`, said));
  return { tools, skills: [], types: [], views, diagnostics: finding(step.finding, step.path), broken };
}

function basisOf(step: Extract<Step, { kind: 'basis' }> | undefined, tools: readonly ToolNode[]): Basis {
  const commands = new Map([
    ['echo', step?.hasEcho ?? true],
    ['nowhere', false],
  ]);
  return {
    types: step?.types ?? types,
    host: willingHost(tools, { commands }),
    options: { tiers: step?.tiers ?? ['stable'], ...(step?.prefix === undefined ? {} : { prefix: step.prefix }) },
    verdicts,
    queries,
    problems: finding(step?.outside ?? 'none', 'two.json'),
  };
}

describe('A projection that follows changes', () => {
  it('gives after every step what one that was told everything at once would give', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: documentStep }, basisStep), { maxLength: 12 }), (steps) => {
        const documents = new Map<string, DocumentNodes>();
        const live = new LiveProjection();
        let previous: Projection | undefined;
        let said: Extract<Step, { kind: 'basis' }> | undefined;
        for (const step of steps) {
          if (step.kind === 'basis') said = step;
          else {
            const nodes = nodesOf(step);
            live.change(step.path, nodes);
            if (nodes === undefined) documents.delete(step.path);
            else documents.set(step.path, nodes);
          }
          const basis = basisOf(
            said,
            [...documents.values()].flatMap(({ tools }) => tools),
          );
          const whole = new LiveProjection(previous);
          for (const [path, nodes] of [...documents].reverse()) whole.change(path, nodes);
          const next = live.next(basis);
          expect(next).toEqual(whole.next(basis));
          expect([...next.entries.keys()]).toEqual([...next.entries.keys()].sort());
          expect([...next.views.keys()]).toEqual([...next.views.keys()].sort());
          const declarations = Array.from(next.entries.values(), ({ declaration }) => declaration);
          const digests = generationDigests(declarations, next.omissions, next, next.problems);
          expect({ digest: next.digest, listDigest: next.listDigest }).toEqual(digests);
          previous = next;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('judges only the nodes that a change concerns', () => {
    const live = new LiveProjection();
    const give = (path: string, id: string, form: string) => {
      const nothing = { skills: [], types: [], views: [], diagnostics: [], broken: [] };
      live.change(path, { ...nothing, tools: [node(path, { id, form })] });
    };
    for (const [i, path] of paths.entries()) give(path, `id${i}`, 'good');
    const first = live.next(basisOf(undefined, []));
    give('one.json', 'id0', 'better');
    const second = live.next({ ...basisOf(undefined, []), types });
    expect(second.entries.get('id1')).toBe(first.entries.get('id1'));
    expect(second.entries.get('id0')).not.toBe(first.entries.get('id0'));
    expect(second.listDigest).not.toBe(first.listDigest);
  });
});
