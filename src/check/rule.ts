import type { RuleSetting } from '../../schemas/config.js';
import type { RuleId, RuleName } from '../../schemas/rule-ids.js';
import type { OmissionCode, Place, ProblemCode } from '../diagnostic.js';
import type { PatternVerdicts } from '../patterns/verdict.js';
import type { Generation, ProjectionOptions } from '../projection/generation.js';
import type { SkillNode, ToolNode, TypeRegistry } from '../projection/node.js';
import type { ForeignStatement, UnclaimedSubject } from '../store/stray-statements.js';

export type Severity = 'error' | 'warning';

/** All that the rules judge: one generation with what it was made of. Data only. */
export interface CheckedInstance {
  readonly generation: Generation;
  /** Of the instance and those that it includes, projected or not. */
  readonly nodes: readonly ToolNode[];
  readonly skills: readonly SkillNode[];
  /** What each instance has of its own, by its label (`Place.instance`); '' is the instance itself. */
  readonly members: ReadonlyMap<string, CheckedMember>;
  /** By the MCP name of a served Tool, why one of its schemas is no JSON Schema 2020-12. */
  readonly schemaFaults: ReadonlyMap<string, string>;
}

export interface CheckedMember {
  readonly types: TypeRegistry;
  /** Of every pattern that an input of its Tools has; one that is missing is undecided. */
  readonly verdicts: PatternVerdicts;
  readonly config: CheckedConfig;
  readonly unclaimed: readonly UnclaimedSubject[];
  readonly foreign: readonly ForeignStatement[];
  /** Markdown files in folders of skills that are no skill. */
  readonly proseAmongSkills: readonly string[];
  /** Files of data in node folders that have an ending which is not read. */
  readonly unreadFiles: readonly string[];
}

/** What a config says to the rules. */
export interface CheckedConfig extends ProjectionOptions {
  /** Ids of Tools that must be projected. */
  readonly require: readonly string[];
  readonly rules: ReadonlyMap<RuleName, RuleSetting>;
}

/** What one rule finds. The message is one line. */
export interface Found extends Place {
  readonly message: string;
  /** @default what the rule says */
  readonly severity?: Severity;
  /** @default what the rule says */
  readonly fix?: string;
  readonly code?: ProblemCode | OmissionCode;
}

/** What is found, by which rule, and as how severe it counts after what the config says. */
export interface Finding extends Place {
  readonly rule: RuleId;
  readonly name: RuleName;
  readonly severity: Severity;
  /** What is wrong, one line. */
  readonly message: string;
  /** How to put it right. */
  readonly fix: string;
  /** Of the problem or the omission that it tells of. */
  readonly code?: ProblemCode | OmissionCode;
}

/** A finding that the config of its instance silences; `reason` is what the config gives. */
export interface SilencedFinding extends Finding {
  readonly reason: string;
}

/** One rule of `toolgraph check`: pure. */
export interface Rule {
  readonly name: RuleName;
  readonly severity: Severity;
  /** What it asks, one sentence. */
  readonly summary: string;
  /** What happens to whom where it is not kept. */
  readonly why: string;
  /** How to put right what it finds. */
  readonly fix: string;
  /** For the docs: something that breaks it. */
  readonly example?: { readonly language: string; readonly text: string };
  check(instance: CheckedInstance): Iterable<Found>;
}
