import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { DeclarationSchema } from '../../schemas/declaration.js';
import { type Diagnostic, problem } from '../../src/diagnostic.js';
import { analysePatterns } from '../../src/patterns/analyse.js';
import type { PatternVerdicts } from '../../src/patterns/verdict.js';
import type { Entry, Projection } from '../../src/projection/generation.js';
import type { ToolNode } from '../../src/projection/node.js';
import { patternsOf } from '../../src/projection/patterns.js';
import { type ProjectionInput, project } from '../../src/projection/project.js';
import { foreignNode, registry, sampleNode, sampleTypes, typeIri, typesDocument, willingHost } from './sample-node.js';

const types = registry(sampleTypes);
let verdicts: PatternVerdicts;

beforeAll(async () => {
  const inputs = Object.keys(sampleTypes).map((name) => ({ name, schema: typeIri(name) }));
  verdicts = await analysePatterns(patternsOf([sampleNode({ inputs })], types));
});

function run(tools: readonly ToolNode[], input: Partial<ProjectionInput> = {}): Projection {
  return project({
    tools,
    types,
    problems: [],
    host: willingHost(tools),
    options: { tiers: ['stable'] },
    verdicts,
    ...input,
  });
}

function declarationOf(node: ToolNode, input: Partial<ProjectionInput> = {}) {
  const { entries, omissions, problems } = run([node], input);
  expect({ omissions, problems }).toEqual({ omissions: [], problems: [] });
  const [entry] = entries.values();
  return entry?.declaration;
}

function slotsOf(entry: Entry | undefined) {
  return entry?.binding.arm === 'shell' ? entry.binding.slots : undefined;
}

/** The one state of one node, in short. */
function stateOf(node: ToolNode, input: Partial<ProjectionInput> = {}) {
  const { entries, omissions, problems } = run([node], input);
  expect(entries.size + omissions.length + Math.min(problems.length, 1)).toBe(1);
  const [entry] = entries.values();
  return entry?.name ?? omissions.map(({ code, reason }) => [code, reason])[0] ?? problems.map(short);
}

function short({ code, message, document, pointer, subject }: Diagnostic) {
  return { code, message, document, pointer, subject };
}

const slug = { name: 'slug', schema: typeIri('Slug'), arg: { flag: '--slug' } };
const text = { name: 'text', schema: typeIri('Text') };

