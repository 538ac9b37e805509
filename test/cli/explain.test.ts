import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { Tool } from '../../schemas/tool.js';
import { PatternQuestions } from '../../src/check/contract/pattern-question.js';
import { explain, type Knowledge } from '../../src/cli/explain.js';
import { maskSecrets } from '../../src/cli/mask-secrets.js';
import { printExplanation } from '../../src/cli/print/explanation.js';
import { type OmissionCode, type Place, problem } from '../../src/diagnostic.js';
import { findTools } from '../../src/find-tool.js';
import { objectDigest } from '../../src/projection/digest.js';
import type { Slot } from '../../src/projection/generation.js';
import { entry, generation, input, iriOf, node, omission } from './generation-builder.js';

const style = { terminal: false, width: 80, colors: pc.createColors(false) };
const skills = [{ iri: 'urn:toolgraph:demo:skill/demo-skill', document: 's.md', name: 'demo-skill', title: 'Demo' }];

const typesOf = () => ({ types: new Map(), verdicts: new Map() });
const locate = ({ pointer }: Place) => (pointer === undefined ? undefined : { line: 2 });

function explained(id: string, knowledge: Partial<Knowledge>) {
  const samples = { patterns: new PatternQuestions(), isPath: (text: string) => text === 'README.md' };
  const rest = { locate, typesOf, samples, findings: [] };
  const all: Knowledge = { generation: generation([]), skills, nodes: [], ...rest, ...knowledge };
  const [candidate] = findTools(id, all.generation, all.nodes);
  if (candidate === undefined) throw new Error(`the test names no ${id}`);
  return explain(candidate, all);
}

const slots: readonly Slot[] = [
  { name: 'all', kind: 'flag', flag: '--all', joined: false, repeated: false, boolean: true },
  { name: 'only', kind: 'flag', flag: '--only', joined: true, repeated: true, boolean: false },
  { name: 'from', kind: 'positional', position: 0, repeated: false },
  { name: 'paths', kind: 'positional', position: 1, repeated: true },
  { name: 'text', kind: 'stdin' },
];
const ports = {
  io: {
    inputs: [
      input('all', { arg: { flag: '--all' } }),
      input('only', { arg: { flag: '--only', joined: true }, repeated: true }),
      input('from', { arg: { positional: 0 }, required: true }),
      input('paths', { arg: { positional: 1 }, repeated: true }),
      input('text', { arg: { stdin: true } }),
      input('note'),
    ],
    outputs: [],
  },
};

