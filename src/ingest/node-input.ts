import { shown } from '../../schemas/issue-words.js';
import { toolIdPattern } from '../../schemas/tool.js';
import { valueAt } from '../../schemas/value-path.js';
import { isJsonObject } from '../json-object.js';
import { fromPointer, toPointer } from '../json-pointer.js';
import { skillIri, toolIdIn, toolIri, viewIri } from '../store/node-iri.js';
import { type ContextFault, type NodeContext, type ResolvedContext, resolveNested, schemePattern } from './context.js';
import type { FolderRole } from './document-kind.js';
import type { Findings } from './findings.js';
import { outside } from './iri-claims.js';
import { expandedRole, foreignRole, type Role, roleOf } from './node-role.js';
import { type Prepared, prepareOther, prepareSkill, prepareStatement, prepareTool, prepareView } from './prepare.js';
import { checkSkill, checkStatement, checkTool, checkView, type ShapeIssue } from './shape.js';
import type { SourceNode } from './source-nodes.js';

/** A node that is ready for expansion. */
export interface NodeInput {
  readonly pointer: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** Its IRI, where the source tells. */
  readonly iri?: string;
  /** It states a Tool, a skill or a view of our own form, of which a document holds one. */
  readonly isOwn: boolean;
  /** Its shape was checked, and it holds no key but ours. */
  readonly isPlain: boolean;
  /** It is a Tool, and `isPlain`. */
  readonly isCheckedTool: boolean;
  /** A finding about it can be located: it is no port or list cell that stands at the top of an expanded document. */
  readonly isPlaced: boolean;
  /** Its context includes the bundled one. */
  readonly isOurs: boolean;
  /** What jsonld gets as its `@context`; the same array for nodes that share one. */
  readonly context: readonly unknown[];
  /** The node without its `@context`. */
  readonly body: object;
}

/** A node that could not be determined; without IRI it could be any of the instance. */
export interface BrokenNode {
  readonly broken: string | undefined;
}

export interface NodeSite {
  readonly path: string;
  readonly base: string;
  /** Prefixes outside `base` that may be described (`describablePrefixes`). */
  readonly allowIris: readonly string[];
  readonly contexts: ReadonlyMap<string, unknown>;
  /** It lies in a folder of the kind `export`. */
  readonly isExport?: boolean;
  /** The role of a node without `@type`. */
  readonly defaultRole: FolderRole | undefined;
  readonly hasNestedContexts: boolean;
  /** It has thousands of values. */
  readonly isLarge: boolean;
}

/**
 * Checks one node on the source tree, where positions exist, and prepares it for expansion. What is wrong goes to
 * `findings`; what is wrong with its context is told there only if `tellContext`, as nodes can share one. A node whose
 * context is not ours, or that is in expanded form, is checked only after it was expanded and lifted. `tinyNumbers` are the
 * pointers of numbers in it that could become 0.
 */
export function readNode(
  node: SourceNode,
  { context, faults }: ResolvedContext,
  site: NodeSite,
  findings: Findings,
  tellContext: boolean,
  tinyNumbers: readonly string[],
): NodeInput | BrokenNode {
  // A node whose context cannot be had is taken for what it would be in ours, so that its last good form is kept.
  const role = context.isOurs || faults.length > 0 ? roleOf(node.value, site.defaultRole, context) : foreignRole;
  const { iri, issues } = identify(node.value, role.kind, site, context);
  const known = iri === undefined ? {} : { iri };
  const report = (found: readonly NodeFault[]): boolean => {
    for (const { code, message, pointer, atKey } of found) {
      findings.add(code, message, {
        pointer,
        ...(atKey ? { atKey } : {}),
        ...(iri === undefined ? {} : { subject: iri }),
      });
    }
    return found.length > 0;
  };

  const shape = context.isOurs ? [...role.issues, ...shapeIssues(node.value, role.kind, context)] : [];
  const inSource = [
    ...(tellContext ? faults : []),
    // In a context that cannot be had, an IRI that is wrong may be one that is right.
    ...at(node, [...(context.isOurs || faults.length === 0 ? issues : []), ...shape]),
    ...lostNumbers(node, context, tinyNumbers),
  ];
  if (report(inSource) || faults.length > 0) return { broken: iri };
  const prepared = prepare(node.value, role.kind, iri, context, site.base);
  const nested = site.hasNestedContexts
    ? resolveNested(prepared.node, node.pointer, site, context.isJson)
    : { body: prepared.node, faults: [] };
  if (report([...at(node, prepared.issues), ...nested.faults])) return { broken: iri };
  const isPlain = context.isOurs && !context.hasInlineTerms && role.kind !== 'other';
  return {
    pointer: node.pointer,
    source: node.value,
    ...known,
    isOwn: role.kind === 'tool' || role.kind === 'skill' || role.kind === 'view',
    isPlain,
    isCheckedTool: isPlain && role.kind === 'tool',
    isPlaced: role !== expandedRole || Object.hasOwn(node.value, '@type') || toolIdIn(iri ?? '') !== undefined,
    isOurs: context.isOurs,
    context: context.entries,
    body: nested.body,
  };
}

