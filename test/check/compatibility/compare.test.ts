import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolDocument } from '../../../schemas/tool.js';
import { compareOffers, type ToolChange } from '../../../src/check/compatibility/compare.js';
import { offeredTools } from '../../../src/check/compatibility/offered-tool.js';
import { type Diagnostic, problem } from '../../../src/diagnostic.js';
import type { ToolNode } from '../../../src/projection/node.js';
import { generation } from '../../cli/generation-builder.js';
import { registry, sampleNode, typeIri } from '../../projection/sample-node.js';
import { checked } from '../checked-instance.js';
import { noAnswers } from '../contract/no-answers.js';

const types = registry({
  Text: { type: 'string' },
  Mode: { type: 'string', enum: ['fast', 'slow'] },
  Modes: { type: 'string', enum: ['fast', 'slow', 'safe'] },
  Count: { type: 'integer', minimum: 0, maximum: 10 },
  Odd: { type: 'integer', not: { multipleOf: 2 } },
  Report: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
  Ok: {
    type: 'object',
    properties: { ok: { type: 'boolean' }, at: { type: 'string' } },
    required: ['ok'],
    additionalProperties: false,
  },
});

interface Side {
  readonly nodes?: readonly ToolNode[];
  readonly problems?: readonly Diagnostic[];
  readonly prefix?: string;
}

function offers({ nodes = [], problems = [], prefix }: Side) {
  const made = generation([], [], problems);
  return offeredTools(checked({ generation: made, nodes, types, ...(prefix === undefined ? {} : { prefix }) })).tools;
}

function compare(before: Side, after: Side): readonly ToolChange[] {
  return compareOffers(offers(before), offers(after), noAnswers).tools;
}

type Fields = Parameters<typeof sampleNode>[0];

/** The changes of one tool, as `code!` where it breaks callers. */
function codes(before: Fields, after: Fields): string[] {
  const [tool, ...others] = compare({ nodes: [sampleNode(before)] }, { nodes: [sampleNode(after)] });
  expect(others).toEqual([]);
  return (tool?.changes ?? []).map(({ code, breaks }) => (breaks ? `${code}!` : code));
}

/** On stdin, so that any type may be projected. */
const input = (type: string, more: object = {}): Fields => ({
  inputs: [{ name: 'a', schema: typeIri(type), arg: { stdin: true }, ...more }],
});
const output = (type: string, more: object = {}): Fields => ({
  outputs: [{ name: 'a', schema: typeIri(type), from: { stdout: 'json', pointer: '/a' }, ...more }],
});
const required = { required: true };