describe('A projected Tool', () => {
  it('P13: has the patterns of its inputs and outputs that take linear time, and no others', () => {
    const outputs = [{ name: 'path', schema: typeIri('Path'), from: { stdout: 'text' } }] as const;
    const node = sampleNode({ inputs: [slug], outputs: [...outputs] });
    const patterns = (known: PatternVerdicts) => run([node], { verdicts: known }).entries.values().next().value;
    expect(patterns(verdicts)?.linearPatterns).toEqual(['^[^/]+$', '^[a-z][a-z0-9-]*$']);
    const slow = { time: 'quadratic', argv: { kind: 'safe' } } as const;
    expect(patterns(new Map([...verdicts, ['^[a-z][a-z0-9-]*$', slow]]))?.linearPatterns).toEqual(['^[^/]+$']);
  });

  it('has exactly these bytes (P1 P2 P3 P4 P5 P8 P17)', () => {
    const node = sampleNode({
      id: 'make-it',
      title: 'Make one of it',
      inputs: [
        { ...slug, description: 'Which one', required: true },
        { name: 'color', schema: typeIri('Color'), arg: { flag: '--color' }, repeated: true },
        {
          name: 'paths',
          schema: typeIri('Slug'),
          arg: { positional: 0 },
          repeated: true,
          required: true,
          description: 'What',
        },
        { name: 'body', schema: typeIri('Text'), arg: { stdin: true } },
        { name: 'note', schema: typeIri('Text') },
      ],
    });
    const inputSchema =
      '{"type":"object","properties":{"slug":{"type":"string","pattern":"^[a-z][a-z0-9-]*$","description":"Which one"},' +
      '"color":{"type":"array","items":{"type":"string","enum":["red","green"]}},' +
      '"paths":{"type":"array","items":{"type":"string","pattern":"^[a-z][a-z0-9-]*$","description":"A slug"},"minItems":1,"description":"What"},' +
      '"body":{"type":"string"}},"required":["slug","paths"],"additionalProperties":false}';
    const declaration = declarationOf(node);
    const definition = declaration?._meta['toolgraph/definition'];
    expect(definition).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(declaration)).toBe(
      `{"name":"make_it","title":"Make one of it","description":"Does it.","inputSchema":${inputSchema},"_meta":{"toolgraph/definition":"${definition}"}}`,
    );
    expect(DeclarationSchema.safeParse(declaration).success).toBe(true);
  });

  it('takes nothing when it has no inputs (P4)', () => {
    expect(JSON.stringify(declarationOf(sampleNode())?.inputSchema)).toBe(
      '{"type":"object","properties":{},"additionalProperties":false}',
    );
  });

  it.each([
    ['read-me', 'Read me', undefined],
    ['read-me', 'README', undefined],
    ['read-me', 'read_me', undefined],
    ['read-me', 'Ch Read Me', undefined],
    ['read-me', 'Read me!', 'Read me!'],
    ['read-me', 'Sync sections', 'Sync sections'],
  ])('P2: %s with the title %j shows the title %j', (id, title, shown) => {
    const options = { tiers: ['stable'], prefix: 'ch' } as const;
    expect(declarationOf(sampleNode({ id, title }), { options })?.title).toBe(shown);
  });

  it.each([
    [{}, 'Does it.'],
    [{ tier: 'deprecated' }, '[DEPRECATED] Does it.'],
    [{ tier: 'deprecated', deprecated: { replacedBy: 'x' } }, '[DEPRECATED] Does it.'],
    [{ tier: 'deprecated', deprecated: { reason: 'use x' } }, '[DEPRECATED — use x] Does it.'],
    [
      { requiresConfirmation: true },
      'Requires confirmation: ask the user first, then call with user_confirmed: true. Does it.',
    ],
    [
      { tier: 'deprecated', requiresConfirmation: true },
      '[DEPRECATED] Requires confirmation: ask the user first, then call with user_confirmed: true. Does it.',
    ],
    [{ selection: { when: 'w' }, requires: { network: true }, description: ' a\n b ' }, ' a\n b '],
  ] as const)('P3 P13 P15: %j has the description %j', (fields, description) => {
    const options = { tiers: ['stable', 'deprecated'] } as const;
    expect(declarationOf(sampleNode(fields), { options })?.description).toBe(description);
  });

  it('P7: has its slots in the order of argv', () => {
    const flag = (name: string, type: string, joined = false) => ({
      name,
      schema: typeIri(type),
      arg: joined ? { flag: `--${name}`, joined } : { flag: `--${name}` },
    });
    const position = (name: string, positional: number, repeated = false) => ({
      name,
      schema: typeIri('Slug'),
      required: true,
      ...(repeated ? { repeated } : {}),
      arg: { positional },
    });
    const { entries } = run([
      sampleNode({
        invoke: { shell: "tool 'a b'" },
        inputs: [
          { name: 'in', schema: typeIri('Text'), arg: { stdin: true } },
          flag('z', 'Slug', true),
          position('rest', 2, true),
          position('second', 1),
          flag('a', 'Flag'),
          position('first', 0),
          { name: 'unreached', schema: typeIri('Text') },
        ],
      }),
    ]);
    expect(entries.get('sample')?.binding).toEqual({
      arm: 'shell',
      words: ['tool', 'a b'],
      slots: [
        { name: 'first', kind: 'positional', position: 0, repeated: false },
        { name: 'second', kind: 'positional', position: 1, repeated: false },
        { name: 'z', kind: 'flag', flag: '--z', joined: true, repeated: false, boolean: false },
        { name: 'a', kind: 'flag', flag: '--a', joined: false, repeated: false, boolean: true },
        { name: 'rest', kind: 'positional', position: 2, repeated: true },
        { name: 'in', kind: 'stdin' },
      ],
    });
  });

  it('P13: asks for user_confirmed, and passes it on to nothing, whatever input of that name it has', () => {
    const own = { name: 'user_confirmed', schema: typeIri('Flag'), required: true };
    for (const inputs of [[slug], [slug, own], [slug, { ...own, arg: { flag: '--yes' } }]]) {
      const [entry] = run([sampleNode({ requiresConfirmation: true, inputs })]).entries.values();
      expect(JSON.stringify(entry?.declaration.inputSchema)).toBe(
        '{"type":"object","properties":{"slug":{"type":"string","pattern":"^[a-z][a-z0-9-]*$","description":"A slug"},' +
          '"user_confirmed":{"type":"boolean","const":true}},"required":["user_confirmed"],"additionalProperties":false}',
      );
      expect(slotsOf(entry)?.map(({ name }) => name)).toEqual(['slug']);
    }
    const plain = run([sampleNode({ inputs: [{ ...own, arg: { flag: '--yes' } }] })]).entries.get('sample');
    expect(slotsOf(plain)).toMatchObject([{ name: 'user_confirmed', boolean: true }]);
  });

  it('P15: is shown by its tier', () => {
    const nodes = (['stable', 'experimental', 'deprecated', 'internal'] as const).map((tier) =>
      sampleNode({ id: tier, tier }),
    );
    const shown = (tiers: readonly ('stable' | 'experimental' | 'deprecated')[]) => [
      ...run(nodes, { options: { tiers } }).entries.keys(),
    ];
    expect(shown(['stable'])).toEqual(['stable']);
    expect(shown(['experimental', 'deprecated'])).toEqual(['deprecated', 'experimental']);
    expect(shown(['stable', 'experimental', 'deprecated'])).not.toContain('internal');
  });

  it('P16: does not tell satisfies, requires, selection or where it comes from', () => {
    const node = sampleNode({
      satisfies: ['sentinel-skill'],
      requires: { runtime: ['sentinel-runtime'] },
      selection: { when: 'sentinel-selection' },
      alternativeTo: ['sentinel-alternative'],
      downstream: { sentinel: 1 },
    });
    expect(JSON.stringify(declarationOf(node))).not.toContain('sentinel');
  });
});

