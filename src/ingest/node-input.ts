import { toolIdPattern } from '../../schemas/tool.js';
import { nearestName } from '../instance/nearest-name.js';
import { skillIri, toolIri } from '../store/node-iri.js';
import { classes, terms } from '../store/vocabulary.js';
import {
  type ContextFault,
  defaultContext,
  type NodeContext,
  resolveContext,
  resolveNested,
  schemePattern,
} from './context.js';
import type { Findings } from './findings.js';
import { outside } from './iri-claims.js';
import { fromPointer, toPointer } from './pointer.js';
import { type Prepared, prepareOther, prepareSkill, prepareTool } from './prepare.js';
import { checkSkill, checkTool, type ShapeIssue, shown } from './shape.js';
import type { SourceNode } from './source-nodes.js';

/** A node that is ready for expansion. */
export interface NodeInput {
  readonly pointer: string;
  readonly source: Readonly<Record<string, unknown>>;
  /** Its IRI, where the source tells. */
  readonly iri?: string;
  /** It states a Tool or a skill of our own form, of which a document holds one. */
  readonly isOwn: boolean;
  readonly jsonld: object;
}

/** A node that could not be determined; without IRI it could be any of the instance. */
export interface BrokenNode {
  readonly broken: string | undefined;
}

export interface NodeSite {
  readonly path: string;
  readonly base: string;
  readonly allowIris: readonly string[];
  readonly contexts: ReadonlyMap<string, unknown>;
  /** The role of a node without `@type`. */
  readonly defaultRole: 'tool' | 'skill' | undefined;
  readonly hasNestedContexts: boolean;
  readonly tinyNumbers: readonly string[];
}

/**
 * Checks one node on the source tree, where positions exist, and prepares it for expansion. What is wrong goes to
 * `findings`. A node whose context is not ours is checked only after it was expanded and lifted.
 */
export function readNode(node: SourceNode, site: NodeSite, findings: Findings): NodeInput | BrokenNode {
  const { context, faults } =
    node.contexts.length === 0 ? { context: defaultContext, faults: [] } : resolveContext(node.contexts, site);
  const role = context.isOurs ? roleOf(node.value, site, context) : { kind: 'other' as const };
  const identity = identify(node.value, role.kind, site, context);
  const place = { pointer: node.pointer, ...(identity.iri === undefined ? {} : { subject: identity.iri }) };
  const report = ({ path, message, atKey }: ShapeIssue): void => {
    const pointer = node.pointer + toPointer(path);
    findings.add('invalid-node', message, { ...place, pointer, ...(atKey ? { atKey } : {}) });
  };
  const before = findings.count;
  for (const { code, pointer, message } of faults) findings.add(code, message, { ...place, pointer });
  for (const issue of [...(role.issues ?? []), ...identity.issues, ...shapeIssues(node.value, role.kind, context)])
    report(issue);
  for (const pointer of lostNumbers(node, context, site)) {
    findings.add('invalid-node', 'so small a number would become 0 in the graph; write it as a string', {
      ...place,
      pointer,
    });
  }
  if (findings.count > before) return { broken: identity.iri };
  const prepared = prepare(node.value, role.kind, identity.iri, context, site.base);
  for (const issue of prepared.issues) report(issue);
  const nested: ContextFault[] = [];
  const body = site.hasNestedContexts ? resolveIn(prepared.node, node.pointer, site, nested) : prepared.node;
  for (const { code, pointer, message } of nested) findings.add(code, message, { ...place, pointer });
  if (findings.count > before) return { broken: identity.iri };
  return {
    pointer: node.pointer,
    source: node.value,
    ...(identity.iri === undefined ? {} : { iri: identity.iri }),
    isOwn: role.kind !== 'other',
    jsonld: { '@context': contextOf(context), ...body },
  };
}

type Role = 'tool' | 'skill' | 'other' | 'unstated';

/** jsonld keys its cache of processed contexts by what it gets; the bare IRI is the fastest form. */
function contextOf({ entries }: NodeContext): unknown {
  return entries.length === 1 ? entries[0] : entries;
}

