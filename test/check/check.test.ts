import { describe, expect, it } from 'vitest';
import type { RuleSetting } from '../../schemas/config.js';
import type { RuleName } from '../../schemas/rule-ids.js';
import { check } from '../../src/check/check.js';
import { problem } from '../../src/diagnostic.js';
import { entry, generation, omission } from '../cli/generation-builder.js';
import { checked, member } from './checked-instance.js';

function settings(...rows: [RuleName, RuleSetting][]): ReadonlyMap<RuleName, RuleSetting> {
  return new Map(rows);
}

describe('check', () => {
  it('finds nothing in an instance where every tool is served', () => {
    expect(check(checked({ generation: generation([entry('a')]) }))).toEqual({ findings: [], silenced: [] });
  });

  it('sorts errors before warnings, then by the id of the rule, then by place, whatever the order of the generation', () => {
    const problems = [
      problem('duplicate-id', 'two', { document: 'b.json' }),
      problem('unreadable', 'bad', { document: 'b.json', line: 10, column: 1 }),
      problem('unreadable', 'bad', { document: 'b.json', line: 9, column: 1 }),
      problem('unreadable', 'bad', { document: 'a.json', line: 99, column: 1 }),
    ];
    const omissions = [omission('x', 'tier', 'experimental'), omission('w', 'mcp-only', 'mcp')];
    const { findings } = check(checked({ generation: generation([], omissions, problems) }));
    expect(findings.map(({ rule, code, document, line }) => [rule, code, document, line])).toEqual([
      ['TG001', 'unreadable', 'a.json', 99],
      ['TG001', 'unreadable', 'b.json', 9],
      ['TG001', 'unreadable', 'b.json', 10],
      ['TG006', 'duplicate-id', 'b.json', undefined],
      ['TG102', 'mcp-only', 'graph/tools/w.json', undefined],
      ['TG109', 'tier', 'graph/tools/x.json', undefined],
    ]);
    const reversed = generation([], omissions.toReversed(), problems.toReversed());
    expect(check(checked({ generation: reversed })).findings).toEqual(findings);
  });

  it('leaves the generation as it was', () => {
    const one = generation([], [], [problem('unreadable', 'b'), problem('unreadable', 'a')]);
    check(checked({ generation: one }));
    expect(one.problems.map(({ message }) => message)).toEqual(['b', 'a']);
  });

  it('gives a finding the severity that the config says, in both directions', () => {
    const omissions = [omission('x', 'tier', 'experimental'), omission('w', 'mcp-only', 'mcp')];
    const rules = settings(['tier', { severity: 'error' }], ['mcp-only', { severity: 'warn' }]);
    const { findings } = check(checked({ generation: generation([], omissions), rules }));
    expect(findings.map(({ name, severity }) => [name, severity])).toEqual([
      ['tier', 'error'],
      ['mcp-only', 'warning'],
    ]);
  });

  it('keeps what the config silences apart, with the reason and the severity that it would have', () => {
    const rules = settings(['tier', { severity: 'off', reason: 'another config serves it' }]);
    const report = check(checked({ generation: generation([], [omission('x', 'tier', 'experimental')]), rules }));
    expect(report).toEqual({
      findings: [],
      silenced: [
        {
          rule: 'TG109',
          name: 'tier',
          code: 'tier',
          severity: 'warning',
          message: 'x: experimental',
          fix: 'Serve the tier with --tiers or the config.',
          document: 'graph/tools/x.json',
          pointer: '',
          subject: 'urn:toolgraph:demo:tool/x',
          reason: 'another config serves it',
        },
      ],
    });
  });

  it('judges what is found in an included instance by the config of that one', () => {
    const omissions = [omission('x', 'tier', 'here'), { ...omission('y', 'tier', 'there'), instance: '../b' }];
    const off = settings(['tier', { severity: 'off', reason: 'no' }]);
    const instance = checked({ generation: generation([], omissions) });
    const members = new Map([...instance.members, ['../b', member({ rules: off })]]);
    const { findings, silenced } = check({ ...instance, members });
    expect(findings.map(({ message }) => message)).toEqual(['x: here']);
    expect(silenced.map(({ message }) => message)).toEqual(['y: there']);
  });
});