describe('The definition digest (P17)', () => {
  const base = { inputs: [slug], limits: { timeoutMs: 1000 }, requires: { network: true } };
  const digest = (fields: Parameters<typeof sampleNode>[0] = {}): string | undefined =>
    declarationOf(sampleNode({ ...base, ...fields }))?._meta['toolgraph/definition'];

  it('is the sha-256 of the JCS form of declaration, invoke, args, requires and limits', () => {
    const { _meta, ...declaration } = declarationOf(sampleNode(base)) ?? {};
    const form = canonicalize({
      declaration,
      invoke: { shell: 'echo hello' },
      args: [{ name: 'slug', arg: { flag: '--slug' } }],
      requires: { network: true },
      limits: { timeoutMs: 1000 },
    });
    expect(digest()).toBe(createHash('sha256').update(String(form)).digest('hex'));
  });

  it.each([
    [{ description: 'Does that.' }],
    [{ title: 'Another' }],
    [{ invoke: { shell: 'echo hullo' } }],
    [{ inputs: [{ ...slug, arg: { flag: '--name' } }] }],
    [{ inputs: [{ ...slug, arg: { flag: '--slug', joined: true } }] }],
    [{ inputs: [{ ...slug, required: true }] }],
    [{ requires: { network: false } }],
    [{ limits: { timeoutMs: 2000 } }],
    [{ requiresConfirmation: true }],
  ])('changes with %j', (fields) => {
    expect(digest(fields)).not.toBe(digest());
  });

  it.each([
    [{ satisfies: ['another-skill'] }],
    [{ selection: { when: 'always' } }],
    [{ version: '2.0.0' }],
    [{ invoke: { shell: 'echo hello', mcp: { tool: 'x' } } }],
  ])('does not change with %j', (fields) => {
    expect(digest(fields)).toBe(digest());
  });
});