/** A finding of this file, before it gets its place in the text. */
interface NodeFault {
  readonly code: ContextFault['code'];
  readonly pointer: string;
  readonly message: string;
  readonly atKey?: boolean;
}

function at({ pointer }: SourceNode, issues: readonly ShapeIssue[]): NodeFault[] {
  return issues.map(({ path, ...issue }) => ({ code: 'invalid-node', pointer: pointer + toPointer(path), ...issue }));
}

/** The IRI that a node claims, and what is wrong with the claim (tool-node.md §1, "IRIs"). */
function identify(
  value: Readonly<Record<string, unknown>>,
  role: Role,
  site: NodeSite,
  context: NodeContext,
): { iri?: string; issues: ShapeIssue[] } {
  const isData = role === 'other' || role === 'statement';
  const stated = isData ? value['@id'] : absolute(value['@id'], context.base);
  const derived = derivedIri(value, role, site.base);
  const known = derived === undefined ? {} : { iri: derived };
  if (stated === undefined) return { ...known, issues: [] };
  if (typeof stated !== 'string') return { ...known, issues: isData ? [idIssue(`found ${shown(stated)}`)] : [] };
  if (stated.startsWith('_:') && isData) return { issues: [] };
  if (!schemePattern.test(stated)) {
    // A term of a foreign context may stand for an IRI, and a base may make one of it; jsonld tells.
    return context.isOurs && context.base === undefined
      ? { ...known, issues: [idIssue(`found the relative ${shown(stated)}`)] }
      : { issues: [] };
  }
  const allowed = site.allowIris.some((prefix) => stated.startsWith(prefix));
  if (isData || allowed || stated === derived) return { iri: stated, issues: [] };
  if (!stated.startsWith(site.base))
    return { ...known, issues: [{ path: ['@id'], message: outside(stated, site.base) }] };
  const expected = derived === undefined ? 'the IRI that belongs to its id' : `<${derived}>`;
  return { ...known, issues: [idIssue(`found <${stated}>; expected ${expected}, or leave @id out`)] };
}

/** A relative `@id` of a Tool or skill is resolved against the document's own `@base`, where that is honoured. */
function absolute(stated: unknown, base: string | undefined): unknown {
  if (base === undefined || typeof stated !== 'string' || schemePattern.test(stated)) return stated;
  return URL.canParse(stated, base) ? new URL(stated, base).href : stated;
}

function idIssue(found: string): ShapeIssue {
  return { path: ['@id'], message: `@id: expected an absolute IRI of this instance, ${found}` };
}

function derivedIri(value: Readonly<Record<string, unknown>>, role: Role, base: string): string | undefined {
  const { id, name } = value;
  if (role === 'tool' || role === 'unstated') {
    return typeof id === 'string' && toolIdPattern.test(id) ? toolIri(base, id) : undefined;
  }
  if (role === 'skill') return typeof name === 'string' && name !== '' ? skillIri(base, name) : undefined;
  return role === 'view' && typeof id === 'string' && toolIdPattern.test(id) ? viewIri(base, id) : undefined;
}

function shapeIssues(value: Readonly<Record<string, unknown>>, role: Role, context: NodeContext): ShapeIssue[] {
  if (role === 'tool') return checkTool(value, context);
  if (role === 'statement') return checkStatement(value, context);
  if (role === 'view') return checkView(value, context);
  return role === 'skill' ? checkSkill(value, context) : [];
}

function prepare(
  value: Readonly<Record<string, unknown>>,
  role: Role,
  iri: string | undefined,
  context: NodeContext,
  base: string,
): Prepared {
  if (iri !== undefined && role === 'tool') return prepareTool(value, iri, context, base);
  if (iri !== undefined && role === 'skill') return prepareSkill(value, iri);
  if (iri !== undefined && role === 'view') return prepareView(value, iri);
  if (iri !== undefined && role === 'statement') return prepareStatement(value, iri, context, base);
  return prepareOther(value, iri);
}

/** Inside a JSON literal numbers are kept as they are. */
function lostNumbers(node: SourceNode, context: NodeContext, tinyNumbers: readonly string[]): NodeFault[] {
  const message = 'so small a number would become 0 in the graph; write it as a string';
  return tinyNumbers
    .filter((pointer) => !isInJson(node.value, fromPointer(pointer.slice(node.pointer.length)), context))
    .map((pointer) => ({ code: 'invalid-node', pointer, message }));
}

function isInJson(node: unknown, path: readonly string[], context: NodeContext): boolean {
  let holder = node;
  return path.some((step) => {
    if (context.isJson(step) || (step === '@value' && isJsonObject(holder) && holder['@type'] === '@json')) return true;
    holder = valueAt(holder, [step]);
    return false;
  });
}
