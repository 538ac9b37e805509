import type { CheckedInstance, CheckedMember, Found, Rule } from '../../src/check/rule.js';
import { generation } from '../cli/generation-builder.js';

type Parts = Partial<Omit<CheckedInstance, 'members'>> &
  Partial<Omit<CheckedMember, 'config'>> &
  Partial<CheckedMember['config']>;

/** An instance that includes no other, of the parts that a test is about. */
export function checked(parts: Parts = {}): CheckedInstance {
  return {
    generation: parts.generation ?? generation([]),
    nodes: parts.nodes ?? [],
    skills: parts.skills ?? [],
    members: new Map([['', member(parts)]]),
  };
}

export function member({ types, verdicts, ...config }: Parts = {}): CheckedMember {
  return {
    types: types ?? new Map(),
    verdicts: verdicts ?? new Map(),
    config: { require: config.require ?? [], rules: config.rules ?? new Map(), tiers: config.tiers ?? ['stable'] },
  };
}

/** What a rule finds, as an array. */
export function found(rule: Rule, instance: CheckedInstance): Found[] {
  return [...rule.check(instance)];
}