describe('explain', () => {
  it('tells of a projected Tool how each input reaches the process, and which is left out', () => {
    const known = explained('git-log', { generation: generation([entry('git-log', ports, slots)]) });
    expect(known.inputs?.map(({ name, required, reaches }) => [name, required, reaches])).toEqual([
      ['all', false, '--all, present when true'],
      ['only', false, '--only=<only>, once for each element'],
      ['from', true, 'position 0'],
      ['paths', false, 'words from position 1 on'],
      ['text', false, 'stdin'],
      ['note', false, 'it does not: it has no arg, so it is left out of the inputSchema'],
    ]);
  });

  it('tells of an omitted Tool the reason, what to do, and what its node says', () => {
    const required = { io: { inputs: [input('note', { required: true })], outputs: [] } };
    const known = explained('deploy', {
      generation: generation([], [omission('deploy', 'unreachable-input', 'its required input "note" has no arg')]),
      nodes: [node('deploy', { ...required, satisfies: ['demo-skill', 'other'] })],
    });
    expect(known).toMatchObject({
      state: 'omitted',
      code: 'unreachable-input',
      reason: 'its required input "note" has no arg',
      advice: {
        steps: [expect.stringContaining('Say how "note" reaches the command')],
        document: 'graph/tools/deploy.json',
        line: 2,
        change: ['"arg": {"flag":"--note"}', '"arg": {"positional":0}', '"arg": {"stdin":true}'],
      },
      document: 'graph/tools/deploy.json',
      line: 2,
      invoke: { shell: 'run deploy' },
      skills: [
        { name: 'demo-skill', known: true, title: 'Demo' },
        { name: 'other', known: false },
      ],
    });
    expect(known.inputs?.[0]?.reaches).toContain('keeps the tool from being served');
    expect(known).not.toHaveProperty('definition');
  });

  it('tells of an omitted Tool where its inputs would go', () => {
    const known = explained('deploy', {
      generation: generation([], [omission('deploy', 'unmet-env', 'GH_TOKEN is not set')]),
      nodes: [node('deploy', ports)],
    });
    expect(known.inputs?.map(({ reaches }) => reaches)).toEqual([
      '--all <all>',
      '--only=<only>, once for each element',
      'position 0',
      'words from position 1 on',
      'stdin',
      'it does not: it has no arg, so it is left out of the inputSchema',
    ]);
  });

  it('says that an input without arg keeps a Tool from being served only where that is the reason', () => {
    const io = { inputs: [input('version', { required: true })], outputs: [] };
    const inputsOf = (fields: Partial<Tool>, code: OmissionCode) => {
      const omitted = generation([], [omission('deploy', code, 'for this reason')]);
      const known = explained('deploy', { generation: omitted, nodes: [node('deploy', { io, ...fields })] });
      return printExplanation(known, '', style).filter((line) => line.startsWith('  inputs'));
    };
    const shown = '  inputs       version (required, https://example.org/types#/$defs/version)';
    expect(inputsOf({ invoke: { manual: true } }, 'manual-only')).toEqual([shown]);
    expect(inputsOf({}, 'internal')).toEqual([`${shown}: it does not: it has no arg, which a required input needs`]);
    expect(inputsOf({}, 'unreachable-input')).toEqual([
      `${shown}: it does not: it has no arg, and a required input without one keeps the tool from being served`,
    ]);
  });

  it('tells of a node that could not be determined what the first problem is, and where', () => {
    const found = problem('invalid-node', 'expected a string', {
      document: 'graph/a.json',
      pointer: '/@graph/1',
      line: 7,
      column: 3,
      subject: iriOf('a'),
    });
    const known = explained('a', { generation: generation([], [], [found]) });
    expect(known).toMatchObject({ state: 'problem', code: 'invalid-node', document: 'graph/a.json', line: 7 });
    expect(printExplanation(known, '', style)).toContain('  source       graph/a.json:7 (/@graph/1)');
  });

  it('tells that a Tool is served as it last was', () => {
    const found = problem('unreadable', 'expected "}"', { subject: iriOf('a') });
    const known = explained('a', { generation: generation([{ ...entry('a'), lastGood: true }], [], [found]) });
    expect(known).toMatchObject({ state: 'projected', lastGood: true, code: 'unreadable' });
    expect(printExplanation(known, '', style)[1]).toBe(
      '  state        projected, as it last was (problem: unreadable)',
    );
  });

  it('names alternatives in both directions, each with its state', () => {
    const nodes = [node('a', { alternativeTo: ['c', 'gone'] }), node('b', { alternativeTo: ['a'] }), node('c')];
    const known = explained('a', {
      generation: generation([entry('a', { alternativeTo: ['c', 'gone'] }), entry('b')], [omission('c', 'tier', 'x')]),
      nodes,
    });
    expect(known.alternatives).toEqual([
      { id: 'b', state: 'projected', named: true, sameFor: ['demo-skill'] },
      { id: 'c', state: 'tier', named: true, sameFor: ['demo-skill'] },
      { id: 'gone', state: 'unknown', named: true },
    ]);
  });

  it('tells of Tools that satisfy the same skill with the same inputs and outputs, and what each is selected for', () => {
    const word = (more: object = {}) => ({ io: { inputs: [input('w', { required: true, ...more })], outputs: [] } });
    const nodes = [
      node('a', word()),
      node('same', {
        ...word({ description: 'x', arg: { stdin: true } }),
        selection: { cost: 'little', when: 'at night' },
      }),
      node('optional', word({ required: false })),
      node('many', word({ repeated: true })),
      node('elsewhere', { ...word(), satisfies: ['other'] }),
      node('more', { io: { inputs: [input('w', { required: true }), input('x')], outputs: [] } }),
    ];
    const known = explained('a', { generation: generation([entry('a', word()), entry('same')]), nodes });
    const selection = { cost: 'little', when: 'at night' };
    expect(known.alternatives).toEqual([
      { id: 'same', state: 'projected', named: false, sameFor: ['demo-skill'], selection },
    ]);
    expect(printExplanation(known, '', style)).toContain(
      '  alternatives same (projected; same inputs and outputs, for demo-skill; cost: little; when: at night)',
    );
  });

  it('names the revision of the node, as records of calls do', () => {
    const revision = (fields: Partial<Tool>) =>
      explained('a', { generation: generation([entry('a', fields)]) }).revision;
    expect(revision({})).toMatch(/^[0-9a-f]{64}$/);
    expect(revision({})).toBe(revision({}));
    expect(revision({ satisfies: ['other'] })).not.toBe(revision({}));
  });
});

