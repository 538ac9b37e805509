import type { RuleSetting } from '../../schemas/config.js';
import { ruleIds } from '../../schemas/rule-ids.js';
import { byCodeUnits } from '../code-units.js';
import type { CheckedInstance, Finding, Found, Rule, SilencedFinding } from './rule.js';
import { rules } from './rule-table.js';

export interface CheckReport {
  /** Errors first, then by the id of the rule, then by place. An error makes `check` fail. */
  readonly findings: readonly Finding[];
  /** What the config of an instance silences, in the same order. */
  readonly silenced: readonly SilencedFinding[];
}

/** What all rules find, as severe as the config of the instance that a finding is about says. Never throws because of a node. */
export function check(instance: CheckedInstance): CheckReport {
  const findings: Finding[] = [];
  const silenced: SilencedFinding[] = [];
  for (const rule of rules) {
    for (const found of rule.check(instance)) {
      const setting = instance.members.get(found.instance ?? '')?.config.rules.get(rule.name);
      const finding = findingOf(rule, found, setting);
      if (setting?.severity === 'off') silenced.push({ ...finding, reason: setting.reason });
      else findings.push(finding);
    }
  }
  return { findings: findings.sort(compareFindings), silenced: silenced.sort(compareFindings) };
}

function findingOf(rule: Rule, found: Found, setting: RuleSetting | undefined): Finding {
  const { message, code, severity = rule.severity, fix = rule.fix } = found;
  const { document, instance, pointer, line, column, subject } = found;
  return {
    rule: ruleIds[rule.name],
    name: rule.name,
    ...(code === undefined ? {} : { code }),
    severity: setting === undefined || setting.severity === 'off' ? severity : severities[setting.severity],
    message: message.replace(/\s*\n\s*/gu, ' '),
    fix,
    ...(document === undefined ? {} : { document }),
    ...(instance === undefined ? {} : { instance }),
    ...(pointer === undefined ? {} : { pointer }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(subject === undefined ? {} : { subject }),
  };
}

const severities = { error: 'error', warn: 'warning' } as const;

function compareFindings(a: Finding, b: Finding): number {
  return (
    Number(a.severity === 'warning') - Number(b.severity === 'warning') ||
    byCodeUnits(a.rule, b.rule) ||
    byCodeUnits(a.document ?? '', b.document ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    byCodeUnits(a.pointer ?? '', b.pointer ?? '') ||
    byCodeUnits(a.message, b.message)
  );
}