describe('An omission, the first that holds', () => {
  const hostWithout = (facts: object) => ({ host: willingHost([], facts) });
  const required = { ...text, required: true };
  const spoilt = { ...text, arg: { flag: '--text' } };
  const arms = { mcp: { tool: 'x' } } as const;

  it.each<readonly [string, string, Parameters<typeof sampleNode>[0]]>([
    ['internal', 'its tier is internal, which is never served', { tier: 'internal', invoke: { manual: true } }],
    ['mcp-only', 'it is an MCP tool already (x): its only arm is mcp', { invoke: arms }],
    ['manual-only', 'it is done by a person: its arm is manual', { invoke: { manual: true } }],
    ['manual-only', 'it is done by a person: its arm is manual', { invoke: { manual: true, ...arms } }],
    [
      'module-not-found',
      'its module x.js is not a file of the instance',
      { invoke: { inProcess: { module: 'x.js' }, ...arms } },
    ],
    [
      'shell-syntax',
      'its container command has a pipe "|" and would need a shell; none is ever started',
      { invoke: { container: { image: 'x:1', command: 'a | b' }, manual: true }, inputs: [required] },
    ],
    [
      'unreachable-input',
      'its required input "text" has no arg, so it cannot reach the process',
      { invoke: { container: 'x:1' }, inputs: [required] },
    ],
    [
      'unsafe-argv-input',
      'its input "text" goes into argv, and the type Text has no pattern, so it admits ";"',
      { invoke: { container: 'x:1' }, inputs: [spoilt] },
    ],
    [
      'shell-syntax',
      'its shell string has a pipe "|" and would need a shell; none is ever started',
      {
        invoke: { shell: 'a | b', container: 'x:1' },
        inputs: [required],
        tier: 'experimental',
      },
    ],
    [
      'interpreter-slot',
      'its input "slug" would become code: it is run by node -e',
      {
        invoke: { shell: 'node -e' },
        inputs: [{ ...slug, arg: { positional: 0 } }, { ...required }],
        tier: 'experimental',
      },
    ],
    [
      'interpreter-slot',
      'its input "text" would become code: it is run by bash on stdin',
      { invoke: { shell: 'bash' }, inputs: [{ ...text, arg: { stdin: true } }] },
    ],
    [
      'unreachable-input',
      'its required input "text" has no arg, so it cannot reach the process',
      { inputs: [{ ...slug, schema: typeIri('Text') }, required], tier: 'experimental' },
    ],
    [
      'unsafe-argv-input',
      'its input "text" goes into argv, and the type Text has no pattern, so it admits ";"',
      { inputs: [spoilt], tier: 'experimental' },
    ],
    [
      'unsafe-argv-input',
      'its input "path" goes into argv, and the type Path has a pattern that admits ";"',
      { inputs: [{ name: 'path', schema: typeIri('Path'), arg: { positional: 0 }, repeated: true }] },
    ],
    [
      'unsafe-argv-input',
      'its input "loud" goes into argv, and the type Loud admits "!"',
      { inputs: [{ name: 'loud', schema: typeIri('Loud'), arg: { flag: '--x', joined: true } }] },
    ],
    [
      'unsafe-argv-input',
      'its input "word" goes into argv, and the type Word has a pattern that cannot be proved safe: automata do not decide \\b',
      { inputs: [{ name: 'word', schema: typeIri('Word'), arg: { flag: '--x' } }] },
    ],
    [
      'unsafe-argv-input',
      'its input "list" goes into argv, and the type Slugs is of type array, which is not one word',
      { inputs: [{ name: 'list', schema: typeIri('Slugs'), arg: { flag: '--x' } }] },
    ],
    ['tier', 'its tier is experimental, which is not served', { tier: 'experimental', requires: { os: ['plan9'] } }],
    [
      'unmet-os',
      'it needs darwin or plan9; this host is linux',
      { requires: { os: ['darwin', 'plan9'], runtime: ['x'] } },
    ],
    [
      'unmet-runtime',
      'it needs x and python:y, not found on this host',
      { requires: { os: ['Linux'], runtime: ['x', 'python:y'], network: true } },
    ],
    ['unmet-network', 'it needs the network, which is not there', { requires: { network: true, env: ['X'] } }],
    [
      'unmet-env',
      'it needs the environment variable X and Y, not set or not listed under "env" in the config',
      { requires: { network: false, env: ['X', 'Y'] }, when: { exists: ['z'] } },
    ],
    ['unmet-when', 'it waits for a.json, not found in the instance', { when: { exists: ['a.json'] } }],
    ['command-not-found', 'its command echo is not found on PATH', {}],
    [
      'command-not-found',
      'its command bin/run.sh is not an executable file of the instance',
      { invoke: { shell: 'bin/run.sh' } },
    ],
  ])('is %s: %s', (code, reason, fields) => {
    const node = sampleNode(fields, { pointer: '/@graph/1' });
    expect(stateOf(node, hostWithout({ network: false }))).toEqual([code, reason]);
    expect(run([node], hostWithout({ network: false })).omissions).toMatchObject([
      {
        id: 'sample',
        iri: node.iri,
        name: 'sample',
        code,
        reason,
        document: 'tools/sample.json',
        pointer: '/@graph/1',
      },
    ]);
  });

  it('P11: is not mcp-only when there is another arm', () => {
    expect(stateOf(sampleNode({ invoke: { shell: 'echo', ...arms } }))).toBe('sample');
    expect(stateOf(sampleNode({ invoke: { shell: 'echo', inProcess: { module: 'x.js' }, manual: true } }))).toBe(
      'sample',
    );
  });

  it('P12: ends when the host meets what was missing', () => {
    const node = sampleNode({ requires: { os: ['macOS'], runtime: ['x'], env: ['X'] }, when: { exists: ['y'] } });
    expect(stateOf(node, { host: willingHost([node], { os: 'darwin' }) })).toBe('sample');
  });
});