describe('compareOffers', () => {
  it.each<[string, Fields, Fields, string[]]>([
    ['nothing', {}, {}, []],
    ['a new required input', {}, input('Text', required), ['input-required!']],
    ['a new input that may be left out', {}, input('Text'), ['input-added']],
    ['an input that has to be given now', input('Text'), input('Text', required), ['input-required!']],
    ['an input that may be left out now', input('Text', required), input('Text'), ['input-optional']],
    ['an input that is gone', input('Text'), {}, ['input-removed!']],
    ['a required input that is gone', input('Text', required), {}, ['input-removed!']],
    [
      'an input that does not reach the process any more',
      input('Text'),
      input('Text', { arg: undefined }),
      ['input-removed!', 'run'],
    ],
    ['a narrowed type', input('Text'), input('Mode'), ['input-narrowed!']],
    ['a member of an enum that is gone', input('Modes'), input('Mode'), ['input-narrowed!']],
    ['a widened type', input('Mode'), input('Modes'), ['input-widened']],
    ['another type', input('Text'), input('Count'), ['input-narrowed!', 'input-widened']],
    ['confirmation', {}, { requiresConfirmation: true }, ['confirmation-added!', 'words']],
    ['no confirmation any more', { requiresConfirmation: true }, {}, ['confirmation-removed!', 'words']],
    ['an output that is another type', output('Text'), output('Count'), ['output-changed!', 'output-narrowed']],
    ['an output that may be missing', output('Text'), output('Text', { required: false }), ['output-changed!']],
    ['an output that is always there', output('Text', { required: false }), output('Text'), ['output-narrowed']],
    ['a member more of an output', output('Report'), output('Ok'), ['output-added']],
    ['a member less of an output', output('Ok'), output('Report'), ['output-narrowed']],
    ['outputs that are not described any more', output('Text'), {}, ['output-removed!']],
    ['outputs that are described now', {}, output('Text'), ['output-added']],
    ['a banner', { tier: 'deprecated' }, { tier: 'deprecated', deprecated: { reason: 'slow' } }, ['words', 'node']],
    ['a title and a description', {}, { title: 'Other', description: 'Does that.' }, ['words']],
    ['hints', { effect: 'read' }, { effect: 'write' }, ['hints']],
    ['a description of an input', input('Text'), input('Text', { description: 'Which' }), ['words']],
    ['a command', {}, { invoke: { shell: 'echo bye' } }, ['run']],
    ['a flag', input('Count', { arg: { flag: '-n' } }), input('Count', { arg: { flag: '-m' } }), ['run']],
    ['a limit', {}, { limits: { timeoutMs: 5 } }, ['run']],
    ['what is in the graph only', {}, { satisfies: ['other'], selection: { cost: 'little' } }, ['node']],
  ])('tells of %s', (_, before, after, expected) => {
    const side = (fields: Fields) =>
      offeredTools(checked({ nodes: [sampleNode(fields)], types, tiers: ['stable', 'deprecated'] })).tools;
    const { tools, same } = compareOffers(side(before), side(after), noAnswers);
    const found = tools.flatMap(({ changes }) => changes).map(({ code, breaks }) => (breaks ? `${code}!` : code));
    expect(found).toEqual(expected);
    expect(tools.map(({ breaks }) => breaks)).toEqual(
      expected.length === 0 ? [] : [expected.some((code) => code.endsWith('!'))],
    );
    expect(same).toBe(expected.length === 0 ? 1 : 0);
  });

  it('shows a change of values with arguments that were accepted and are refused', () => {
    const [tool] = compare(
      { nodes: [sampleNode(input('Modes', required))] },
      { nodes: [sampleNode(input('Mode', required))] },
    );
    expect(tool?.changes[0]).toMatchObject({
      message: 'input "a" does not take the string "safe" any more',
      example: { a: 'safe' },
    });
    const [other] = compare({ nodes: [sampleNode()] }, { nodes: [sampleNode(input('Mode', required))] });
    expect(other?.changes[0]).toMatchObject({
      message: 'the new input "a" has to be given; a call without it is refused',
      example: {},
    });
  });

  it('tells of a tool that is gone, new, or called otherwise', () => {
    const [a, b] = [sampleNode({ id: 'a' }), sampleNode({ id: 'b' })];
    expect(compare({ nodes: [a] }, { nodes: [b] })).toMatchObject([
      { name: 'a', change: 'removed', breaks: true, changes: [{ message: 'there is no such tool any more' }] },
      { name: 'b', change: 'added', breaks: false, document: 'tools/b.json' },
    ]);
    expect(compare({ nodes: [a] }, { nodes: [a], prefix: 'x' })).toMatchObject([
      { name: 'a', change: 'removed', changes: [{ message: 'it is called x_a now' }] },
      { name: 'x_a', change: 'added' },
    ]);
  });

  it.each<[string, Partial<ToolDocument>, string]>([
    ['an internal tier', { tier: 'internal' }, 'internal'],
    ['a tier that is not served', { tier: 'experimental' }, 'tier'],
    ['no arm but mcp', { invoke: { manual: true } }, 'manual-only'],
    ['shell syntax', { invoke: { shell: 'a | b' } }, 'shell-syntax'],
  ])('counts a tool as removed that is withheld now: %s', (_, fields, code) => {
    const [tool] = compare({ nodes: [sampleNode()] }, { nodes: [sampleNode(fields as Fields)] });
    expect(tool).toMatchObject({ change: 'removed', breaks: true });
    expect(tool?.changes[0]?.message).toMatch(new RegExp(`^it is not offered any more: .* \\(${code}\\)$`));
    const [back] = compare({ nodes: [sampleNode(fields as Fields)] }, { nodes: [sampleNode()] });
    expect(back).toMatchObject({ change: 'added', breaks: false });
  });

  it('does not ask the host: what a tool needs is not what it offers', () => {
    const needy: Fields = {
      invoke: { shell: 'no-such-command' },
      requires: { os: ['plan9'], runtime: ['none'], env: ['NOT_SET'], network: true },
      when: { exists: ['nowhere'] },
    };
    expect(codes({ invoke: { shell: 'no-such-command' } }, needy)).toEqual(['run']);
  });

  it('counts a tool as removed whose node is a problem now, and not the other way round', () => {
    const broken = {
      problems: [
        problem('invalid-node', 'x: expected y', { document: 'tools/sample.json', subject: sampleNode().iri }),
      ],
    };
    expect(compare({ nodes: [sampleNode()] }, broken)).toMatchObject([
      { change: 'removed', changes: [{ message: 'it is a problem and not served: x: expected y (invalid-node)' }] },
    ]);
    expect(compare(broken, { nodes: [sampleNode()] })).toMatchObject([{ change: 'added', breaks: false }]);
  });

  it('says of what is not decided that it is not known, and tells nothing as a change', () => {
    const [tool] = compare({ nodes: [sampleNode(input('Count'))] }, { nodes: [sampleNode(input('Odd'))] });
    const message = 'input "a": what "not" says at /inputSchema/properties/a/not is not decided';
    expect(tool).toMatchObject({ change: 'changed', breaks: false, undecided: [{ message }] });
    const same = compare({ nodes: [sampleNode(input('Odd'))] }, { nodes: [sampleNode(input('Odd'))] });
    expect(same).toEqual([]);
  });

  it('finds nothing to break from a state to itself, and breaks one way what it widens the other way', () => {
    const names = ['Text', 'Mode', 'Modes', 'Count'];
    const fields = fc.record({ type: fc.constantFrom(...names), required: fc.boolean() });
    fc.assert(
      fc.property(fields, fields, (a, b) => {
        const side = ({ type, ...more }: typeof a) => ({ nodes: [sampleNode(input(type, more))] });
        expect(compare(side(a), side(a))).toEqual([]);
        const there = compare(side(a), side(b)).flatMap(({ changes }) => changes);
        const back = compare(side(b), side(a)).flatMap(({ changes }) => changes);
        expect(there.some(({ code }) => code === 'input-narrowed')).toBe(
          back.some(({ code }) => code === 'input-widened'),
        );
        expect(there.some(({ code }) => code === 'input-required')).toBe(
          back.some(({ code }) => code === 'input-optional'),
        );
      }),
    );
  });
});
