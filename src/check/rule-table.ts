import type { Rule } from './rule.js';
import { confirmationMissing } from './rules/confirmation-missing.js';
import { effectContradicted } from './rules/effect-contradicted.js';
import { effectWording } from './rules/effect-wording.js';
import { hiddenText } from './rules/hidden-text.js';
import { hintContradicted } from './rules/hint-contradicted.js';
import { inputLeftOut } from './rules/input-left-out.js';
import { instructionLikeText } from './rules/instruction-like-text.js';
import { invalidSchema } from './rules/invalid-schema.js';
import { longDescription } from './rules/long-description.js';
import { mistakenNamespace } from './rules/mistaken-namespace.js';
import { omissionRules } from './rules/omissions.js';
import { optionLikeValue } from './rules/option-like-value.js';
import { outputWithoutSource } from './rules/output-without-source.js';
import { parentPath } from './rules/parent-path.js';
import { problemRules } from './rules/problems.js';
import { requiredTool } from './rules/required-tool.js';
import { sameDescription } from './rules/same-description.js';
import { secretLiteral } from './rules/secret-literal.js';
import { skillWithoutName } from './rules/skill-without-name.js';
import { unclaimedStatement } from './rules/unclaimed-statement.js';
import { unfinishedDescription } from './rules/unfinished-description.js';
import { unknownSkill } from './rules/unknown-skill.js';
import { unknownToolReference } from './rules/unknown-tool-reference.js';
import { unreadDescription } from './rules/unread-description.js';
import { unreadFile } from './rules/unread-file.js';

/** Every rule, in the order of its id: `docs/rules.md` is generated from it. */
export const rules: readonly Rule[] = [
  ...problemRules,
  ...omissionRules,
  inputLeftOut,
  requiredTool,
  unknownSkill,
  unknownToolReference,
  hiddenText,
  instructionLikeText,
  parentPath,
  optionLikeValue,
  effectContradicted,
  hintContradicted,
  effectWording,
  confirmationMissing,
  longDescription,
  unfinishedDescription,
  sameDescription,
  secretLiteral,
  unclaimedStatement,
  mistakenNamespace,
  unreadDescription,
  skillWithoutName,
  invalidSchema,
  outputWithoutSource,
  unreadFile,
];
