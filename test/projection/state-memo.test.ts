import { describe, expect, it } from 'vitest';
import type { HostFacts } from '../../src/projection/host.js';
import type { ToolNode } from '../../src/projection/node.js';
import { type ProjectionInput, project } from '../../src/projection/project.js';
import { StateMemo } from '../../src/projection/state-memo.js';

const typeIri = 'https://example.org/types#/$defs/Word';
const types = (pattern: string) =>
  new Map([[typeIri, { iri: typeIri, document: 'types.json', schema: { type: 'string', pattern } }]]);

function node(id: string, command: string): ToolNode {
  const word = { name: 'word', schema: typeIri, arg: { positional: 0 } };
  const tool = {
    id,
    title: id,
    description: `Does ${id}`,
    tier: 'stable',
    invoke: { shell: command },
    io: { inputs: [word], outputs: [] },
    satisfies: ['testing'],
  } as const;
  return { iri: `urn:t:tool/${id}`, document: `${id}.json`, pointer: '', tool: { ...tool, satisfies: ['testing'] } };
}

function host(commands: Record<string, boolean>, fields: Partial<HostFacts> = {}): HostFacts {
  const none = new Map<string, boolean>();
  return {
    os: 'linux',
    network: true,
    commands: new Map(Object.entries(commands)),
    runtimes: none,
    env: none,
    paths: none,
    ...fields,
  };
}

const safe = { time: 'safe', argv: { kind: 'safe' } } as const;
const base: ProjectionInput = {
  tools: [node('a', 'one'), node('b', 'two')],
  types: types('^[a-z]+$'),
  problems: [],
  host: host({ one: true, two: true }),
  options: { tiers: ['stable'] },
  verdicts: new Map([
    ['^[a-z]+$', safe],
    ['^[a-z]$', safe],
  ]),
};

describe('A projection with a memo is the one without', () => {
  const others: [string, ProjectionInput][] = [
    ['when nothing changed', base],
    ['when one node changed', { ...base, tools: [node('a', 'one'), node('b', 'one')] }],
    ['when the type changed', { ...base, types: types('^[a-z]$') }],
    ['when a command went', { ...base, host: host({ one: true, two: false }) }],
    ['when another question was answered', { ...base, host: host({ one: true, two: true, three: false }) }],
    ['when a tier is no longer served', { ...base, options: { tiers: ['experimental'] } }],
    ['when a prefix was set', { ...base, options: { tiers: ['stable'], prefix: 'x' } }],
    [
      'when a pattern was found to be unsafe',
      { ...base, verdicts: new Map([['^[a-z]+$', { ...safe, time: 'exponential' } as const]]) },
    ],
  ];
  for (const [name, input] of others) {
    it(name, () => {
      const memo = new StateMemo();
      project({ ...base, memo });
      const { digest, listDigest, entries, omissions, problems } = project({ ...input, memo });
      expect({ digest, listDigest, entries, omissions, problems }).toEqual(project(input));
    });
  }

  it('and keeps the entry of a node that is as it was', () => {
    const memo = new StateMemo();
    const first = project({ ...base, memo });
    const second = project({ ...base, tools: [...base.tools.slice(0, 1), node('b', 'one')], memo });
    expect(second.entries.get('a')).toBe(first.entries.get('a'));
    expect(second.entries.get('b')).not.toBe(first.entries.get('b'));
  });
});
