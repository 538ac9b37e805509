import { beforeAll, describe, expect, it } from 'vitest';
import { problem } from '../../src/diagnostic.js';
import { analysePatterns } from '../../src/patterns/analyse.js';
import type { PatternVerdicts } from '../../src/patterns/verdict.js';
import type { Projection } from '../../src/projection/generation.js';
import type { ToolNode } from '../../src/projection/node.js';
import { type ProjectionInput, project } from '../../src/projection/project.js';
import { foreignNode, registry, sampleNode, sampleTypes, typeIri, willingHost } from './sample-node.js';

let verdicts: PatternVerdicts;

beforeAll(async () => {
  verdicts = await analysePatterns([sampleTypes.Slug.pattern]);
});

function run(tools: readonly ToolNode[], input: Partial<ProjectionInput> = {}): Projection {
  const options = { tiers: ['stable'] } as const;
  return project({
    tools,
    types: registry(sampleTypes),
    problems: [],
    host: willingHost(tools),
    options,
    verdicts,
    ...input,
  });
}

/** `name` of what is served, with `*` where it is last-good; then codes of omissions and problems. */
function told({ entries, omissions, problems }: Projection) {
  const served = Array.from(entries.values(), ({ name, lastGood }) => (lastGood === true ? `${name}*` : name));
  return [...served, ...omissions.map(({ code }) => code), ...problems.map(({ code }) => code)];
}

const a = sampleNode({ id: 'a' });
const b = sampleNode({ id: 'b' }, { document: 'tools/both.json' });
const c = sampleNode({ id: 'c' }, { document: 'tools/both.json', pointer: '/1' });
const brokenA = sampleNode({ id: 'a', description: 'New.', inputs: [{ name: 'x', schema: typeIri('Missing') }] });

describe('A node that becomes a problem while running (decision 3)', () => {
  const before = run([a, b, c]);

  it('keeps its last-good declaration, and the others go on', () => {
    const next = run([brokenA, b, sampleNode({ id: 'd' })], { previous: before });
    expect(told(next)).toEqual(['a*', 'b', 'd', 'unresolved-schema']);
    expect(next.entries.get('a')).toEqual({ ...before.entries.get('a'), lastGood: true });
  });

  it('keeps it over any number of generations, and loses the mark when it is good again', () => {
    const once = run([brokenA], { previous: before });
    const twice = run([brokenA], { previous: once });
    expect(told(twice)).toEqual(['a*', 'unresolved-schema']);
    expect(told(run([a], { previous: twice }))).toEqual(['a']);
  });

  it('is not served at start', () => {
    expect(told(run([brokenA]))).toEqual(['unresolved-schema']);
  });

  it('is not served when it was omitted before', () => {
    const omitted = run([sampleNode({ id: 'a', tier: 'experimental' })]);
    expect(told(run([brokenA], { previous: omitted }))).toEqual(['unresolved-schema']);
  });

  it('is not kept when it is omitted now', () => {
    expect(told(run([sampleNode({ id: 'a', tier: 'internal' })], { previous: before }))).toEqual(['internal']);
  });

  it('is kept when its document cannot be read', () => {
    const problems = [problem('unreadable', 'half a file', { document: 'tools/both.json' })];
    const all = new Map([['tools/both.json', 'all' as const]]);
    expect(told(run([a], { previous: before, problems, broken: all }))).toEqual(['a', 'b*', 'c*', 'unreadable']);
    expect(told(run([a], { previous: before, problems }))).toEqual(['a', 'b*', 'c*', 'unreadable']);
  });

  it('is kept alone when its document says which node is broken', () => {
    const problems = [problem('invalid-node', 'no title', { document: 'tools/both.json', pointer: '/0' })];
    const broken = new Map([['tools/both.json', [b.iri]]]);
    expect(told(run([a, c], { previous: before, problems, broken }))).toEqual(['a', 'b*', 'c', 'invalid-node']);
    // c was deleted in the same edit.
    expect(told(run([a], { previous: before, problems, broken }))).toEqual(['a', 'b*', 'invalid-node']);
  });

  it('is kept when a problem found before is about it', () => {
    const problems = [problem('invalid-node', 'two titles', { document: 'other.json', subject: a.iri })];
    expect(told(run([a, b], { previous: before, problems }))).toEqual(['a*', 'b', 'invalid-node']);
    expect(told(run([b], { previous: before, problems }))).toEqual(['a*', 'b', 'invalid-node']);
  });

  it('is kept when it moved into a document in which it is broken', () => {
    const broken = new Map([['tools/moved.json', [a.iri]]]);
    expect(told(run([b], { previous: before, broken }))).toEqual(['a*', 'b']);
  });
});

