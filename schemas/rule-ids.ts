/**
 * Every rule of `toolgraph check` and its id: each problem code (TG0xx), each omission code (TG1xx), and what is checked beside them
 * (TG2xx). An id is for ever: it is not given to another rule, nor used again when its rule is gone.
 */
export const ruleIds = {
  unreadable: 'TG001',
  'invalid-node': 'TG002',
  'unknown-context': 'TG003',
  'unresolved-schema': 'TG004',
  'unsafe-pattern': 'TG005',
  'duplicate-id': 'TG006',
  'name-collision': 'TG007',
  'unportable-schema': 'TG008',
  'invalid-config': 'TG009',
  'internal-error': 'TG010',
  'invalid-query': 'TG011',
  internal: 'TG101',
  'mcp-only': 'TG102',
  'manual-only': 'TG103',
  'shell-syntax': 'TG105',
  'interpreter-slot': 'TG106',
  'unreachable-input': 'TG107',
  'unsafe-argv-input': 'TG108',
  tier: 'TG109',
  'unmet-os': 'TG110',
  'unmet-runtime': 'TG111',
  'unmet-network': 'TG112',
  'unmet-env': 'TG113',
  'unmet-when': 'TG114',
  'command-not-found': 'TG115',
  'module-not-found': 'TG116',
  'module-failed': 'TG117',
  'no-container-engine': 'TG118',
  'input-left-out': 'TG201',
  'required-tool': 'TG202',
  'unknown-skill': 'TG203',
  'unknown-tool-reference': 'TG204',
  'hidden-text': 'TG205',
  'instruction-like-text': 'TG206',
  'parent-path': 'TG207',
  'option-like-value': 'TG208',
  'effect-contradicted': 'TG209',
  'hint-contradicted': 'TG210',
  'effect-wording': 'TG211',
  'confirmation-missing': 'TG212',
  'long-description': 'TG213',
  'unfinished-description': 'TG214',
  'same-description': 'TG215',
  'secret-literal': 'TG216',
  'unclaimed-statement': 'TG217',
  'mistaken-namespace': 'TG218',
  'unread-description': 'TG219',
  'skill-without-name': 'TG220',
  'invalid-schema': 'TG221',
  'output-without-source': 'TG222',
  'unread-file': 'TG223',
} as const;

export type RuleName = keyof typeof ruleIds;
export type RuleId = (typeof ruleIds)[RuleName];

const names = new Map<string, RuleName>(
  (Object.keys(ruleIds) as RuleName[]).flatMap((name) => [
    [name, name],
    [ruleIds[name], name],
  ]),
);

/** The rule that a config means by a key: its name or its id. */
export function ruleNamed(key: string): RuleName | undefined {
  return names.get(key);
}

/** Whether the rule of this id tells of a problem. */
export function isProblemRule(id: string): boolean {
  return id.startsWith('TG0');
}
