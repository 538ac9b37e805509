import type { z } from 'zod';
import { placedMessage, type WordedIssue, wordIssues } from '../../schemas/issue-words.js';
import { SkillSchema } from '../../schemas/skill.js';
import { ToolDocumentSchema } from '../../schemas/tool.js';
import { toolRules } from '../../schemas/tool-rules.js';
import { TypeDocumentSchema } from '../../schemas/type-document.js';
import { ViewSchema, viewRules } from '../../schemas/view.js';
import { jsonKeys, terms } from '../store/vocabulary.js';
import type { NodeContext } from './context.js';

/** One place where a source tree does not have the shape that was expected. */
export interface ShapeIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The key itself is what is wrong, not its value. */
  readonly atKey?: boolean;
}

/** Checks a Tool as it is written, leaving out the keys that the document's own context maps. */
export function checkTool(node: Readonly<Record<string, unknown>>, context: NodeContext): ShapeIssue[] {
  const own = withoutMapped(node, context);
  const result = ToolDocumentSchema.safeParse(own);
  if (!result.success) return explain(result.error, ToolDocumentSchema, own);
  return toolRules(result.data).map(({ path, message }) => ({ path, message: placedMessage({ path, message }) }));
}

/**
 * Checks what a document states about a Tool that is at home in another one: each field that is there, and none for being
 * absent. Keys of other nodes (`terms`) are data.
 */
export function checkStatement(node: Readonly<Record<string, unknown>>, context: NodeContext): ShapeIssue[] {
  const entries = Object.entries(withoutMapped(node, context));
  const own = Object.fromEntries(
    entries.filter(([key]) => Object.hasOwn(StatementSchema.shape, key) || !ownKeys.has(key)),
  );
  const result = StatementSchema.safeParse(own);
  if (!result.success) return explain(result.error, StatementSchema, own);
  const isDescribed = result.data.description !== undefined || result.data.summary !== undefined;
  const whole = { ...restOfTool, ...(isDescribed ? {} : { description: '-' }), ...result.data };
  // Its tier may be stated at its home.
  const rules = toolRules(whole).filter(({ path }) => path[0] !== 'deprecated');
  return rules.map(({ path, message }) => ({ path, message: placedMessage({ path, message }) }));
}

const StatementSchema = ToolDocumentSchema.partial();
const ownKeys = new Set(terms.map(({ key }) => key));
/** What makes a whole Tool of a statement, so that the rules across fields can be asked. */
const restOfTool = { id: 'a', title: '-', invoke: {}, io: {}, satisfies: ['-'] };

/** Checks a Skill node, or the fields that the front matter of a skill has. */
export function checkSkill(node: Readonly<Record<string, unknown>>, context: NodeContext): ShapeIssue[] {
  const own = withoutMapped(node, context);
  const result = SkillSchema.safeParse(own);
  return result.success ? [] : explain(result.error, SkillSchema, own);
}

/** Checks a View as it is written, leaving out the keys that the document's own context maps. */
export function checkView(node: Readonly<Record<string, unknown>>, context: NodeContext): ShapeIssue[] {
  const own = withoutMapped(node, context);
  const result = ViewSchema.safeParse(own);
  if (!result.success) return explain(result.error, ViewSchema, own);
  return viewRules(result.data).map(({ path, message }) => ({ path, message: placedMessage({ path, message }) }));
}

/** Checks a document that has `$id` and `$defs`. */
export function checkTypeDocument(document: Readonly<Record<string, unknown>>): ShapeIssue[] {
  const result = TypeDocumentSchema.safeParse(document);
  return result.success ? [] : explain(result.error, TypeDocumentSchema, document);
}

function withoutMapped(node: Readonly<Record<string, unknown>>, context: NodeContext): Record<string, unknown> {
  return context.hasInlineTerms ? (strip(node, context) as Record<string, unknown>) : node;
}

/** Inside a JSON literal no context applies, so nothing there is mapped. */
function strip(value: unknown, context: NodeContext): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, context));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !context.maps(key));
  return Object.fromEntries(
    kept.map(([key, member]) => [key, jsonKeys.has(key) || key === '@context' ? member : strip(member, context)]),
  );
}

function explain(error: z.ZodError, schema: z.ZodType, root: unknown): ShapeIssue[] {
  return wordIssues(error, schema, root).map((issue) => ({
    ...issue,
    message: placedMessage(issue) + adviceOn(issue),
  }));
}

function adviceOn({ atKey }: WordedIssue): string {
  return atKey === true ? " (a key of your own must be mapped in the document's @context)" : '';
}