describe('A problem of a node', () => {
  const input = (type: string, fields: object = {}) => ({ name: 'it', schema: typeIri(type), ...fields });
  const at = (fields: Parameters<typeof sampleNode>[0]) => stateOf(sampleNode(fields, { pointer: '/@graph/2' }));
  const found = (code: string, message: string, pointer: string) => [
    {
      code,
      message,
      document: 'tools/sample.json',
      pointer: `/@graph/2${pointer}`,
      subject: 'urn:toolgraph:test:tool/sample',
    },
  ];

  it('is a type that nothing defines, in any state, and for an output too', () => {
    const message = (kind: string) =>
      `${kind} "it": no type document defines ${typeIri('Sluug')}; did you mean ${typeIri('Slug')}?`;
    for (const fields of [{}, { tier: 'internal' }, { invoke: { manual: true } }] as const) {
      expect(at({ ...fields, inputs: [slug, input('Sluug')] })).toEqual(
        found('unresolved-schema', message('input'), '/io/inputs/1/schema'),
      );
      expect(at({ ...fields, outputs: [input('Sluug')] })).toEqual(
        found('unresolved-schema', message('output'), '/io/outputs/0/schema'),
      );
    }
  });

  it('is a type that is not portable, unless the Tool can never be projected', () => {
    const message = `input "it": the type AnyOf (${typesDocument}) at /anyOf: "anyOf" at the root of a type; hosts drop tools that have it`;
    expect(at({ inputs: [input('AnyOf')] })).toEqual(found('unportable-schema', message, '/io/inputs/0/schema'));
    expect(at({ inputs: [input('AnyOf')], invoke: { manual: true } })).toEqual(['manual-only', expect.any(String)]);
  });

  it('P13: is a pattern that can take exponential time, wherever the input goes', () => {
    const message = 'input "it": the pattern "^(a+)+$" of the type Slow can take exponential time; rewrite it';
    for (const arg of [{ flag: '--it' }, { stdin: true }] as const) {
      expect(at({ inputs: [input('Slow', { arg })] })).toEqual(found('unsafe-pattern', message, '/io/inputs/0/schema'));
    }
  });

  it('is a pattern that was not analysed, or that nothing matches', () => {
    expect(stateOf(sampleNode({ inputs: [slug] }), { verdicts: new Map() })).toMatchObject([
      { code: 'unsafe-pattern' },
    ]);
    const message = 'input "it": the pattern "^a$b" of the type Never matches no string at all; correct it';
    expect(at({ inputs: [input('Never')] })).toEqual(found('unportable-schema', message, '/io/inputs/0/schema'));
  });

  it('is an input that contradicts its type, or has a reserved name', () => {
    expect(at({ inputs: [input('Flag', { repeated: true })] })).toEqual(
      found('invalid-node', 'input "it": a boolean cannot be repeated; leave "repeated" out', '/io/inputs/0/repeated'),
    );
    const message = 'input "user_confirmed": its type is string; an input of this name must be a boolean';
    expect(at({ inputs: [input('Slug', { name: 'user_confirmed' })] })).toEqual(
      found('invalid-node', message, '/io/inputs/0/schema'),
    );
    expect(at({ inputs: [input('Slug', { name: '__proto__' })] })).toEqual(
      found('invalid-node', 'input "__proto__": this name is reserved; choose another', '/io/inputs/0/name'),
    );
  });

  it('is an invoke without any arm', () => {
    const message = 'it has no arm; expected at least one of shell, container, inProcess, manual';
    expect(at({ invoke: {} })).toEqual(found('invalid-node', message, '/invoke'));
  });

  it('is told with every other problem of the node', () => {
    const { problems } = run([
      sampleNode({
        inputs: [input('Slow'), input('Bare', { name: 'b' }), input('Flag', { name: 'c', repeated: true })],
      }),
    ]);
    expect(problems.map(({ code }) => code)).toEqual(['unsafe-pattern', 'unportable-schema', 'invalid-node']);
  });

  it('P9: leaves the others served', () => {
    const { entries, problems } = run([
      sampleNode({ id: 'good' }),
      sampleNode({ id: 'bad', inputs: [input('AnyOf')] }),
    ]);
    expect([...entries.keys()]).toEqual(['good']);
    expect(problems.map(({ subject }) => subject)).toEqual(['urn:toolgraph:test:tool/bad']);
  });

  it('found before the projection leaves the node in no other state', () => {
    const node = sampleNode();
    const earlier = problem('invalid-node', 'two titles', { document: 'other.json', subject: node.iri });
    const { entries, omissions, problems } = run([node], { problems: [earlier] });
    expect([entries.size, omissions, problems]).toEqual([0, [], [earlier]]);
    expect(run([node], { problems: [{ ...earlier, severity: 'warning' }] }).entries.size).toBe(1);
  });
});

