import type { Rule } from './rule.js';
import { inputLeftOut } from './rules/input-left-out.js';
import { omissionRules } from './rules/omissions.js';
import { problemRules } from './rules/problems.js';
import { requiredTool } from './rules/required-tool.js';

/** Every rule, in the order of its id: `docs/rules.md` is generated from it. */
export const rules: readonly Rule[] = [...problemRules, ...omissionRules, inputLeftOut, requiredTool];