describe('explain, of what is beside the node', () => {
  it('knows a skill by its name, and one of another base by its IRI', () => {
    const iri = 'https://example.org/export#skill/test-strength';
    const known = explained('a', {
      generation: generation([entry('a', { satisfies: [iri, 'demo-skill', 'gone'] })]),
      skills: [...skills, { iri, document: 'export.jsonld', name: 'test-strength', title: 'Strength' }],
    });
    expect(known.skills).toEqual([
      { name: 'test-strength', known: true, title: 'Strength' },
      { name: 'demo-skill', known: true, title: 'Demo' },
      { name: 'gone', known: false },
    ]);
  });

  it('names the other documents that state something of it', () => {
    const known = explained('a', {
      generation: generation([entry('a')]),
      nodes: [{ ...node('a'), alsoIn: ['graph/more.ttl', 'graph/rest.json'] }],
    });
    expect(printExplanation(known, '', style)).toEqual(
      expect.arrayContaining(['  also in      graph/more.ttl', '               graph/rest.json']),
    );
  });

  it('gives a call of what is served, with an example of each input that is required', () => {
    const one = entry('a', { effect: 'read' });
    const properties = {
      slug: { type: 'string', examples: ['release-notes'] },
      kind: { type: 'string', enum: ['b', 'c'] },
      counts: { type: 'array', items: { type: 'integer', minimum: 5 } },
      on: { type: 'boolean' },
      file: { type: 'string', examples: ['README.md', 'src/index.ts'] },
      optional: { type: 'string' },
      toString: { type: 'string' },
    };
    const required = ['slug', 'kind', 'counts', 'on', 'file', 'toString'];
    const inputSchema = { type: 'object' as const, properties, required, additionalProperties: false };
    const known = explained('a', {
      generation: generation([{ ...one, declaration: { ...one.declaration, inputSchema } }]),
    });
    const args =
      '{"slug":"release-notes","kind":"b","counts":[5],"on":true,"file":"src/index.ts","toString":"<toString>"}';
    expect(printExplanation(known, "it's here", style)[2]).toBe(
      `  next         toolgraph call a 'it'\\''s here' --args '${args}'`,
    );
  });
});

describe('explain, of what a paste could destroy', () => {
  const io = { inputs: [input('journal', { arg: { positional: 0 }, required: true })], outputs: [] };
  const slot: Slot = { name: 'journal', kind: 'positional', position: 0, repeated: false };

  it.each<[string, Partial<Tool>, string]>([
    [
      'a gated tool',
      { effect: 'read', requiresConfirmation: true },
      '{"journal": <journal>, "user_confirmed": <true, once the user has agreed>}',
    ],
    ['one that writes', { effect: 'write' }, '{"journal": <journal>}'],
    ['one that destroys', { effect: 'destructive' }, '{"journal": <journal>}'],
    ['one whose effect is not stated', {}, '{"journal": <journal>}'],
  ])('gives no call that runs when it is pasted: %s', (_, fields, args) => {
    const one = entry('clear-bed', { io, invoke: { shell: 'rm -v' }, ...fields }, [slot]);
    const known = explained('clear-bed', { generation: generation([one]) });
    expect(known).not.toHaveProperty('sampleCall');
    const lines = printExplanation(known, '', style);
    expect(lines[2]).toBe(
      `  next         a call takes --args ${args}; it may change something, so no example is made up`,
    );
    expect(lines.join('\n')).not.toMatch(/toolgraph call|README/);
  });

  it('masks a secret literal wherever it stands, as check does', () => {
    const fields = { invoke: { shell: 'deploy --token "4f9a1c77e0b2"' } };
    const one = { ...entry('a', fields), binding: { arm: 'shell', words: ['deploy', '--token', '4f9a1c77e0b2'] } };
    expect(JSON.stringify(maskSecrets(one, fields))).toContain('["deploy","--token","4f9a…"]');
    expect(JSON.stringify(maskSecrets(one, fields))).not.toContain('1c77');
  });
});