describe('The result of project', () => {
  const nodes = [
    sampleNode({ id: 'b', inputs: [slug] }),
    sampleNode({ id: 'a' }),
    sampleNode({ id: 'omitted', invoke: { shell: 'a | b' } }),
    sampleNode({ id: 'omitted-too', tier: 'experimental' }),
    sampleNode({
      id: 'broken',
      inputs: [
        { name: 'x', schema: typeIri('AnyOf') },
        { name: 'y', schema: typeIri('Bare') },
      ],
    }),
    sampleNode({ id: 'twice' }, { document: 'tools/one.json' }),
    sampleNode({ id: 'twice' }, { document: 'tools/two.json' }),
    foreignNode('x.y', { document: 'tools/three.json' }),
    foreignNode('x/y', { document: 'tools/four.json' }),
    foreignNode('x y', { document: 'tools/six.json' }),
    foreignNode('A', { document: 'tools/five.json' }),
  ];
  const upstream = [
    problem('unreadable', 'not JSON', { document: 'z.json', line: 3, column: 1 }),
    problem('unknown-context', 'https://example.org', { document: 'a.json' }),
    problem('invalid-config', 'wrong', {}),
  ];

  it('P1: does not depend on the order of what goes in', () => {
    const bytes = ({ entries, ...rest }: Projection): string => JSON.stringify([[...entries], rest]);
    const expected = bytes(run(nodes, { problems: upstream }));
    const order = fc.tuple(
      fc.shuffledSubarray(nodes, { minLength: nodes.length }),
      fc.shuffledSubarray(upstream, { minLength: upstream.length }),
      fc.shuffledSubarray([...types], { minLength: types.size }),
    );
    fc.assert(
      fc.property(order, ([tools, problems, typeEntries]) => {
        expect(bytes(run(tools, { problems, types: new Map(typeEntries) }))).toBe(expected);
      }),
    );
  });

  it('is sorted by code units, and has each node in exactly one state', () => {
    const { entries, omissions, problems } = run(nodes, { problems: upstream });
    expect([...entries.keys()]).toEqual(['A', 'a', 'b']);
    expect(omissions.map(({ id }) => id)).toEqual(['omitted', 'omitted-too']);
    expect(problems.map(({ document, code }) => `${document} ${code}`)).toEqual([
      'undefined invalid-config',
      'a.json unknown-context',
      'tools/broken.json unportable-schema',
      'tools/broken.json unportable-schema',
      'tools/four.json name-collision',
      'tools/one.json duplicate-id',
      'tools/six.json name-collision',
      'tools/three.json name-collision',
      'tools/two.json duplicate-id',
      'z.json unreadable',
    ]);
  });

  it('has a digest of everything but lines, and one of the list alone', () => {
    const first = run(nodes, { problems: upstream });
    const moved = run(nodes, { problems: upstream.map((found) => ({ ...found, line: 9, column: 9 })) });
    const told = run(nodes, { problems: [] });
    expect(moved.digest).toBe(first.digest);
    expect(told.digest).not.toBe(first.digest);
    expect(told.listDigest).toBe(first.listDigest);
    expect(run(nodes.slice(1)).listDigest).not.toBe(first.listDigest);
  });

  it('P16: has the same list digest when only satisfies changes', () => {
    const before = run([sampleNode()]);
    const after = run([sampleNode({ satisfies: ['other'] })]);
    expect(after.listDigest).toBe(before.listDigest);
  });

  it('is an internal-error of the node that toolgraph fails on', () => {
    const poisoned = { ...sampleNode({ id: 'poisoned' }) };
    const tool = {
      ...poisoned.tool,
      get description(): string {
        throw new Error('boom');
      },
    };
    const { entries, problems } = run([{ ...poisoned, tool }, sampleNode()]);
    expect([...entries.keys()]).toEqual(['sample']);
    expect(problems.map(short)).toMatchObject([{ code: 'internal-error', document: 'tools/poisoned.json' }]);
  });
});
