import type { z } from 'zod';
import { knownKeys } from '../../schemas/known-keys.js';
import { SkillSchema } from '../../schemas/skill.js';
import { ToolDocumentSchema } from '../../schemas/tool.js';
import { toolRules } from '../../schemas/tool-rules.js';
import { TypeDocumentSchema } from '../../schemas/type-document.js';
import { nearestName } from '../nearest-name.js';
import { jsonKeys, terms } from '../store/vocabulary.js';
import type { NodeContext } from './context.js';
import { dotted, valueAt } from './tree-path.js';

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
  return toolRules(result.data).map(({ path, message }) => ({ path, message: `${dotted(path)}: ${message}` }));
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
  return rules.map(({ path, message }) => ({ path, message: `${dotted(path)}: ${message}` }));
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

/** Checks a document that has `$id` and `$defs`. */
export function checkTypeDocument(document: Readonly<Record<string, unknown>>): ShapeIssue[] {
  const result = TypeDocumentSchema.safeParse(document);
  return result.success ? [] : explain(result.error, TypeDocumentSchema, document);
}

/** A value as it is shown in a message: JSON, at most 60 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
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

type Issue = z.core.$ZodIssue;

function explain(error: z.ZodError, schema: z.ZodType, root: unknown): ShapeIssue[] {
  return error.issues.flatMap((issue) => explainIssue(issue, issue.path, schema, root));
}

function explainIssue(issue: Issue, path: PropertyKey[], schema: z.ZodType, root: unknown): ShapeIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(key, path, knownKeys(schema, path)));
  }
  if (issue.code === 'invalid_union' && !isOwnWording(issue)) {
    // The branch whose own type was right is the one that was meant.
    const meant = issue.errors.find((branch) => branch.every(({ path: inner }) => inner.length > 0));
    if (meant !== undefined && meant.length > 0) {
      return meant.flatMap((inner) => explainIssue(inner, [...path, ...inner.path], schema, root));
    }
  }
  const where = path.length === 0 ? '' : `${dotted(path)}: `;
  const found = valueAt(root, path);
  const expected = expectation(issue);
  const message = found === undefined ? `required, but missing: ${expected}` : `${expected}, found ${shown(found)}`;
  return [{ path, message: where + message }];
}

function unknownKey(key: string, path: readonly PropertyKey[], known: readonly string[]): ShapeIssue {
  const where = path.length === 0 ? '' : ` in ${dotted(path)}`;
  const meant = nearestName(key, known);
  const hint = meant === undefined ? `known here: ${known.join(', ') || 'none'}` : `did you mean "${meant}"?`;
  const message = `unknown key ${shown(key)}${where}; ${hint} (a key of your own must be mapped in the document's @context)`;
  return { path: [...path, key], message, atKey: true };
}

/** The schemas word what is not plain from the type as "expected …". */
function isOwnWording(issue: Issue): boolean {
  return issue.message.startsWith('expected ');
}

function expectation(issue: Issue): string {
  if (isOwnWording(issue)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((v) => shown(v)).join(', ')}`;
    case 'invalid_format':
      return issue.pattern === undefined ? `expected ${issue.format}` : `expected text that matches ${issue.pattern}`;
    case 'too_small':
      return `expected ${quantity(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `expected ${quantity(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_union':
      return 'expected another type';
    default:
      return `expected something else (${issue.message})`;
  }
}

function withArticle(type: string): string {
  if (type === 'int') return 'an integer';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function quantity(origin: string, bound: string, limit: number | bigint): string {
  if (origin !== 'string' && origin !== 'array') return `a number of ${bound} ${limit}`;
  const noun = origin === 'string' ? 'character' : 'item';
  return `${bound} ${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;
}
