import { describe, expect, it } from 'vitest';
import { ruleIds } from '../../schemas/rule-ids.js';
import { rules } from '../../src/check/rule-table.js';
import { codes } from '../../src/diagnostic.js';

describe('The table of rules', () => {
  it('has for each id the name that it has had since it was given out', () => {
    expect(Object.entries(ruleIds).map(([name, id]) => `${id} ${name}`)).toEqual([
      'TG001 unreadable',
      'TG002 invalid-node',
      'TG003 unknown-context',
      'TG004 unresolved-schema',
      'TG005 unsafe-pattern',
      'TG006 duplicate-id',
      'TG007 name-collision',
      'TG008 unportable-schema',
      'TG009 invalid-config',
      'TG010 internal-error',
      'TG011 invalid-query',
      'TG101 internal',
      'TG102 mcp-only',
      'TG103 manual-only',
      'TG105 shell-syntax',
      'TG106 interpreter-slot',
      'TG107 unreachable-input',
      'TG108 unsafe-argv-input',
      'TG109 tier',
      'TG110 unmet-os',
      'TG111 unmet-runtime',
      'TG112 unmet-network',
      'TG113 unmet-env',
      'TG114 unmet-when',
      'TG115 command-not-found',
      'TG116 module-not-found',
      'TG117 module-failed',
      'TG118 no-container-engine',
      'TG201 input-left-out',
      'TG202 required-tool',
      'TG203 unknown-skill',
      'TG204 unknown-tool-reference',
      'TG205 hidden-text',
      'TG206 instruction-like-text',
      'TG207 parent-path',
      'TG208 option-like-value',
      'TG209 effect-contradicted',
      'TG210 hint-contradicted',
      'TG211 effect-wording',
      'TG212 confirmation-missing',
      'TG213 long-description',
      'TG214 unfinished-description',
      'TG215 same-description',
      'TG216 secret-literal',
      'TG217 unclaimed-statement',
      'TG218 mistaken-namespace',
      'TG219 unread-description',
      'TG220 skill-without-name',
      'TG221 invalid-schema',
      'TG222 output-without-source',
      'TG223 unread-file',
    ]);
  });

  it('has one rule for each id, in the order of the ids', () => {
    expect(rules.map(({ name }) => name)).toEqual(Object.keys(ruleIds));
    const ids = Object.values(ruleIds);
    expect([...new Set(ids)].sort()).toEqual(ids);
  });

  it('has a rule for each code of a problem and of an omission', () => {
    const stated = Object.entries(codes).flatMap(([code, { kind }]) => (kind === 'call' ? [] : [code]));
    expect(Object.keys(ruleIds)).toEqual(expect.arrayContaining(stated));
  });

  it('says of each what it asks, why, and how to put it right, in sentences', () => {
    for (const { summary, why, fix } of rules) {
      for (const text of [summary, why, fix]) expect(text).toMatch(/^(?:[A-Z`]|toolgraph).*\.$/);
    }
  });
});