function roleOf(
  value: Readonly<Record<string, unknown>>,
  site: NodeSite,
  context: NodeContext,
): { kind: Role; issues?: ShapeIssue[] } {
  const types = [value['@type']].flat().filter((type): type is string => typeof type === 'string');
  if (types.includes('Tool') || types.includes(classes.Tool)) return { kind: 'tool' };
  if (types.includes('Skill') || types.includes(classes.Skill)) return { kind: 'skill' };
  const unknown = types.find((type) => !Object.hasOwn(classes, type) && !type.includes(':') && !context.maps(type));
  if (unknown !== undefined) return { kind: 'other', issues: [unknownType(unknown)] };
  if (types.length > 0) return { kind: 'other' };
  if (site.defaultRole !== undefined) return { kind: site.defaultRole };
  return { kind: 'unstated', issues: [unstated(value)] };
}

function unknownType(type: string): ShapeIssue {
  const meant = nearestName(type, Object.keys(classes));
  const hint = meant === undefined ? 'write "Tool" or "Skill", or map it in the @context' : `did you mean "${meant}"?`;
  return { path: ['@type'], message: `unknown type ${shown(type)}; ${hint}` };
}

function unstated(value: Readonly<Record<string, unknown>>): ShapeIssue {
  if (Object.hasOwn(value, '$defs') || Object.hasOwn(value, '$id')) {
    const missing = Object.hasOwn(value, '$id') ? '$defs' : '$id';
    return { path: [], message: `a type document needs both "$id" and "$defs"; add "${missing}"` };
  }
  const advice =
    Object.hasOwn(value, 'invoke') && Object.hasOwn(value, 'io')
      ? 'this looks like a Tool: add "@type": "Tool"'
      : 'add "@type": "Tool" or "@type": "Skill"';
  return { path: [], message: `the node has no "@type"; ${advice}, or put the file into a folder of that kind` };
}

/** The IRI that a node claims, and what is wrong with the claim (tool-node.md §1, "IRIs"). */
function identify(
  value: Readonly<Record<string, unknown>>,
  role: Role,
  site: NodeSite,
  context: NodeContext,
): { iri?: string; issues: ShapeIssue[] } {
  const stated = value['@id'];
  const derived = derivedIri(value, role, site.base);
  const known = derived === undefined ? {} : { iri: derived };
  if (stated === undefined) return { ...known, issues: [] };
  if (typeof stated !== 'string')
    return { ...known, issues: role === 'other' ? [idIssue(`found ${shown(stated)}`)] : [] };
  if (stated.startsWith('_:') && role === 'other') return { issues: [] };
  if (!schemePattern.test(stated)) {
    // A term of a foreign context may stand for an IRI; jsonld tells.
    return context.isOurs ? { ...known, issues: [idIssue(`found the relative ${shown(stated)}`)] } : { issues: [] };
  }
  const allowed = site.allowIris.some((prefix) => stated.startsWith(prefix));
  if (role === 'other' || allowed || stated === derived) return { iri: stated, issues: [] };
  if (!stated.startsWith(site.base))
    return { ...known, issues: [{ path: ['@id'], message: outside(stated, site.base) }] };
  const expected = derived === undefined ? 'the IRI that belongs to its id' : `<${derived}>`;
  return { ...known, issues: [idIssue(`found <${stated}>; expected ${expected}, or leave @id out`)] };
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
  const isView = [value['@type']].flat().includes('View');
  return isView && typeof id === 'string' ? `${base}view/${encodeURIComponent(id)}` : undefined;
}

function shapeIssues(value: Readonly<Record<string, unknown>>, role: Role, context: NodeContext): ShapeIssue[] {
  if (role === 'tool') return checkTool(value, context);
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
  return prepareOther(value, iri);
}

function resolveIn(body: object, pointer: string, site: NodeSite, faults: ContextFault[]): object {
  const members = Object.entries(body).map(([key, value]): [string, unknown] => {
    if (jsonKeys.has(key)) return [key, value];
    const inside = { path: site.path, contexts: site.contexts, pointer: pointer + toPointer([key]) };
    return [key, resolveNested(value, inside, faults)];
  });
  return Object.fromEntries(members);
}

const jsonKeys = new Set(terms.filter(({ kind }) => kind === 'json').map(({ key }) => key));

/** Inside our JSON literals numbers are kept as they are. */
function lostNumbers(node: SourceNode, context: NodeContext, { tinyNumbers }: NodeSite): string[] {
  return tinyNumbers.filter((pointer) => {
    if (!pointer.startsWith(`${node.pointer}/`)) return false;
    return !context.isOurs || !fromPointer(pointer.slice(node.pointer.length)).some((step) => jsonKeys.has(step));
  });
}