describe('A node that is deleted while running', () => {
  const before = run([a, b, c]);

  it('is retracted, whatever is wrong elsewhere', () => {
    const problems = [
      problem('unreadable', 'not JSON', { document: 'tools/other.json' }),
      problem('invalid-config', 'x'),
    ];
    const broken = new Map([['tools/other.json', 'all' as const]]);
    expect(told(run([], { previous: before, problems, broken }))).toEqual(['invalid-config', 'unreadable']);
  });

  it('is retracted when its document stays and only tells of a warning', () => {
    const problems = [
      { ...problem('invalid-node', 'hm', { document: 'tools/both.json' }), severity: 'warning' as const },
    ];
    expect(told(run([a, b], { previous: before, problems }))).toEqual(['a', 'b', 'invalid-node']);
  });
});

describe('Two documents that describe one Tool (G5)', () => {
  const other = sampleNode({ id: 'a', description: 'Another.' }, { document: 'tools/other.json' });

  it('are both refused at start, each problem naming both, in any order', () => {
    for (const tools of [
      [a, other, b],
      [other, b, a],
    ]) {
      const { entries, problems } = run(tools);
      expect([...entries.keys()]).toEqual(['b']);
      expect(problems.map(({ document, subject, message }) => ({ document, subject, message }))).toEqual([
        {
          document: 'tools/a.json',
          subject: a.iri,
          message:
            'the Tool "a" of tools/a.json is also described in tools/other.json; remove one, or give it another id',
        },
        {
          document: 'tools/other.json',
          subject: a.iri,
          message:
            'the Tool "a" of tools/other.json is also described in tools/a.json; remove one, or give it another id',
        },
      ]);
    }
  });

  it('are healed by deleting one', () => {
    expect(told(run([other], { previous: run([a, other]) }))).toEqual(['a']);
  });

  it('leave the one that was served first served, and its edits seen', () => {
    const edited = sampleNode({ id: 'a', description: 'Edited.' });
    for (const tools of [
      [edited, other],
      [other, edited],
    ]) {
      const next = run(tools, { previous: run([a]) });
      expect(told(next)).toEqual(['a', 'duplicate-id']);
      expect(next.entries.get('a')?.declaration.description).toBe('Edited.');
      expect(next.problems[0]?.document).toBe('tools/other.json');
    }
  });

  it('are found by their id too, when their IRIs differ', () => {
    expect(told(run([a, foreignNode('a')]))).toEqual(['duplicate-id', 'duplicate-id']);
  });
});

describe('Two Tools with one MCP name (P8)', () => {
  const dotted = foreignNode('x.y', { document: 'tools/dotted.json' });
  const dashed = sampleNode({ id: 'x-y' });

  it('are both refused, each problem naming the other', () => {
    const { entries, problems } = run([dashed, dotted, a]);
    expect([...entries.keys()]).toEqual(['a']);
    expect(problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'name-collision: "x.y" and "x-y" of tools/x-y.json have the same MCP name x_y; change one of the ids',
      'name-collision: "x-y" and "x.y" of tools/dotted.json have the same MCP name x_y; change one of the ids',
    ]);
  });

  it('are refused even if one is omitted now, because the host decides that', () => {
    const waiting = sampleNode({ id: 'x-y', requires: { os: ['plan9'] } });
    expect(told(run([waiting, dotted]))).toEqual(['name-collision', 'name-collision']);
  });

  it('do not collide when one can never be projected', () => {
    expect(told(run([sampleNode({ id: 'x-y', invoke: { manual: true } }), dotted]))).toEqual(['x_y', 'manual-only']);
  });

  it('leave the one that was served first served', () => {
    const next = run([dashed, dotted], { previous: run([dashed]) });
    expect(told(next)).toEqual(['x_y*', 'name-collision', 'name-collision']);
    expect(next.entries.get('x_y')?.iri).toBe(dashed.iri);
  });

  it('do not take the name of one that is kept while it is unreadable', () => {
    const broken = new Map([[dashed.document, 'all' as const]]);
    const next = run([dotted], { previous: run([dashed]), broken });
    expect(told(next)).toEqual(['x_y*', 'name-collision']);
    expect(next.problems[0]).toMatchObject({ document: dotted.document, pointer: '', subject: dotted.iri });
  });
});
