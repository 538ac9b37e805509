import { shown } from '../../schemas/issue-words.js';
import { nearestName } from '../nearest-name.js';
import { classes } from '../store/vocabulary.js';
import { type NodeContext, schemePattern } from './context.js';
import type { FolderRole } from './document-kind.js';
import type { ShapeIssue } from './shape.js';

/** What a node is taken for, and what is wrong with what it says it is. */
export interface NodeRole {
  readonly kind: Role;
  readonly issues: readonly ShapeIssue[];
}

/** Of a context that is not ours: checked only after it was expanded and lifted, as is the next. */
export const foreignRole: NodeRole = { kind: 'other', issues: [] };
/** A node in expanded form. */
export const expandedRole: NodeRole = { kind: 'other', issues: [] };
/** `statement` is about a Tool that is at home in another document (DESIGN decision 1). */
export type Role = FolderRole | 'statement' | 'other' | 'unstated';

/** What a node in our context is; `defaultRole` is what one without `@type` is in its folder. */
export function roleOf(
  value: Readonly<Record<string, unknown>>,
  defaultRole: FolderRole | undefined,
  context: NodeContext,
): NodeRole {
  const types = [value['@type']].flat().filter((type): type is string => typeof type === 'string');
  if (isExpanded(value, types, context)) return expandedRole;
  if (types.includes('Tool') || types.includes(classes.Tool)) return { kind: 'tool', issues: [] };
  if (types.includes('Skill') || types.includes(classes.Skill)) return { kind: 'skill', issues: [] };
  if (types.includes('View') || types.includes(classes.View)) return { kind: 'view', issues: [] };
  const unknown = types.find((type) => !Object.hasOwn(classes, type) && !type.includes(':') && !context.maps(type));
  if (unknown !== undefined) return { kind: 'other', issues: [unknownType(unknown)] };
  if (types.length > 0) return { kind: 'other', issues: [] };
  if (isStatement(value)) return { kind: 'statement', issues: [] };
  if (defaultRole !== undefined) return { kind: defaultRole, issues: [] };
  return { kind: 'unstated', issues: [unstated(value)] };
}

/** No key of ours, only keywords and IRIs: what `export --format jsonld` writes, and what any processor expands to. */
function isExpanded(value: Readonly<Record<string, unknown>>, types: readonly string[], context: NodeContext): boolean {
  const keys = Object.keys(value).filter((key) => !key.startsWith('@') && key !== '$schema');
  if (keys.length > 0) return keys.every((key) => schemePattern.test(key) || context.maps(key));
  return typeof value['@id'] === 'string' && types.length > 0 && types.every((type) => schemePattern.test(type));
}

/** A node with an IRI that states neither what it is nor its name. */
function isStatement(value: Readonly<Record<string, unknown>>): boolean {
  const iri = value['@id'];
  if (typeof iri !== 'string' || !schemePattern.test(iri)) return false;
  return !['@type', 'id', 'name'].some((key) => Object.hasOwn(value, key));
}

function unknownType(type: string): ShapeIssue {
  const meant = nearestName(type, Object.keys(classes));
  const hint =
    meant === undefined ? 'write "Tool", "Skill" or "View", or map it in the @context' : `did you mean "${meant}"?`;
  return { path: ['@type'], message: `unknown type ${shown(type)}; ${hint}` };
}

function unstated(value: Readonly<Record<string, unknown>>): ShapeIssue {
  if (Object.hasOwn(value, '$defs') || Object.hasOwn(value, '$id')) {
    const missing = Object.hasOwn(value, '$id') ? '$defs' : '$id';
    return { path: [], message: `a type document needs both "$id" and "$defs"; add "${missing}"` };
  }
  const isLikeTool = Object.hasOwn(value, 'invoke') && Object.hasOwn(value, 'io');
  const advice = isLikeTool
    ? 'this looks like a Tool: add "@type": "Tool", or put the file into graph/tools/ or a folder that the config gives the kind "tools"'
    : 'add "@type": "Tool", "Skill" or "View", or put the file into graph/tools/, graph/skills/ or graph/views/, or a folder that the config gives the kind "tools", "skills" or "views"';
  return { path: [], message: `the node has no "@type"; ${advice}` };
}