describe('explain, of what else is known', () => {
  it('shows the effect, the hints, the gate, where each output comes from, and what check finds', () => {
    const schema = 'https://example.org/types#/$defs/Any';
    const outputs = [
      { name: 'report', schema, from: { stdout: 'json' as const, pointer: '/a' } },
      { name: 'log', schema, required: false },
    ];
    const one = entry('a', {
      ...{ effect: 'write', idempotent: true, openWorld: false, requiresConfirmation: true },
      io: { inputs: [], outputs },
    });
    const finding = { rule: 'TG209', name: 'effect-contradicted', severity: 'error', message: 'm', fix: 'f' } as const;
    const findings = [
      { ...finding, subject: one.iri },
      { ...finding, message: 'of another', subject: iriOf('b') },
    ];
    const lines = printExplanation(explained('a', { generation: generation([one]), findings }), '', style);
    expect(lines).toEqual(
      expect.arrayContaining([
        '  effect       write, idempotent, stays on this host',
        '  gated        a call needs user_confirmed: true',
        `  outputs      report (required, ${schema}): /a of stdout as json, which counts only when every output has a "from"`,
        `               log (optional, ${schema}): it has no "from", so the tool has no outputSchema and its result is plain text`,
        '  check        error TG209: m',
      ]),
    );
    expect(lines.join('\n')).not.toContain('of another');
  });
});

describe('printExplanation', () => {
  it('prints one fact a line', () => {
    const fields = {
      satisfies: ['demo-skill', 'gone'],
      requires: { os: ['linux'] },
      selection: { when: 'History is asked for.' },
      io: { inputs: [input('only', { arg: { flag: '--only' } })], outputs: [] },
    };
    const flag: Slot = { name: 'only', kind: 'flag', flag: '--only', joined: false, repeated: false, boolean: false };
    const one = entry('git-log', { ...fields, effect: 'read' }, [flag]);
    expect(printExplanation(explained('git_log', { generation: generation([one]) }), '', style)).toEqual([
      'git-log',
      '  state        projected',
      '  next         toolgraph call git-log',
      '  name         git_log',
      '  title        Title of git-log',
      '  description  What git-log does.',
      '  tier         stable',
      '  effect       read',
      '  arm          shell: "run" "git-log"',
      '  source       graph/tools/git-log.json',
      `  iri          ${iriOf('git-log')}`,
      `  definition   ${one.declaration._meta['toolgraph/definition']}`,
      `  revision     ${objectDigest(one.tool)}`,
      '  skills       demo-skill: Demo',
      '               gone (no such skill in the instance)',
      '  requires     os: linux (met: yes)',
      '  inputs       only (optional, https://example.org/types#/$defs/only): --only <only>',
      '  selection    when: History is asked for.',
    ]);
  });

  it('shows the escape sequences of a hostile node in place of sending them', () => {
    const hostile = '\u001b[2J\nfake line\u202e';
    const fields = {
      title: hostile,
      description: hostile,
      version: hostile,
      satisfies: [hostile],
      invoke: { shell: hostile },
      selection: { when: hostile },
      alternativeTo: [hostile],
      requires: { runtime: [hostile] },
    };
    const found = problem('invalid-node', hostile, { document: hostile, subject: iriOf('a') });
    for (const knowledge of [
      { generation: generation([entry('a', fields)], [], [found]) },
      { generation: generation([], [omission('a', 'tier', hostile)], [found]), nodes: [node('a', fields)] },
    ]) {
      const lines = printExplanation(explained('a', knowledge), '', style);
      expect(lines.filter((line) => line.includes('\\u001b[2J\\nfake line\\u202e')).length).toBeGreaterThan(6);
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});
