import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RunnableArm, ServedTier, ToolDocument } from '../../schemas/tool.js';
import { GenerationHolder } from '../../src/generation-holder.js';
import { callTool, listTools, UnknownToolError } from '../../src/mcp/pure.js';
import type { Generation } from '../../src/projection/generation.js';
import { toolName } from '../../src/projection/name.js';
import { type ProjectionInput, project } from '../../src/projection/project.js';
import type { RefusedName } from '../../src/service.js';
import { registry, sampleNode, sampleTypes, typeIri, willingHost } from '../projection/sample-node.js';

const types = registry(sampleTypes);
const servedTiers = ['stable', 'experimental', 'deprecated'] as const satisfies ServedTier[];
const arms = ['inProcess', 'shell', 'container'] as const satisfies RunnableArm[];

const options = fc.record(
  {
    tiers: fc.shuffledSubarray([...servedTiers]),
    prefix: fc.constantFrom('a', 'internal'),
    arms: fc.shuffledSubarray([...arms]),
  },
  { requiredKeys: ['tiers'] },
);

const invoke: fc.Arbitrary<ToolDocument['invoke']> = fc.record(
  {
    shell: fc.constantFrom('echo hello', 'echo $(id)'),
    container: fc.constant('x:1'),
    inProcess: fc.constant({ module: 'x.js' }),
    mcp: fc.constant({ tool: 'x' }),
    manual: fc.constant(true as const),
  },
  { requiredKeys: ['shell'] },
);

/** What can be wrong with the node that is internal now. */
const fault = fc.constantFrom<NonNullable<Parameters<typeof sampleNode>[0]>>(
  {},
  {},
  { inputs: [{ name: 'x', schema: typeIri('Nowhere') }] },
  { outputs: [{ name: 'x', schema: typeIri('AnyOf'), from: { stdout: 'json' } }] },
  { inputs: [{ name: 'x', schema: typeIri('Slow') }] },
);

const fields = fc.record({
  requiresConfirmation: fc.boolean(),
  invoke,
  effect: fc.constantFrom('read', 'destructive'),
});

/** A service that runs nothing: a call that gets so far has failed the test. */
function serviceOver(holder: GenerationHolder) {
  const { current } = holder;
  if (current === undefined) throw new Error('nothing published');
  const call = () => Promise.reject(new Error('an internal tool was called'));
  const refuse = async (_of: Generation, _name: string, _args: unknown, { code, message }: RefusedName) => ({
    outcome: { kind: 'refused', code, message, details: {} } as const,
  });
  return {
    ready: Promise.resolve(current),
    current,
    instances: [],
    query: () => Promise.reject(new Error('no query')),
    absence: (name: string) => holder.absence(name),
    call,
    refuse,
  };
}

it('P15: an internal tool is neither listed nor called, whatever the options, its arms, its faults and what it was before', async () => {
  const before = fc.option(fc.constantFrom(...servedTiers), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(options, fields, fault, before, async (chosen, shared, wrong, tier) => {
      const holder = new GenerationHolder();
      const basis: Omit<ProjectionInput, 'tools'> = {
        types,
        problems: [],
        host: willingHost([sampleNode(shared)]),
        options: chosen,
        verdicts: new Map(),
      };
      const served = tier === undefined ? undefined : project({ ...basis, tools: [sampleNode({ ...shared, tier })] });
      if (served !== undefined) holder.publish({ ...served, number: 1, key: 'k' });
      const tools = [sampleNode({ ...shared, ...wrong, tier: 'internal' })];
      holder.publish({ ...project({ ...basis, tools, ...(served && { previous: served }) }), number: 2, key: 'k' });

      const service = serviceOver(holder);
      expect(listTools(service.current).tools).toEqual([]);
      for (const name of [toolName('sample', chosen.prefix), 'sample', 'internal_sample']) {
        const called = await callTool(service, name, { user_confirmed: true }).catch((error: unknown) => error);
        // What was listed before and cannot be determined now is unavailable for that reason; else the name is unknown.
        if (called instanceof UnknownToolError) expect(called.message).toBe(`Unknown tool: ${name}`);
        else
          expect(called).toMatchObject({
            isError: true,
            content: [{ text: expect.stringMatching(/^{"code":"tool_/) }],
          });
        if (wrong.inputs === undefined && wrong.outputs === undefined) expect(called).toBeInstanceOf(UnknownToolError);
      }
    }),
    { numRuns: 300 },
  );
});

it('P15: an impostor that says internal does not retract the tool that another document serves', () => {
  const node = sampleNode();
  const basis = {
    types,
    problems: [],
    host: willingHost([node]),
    options: { tiers: ['stable'] as const },
    verdicts: new Map(),
  };
  const served = project({ ...basis, tools: [node] });
  const impostor = sampleNode({ tier: 'internal' }, { document: 'tools/other.json' });
  const { entries, problems } = project({ ...basis, tools: [node, impostor], previous: served });
  expect([...entries.keys()]).toEqual(['sample']);
  expect(problems.map(({ code }) => code)).toContain('duplicate-id');
});
