import type { JsonSchema } from '../../schemas/declaration.js';
import type { CheckedInstance, CheckedMember, Found, Rule } from '../../src/check/rule.js';
import type { TypeRegistry } from '../../src/projection/node.js';
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
    schemaFaults: parts.schemaFaults ?? new Map(),
  };
}

export function member(config: Parts = {}): CheckedMember {
  return {
    types: config.types ?? new Map(),
    verdicts: config.verdicts ?? new Map(),
    unclaimed: config.unclaimed ?? [],
    foreign: config.foreign ?? [],
    proseAmongSkills: config.proseAmongSkills ?? [],
    unreadFiles: config.unreadFiles ?? [],
    config: {
      ...(config.prefix === undefined ? {} : { prefix: config.prefix }),
      tiers: config.tiers ?? ['stable'],
      ...(config.arms === undefined ? {} : { arms: config.arms }),
      require: config.require ?? [],
      rules: config.rules ?? new Map(),
    },
  };
}

/** What a rule finds, as an array. */
export function found(rule: Rule, instance: CheckedInstance): Found[] {
  return [...rule.check(instance)];
}

export function messages(rule: Rule, instance: CheckedInstance): string[] {
  return found(rule, instance).map(({ message }) => message);
}

/** Types of one document, by their IRI, `https://example.org/types#/$defs/<name>`. */
export function types(schemas: Readonly<Record<string, JsonSchema>>): TypeRegistry {
  return new Map(
    Object.entries(schemas).map(([name, schema]) => {
      const iri = `https://example.org/types#/$defs/${name}`;
      return [iri, { iri, document: 'graph/types/types.json', schema }];
    }),
  );
}
