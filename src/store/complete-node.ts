import type { JsonSchema } from '../../schemas/declaration.js';
import { type WordedIssue, wordIssues } from '../../schemas/issue-words.js';
import { SkillSchema } from '../../schemas/skill.js';
import { type Tool, ToolDocumentSchema } from '../../schemas/tool.js';
import { NodeSchema } from '../../schemas/tool-rules.js';
import { type View, ViewSchema, viewRules } from '../../schemas/view.js';
import type { SkillNode, TypeNode } from '../projection/node.js';
import { foreignKind } from './foreign-vocabulary.js';
import type { Fault } from './node-fault.js';
import { bareName, decodedPart, localName, type NodeKind } from './node-iri.js';
import { terms } from './vocabulary.js';

/** A node as it was read out of the quads, by the keys of its source form. */
export type SourceNode = Readonly<Record<string, unknown>>;

/** Whether completing a node gave the reasons why it does not satisfy its schema. */
export function isFaults(result: unknown): result is readonly Fault[] {
  return Array.isArray(result);
}

/**
 * The Tool that was read at `iri`, or what is wrong with it: the last step of lifting, by the schema. `types` are its classes. One that
 * `isChecked` satisfied the schema as it stands in its document, where nothing can have been added to it.
 */
export function completeTool(
  node: SourceNode,
  base: string,
  iri: string,
  types: readonly string[],
  isChecked = false,
): Tool | readonly Fault[] {
  const { inputs = [], outputs = [], deprecated, id = nameInIri(base, 'tool', iri), ...rest } = node;
  const misnamed = nameFault(base, 'tool', iri, 'id', id);
  if (misnamed !== undefined) return [misnamed];
  const whole = {
    ...rest,
    io: { inputs, outputs },
    ...(deprecated === undefined ? {} : { deprecated: withBareReplacement(deprecated, base) }),
  };
  if (isChecked) return { tier: 'stable', ...whole, id } as Tool;
  // A Tool of a harness is foreign although its IRI lies under the base, where the base is the IRI of the harness's export.
  const foreign = !iri.startsWith(base) || types.some((type) => foreignKind(type) === 'tool');
  // A foreign id need not fit the pattern of our own ids: P1 makes a legal name of it.
  const document = {
    ...rest,
    id: foreign ? 'foreign' : id,
    io: { inputs, outputs },
    ...(deprecated === undefined ? {} : { deprecated: withBareReplacement(deprecated, base) }),
  };
  const parsed = NodeSchema.safeParse(document);
  if (!parsed.success) return wordIssues(parsed.error, ToolDocumentSchema, document).map(toFault);
  return { ...parsed.data, id: String(id) };
}

/** As `completeTool`, for a skill. */
export function completeSkill(
  node: SourceNode,
  base: string,
  iri: string,
  document: string,
): SkillNode | readonly Fault[] {
  const { name = nameInIri(base, 'skill', iri), ...rest } = node;
  const misnamed = nameFault(base, 'skill', iri, 'name', name);
  if (misnamed !== undefined) return [misnamed];
  const skill = { ...rest, name: iri.startsWith(base) ? name : 'foreign' };
  const parsed = SkillSchema.safeParse(skill);
  if (!parsed.success) return wordIssues(parsed.error, SkillSchema, skill).map(toFault);
  const { title, description } = parsed.data;
  return {
    iri,
    document,
    name: String(name),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

/** As `completeTool`, for a view. */
export function completeView(node: SourceNode, base: string, iri: string): View | readonly Fault[] {
  const { id = nameInIri(base, 'view', iri), ...rest } = node;
  const misnamed = nameFault(base, 'view', iri, 'id', id);
  if (misnamed !== undefined) return [misnamed];
  const document = { ...rest, id: iri.startsWith(base) ? id : 'foreign' };
  const parsed = ViewSchema.safeParse(document);
  if (!parsed.success) return wordIssues(parsed.error, ViewSchema, document).map(toFault);
  const broken = viewRules(parsed.data);
  if (broken.length > 0) return broken;
  const { title, description, tier = 'stable', query, parameters = [], uri, mediaType } = parsed.data;
  return {
    ...{ id: String(id), title, description, tier, query, parameters },
    ...(uri === undefined ? {} : { uri }),
    ...(mediaType === undefined ? {} : { mediaType }),
  };
}

/** As `completeTool`, for an entry of a type document. */
export function completeType({ jsonSchema }: SourceNode, iri: string, document: string): TypeNode | readonly Fault[] {
  if (typeof jsonSchema !== 'object' || jsonSchema === null || Array.isArray(jsonSchema)) {
    return [{ path: ['jsonSchema'], message: 'expected a JSON Schema object' }];
  }
  return { iri, document, schema: jsonSchema as JsonSchema };
}

/** `deprecated` is a JSON literal, so a reference in it is no IRI term of the graph. */
function withBareReplacement(deprecated: unknown, base: string): unknown {
  if (typeof deprecated !== 'object' || deprecated === null || !('replacedBy' in deprecated)) return deprecated;
  const { replacedBy } = deprecated;
  return typeof replacedBy === 'string'
    ? { ...deprecated, replacedBy: bareName(base, 'tool', replacedBy) }
    : deprecated;
}

/** The name that an IRI gives a node: ours is what follows `<base>tool/`; a foreign one is its `#tool/<id>`, or its last segment. */
function nameInIri(base: string, kind: NodeKind, iri: string): string | undefined {
  const bare = bareName(base, kind, iri);
  if (bare !== iri) return bare;
  if (iri.startsWith(base)) return undefined;
  const fragment = iri.lastIndexOf(`#${kind}/`);
  return decodedPart(fragment >= 0 ? iri.slice(fragment + kind.length + 2) : localName(iri)) || undefined;
}

/** Inside `base` the IRI and the name say the same, so that a reference by name finds the node; outside, any name is one. */
function nameFault(base: string, kind: NodeKind, iri: string, key: string, name: unknown): Fault | undefined {
  const length = kind === 'skill' ? 256 : 512;
  if (typeof name !== 'string' || name === '' || name.length > length) {
    return { path: [key], message: `expected a text of 1 to ${length} characters that names the ${kind}` };
  }
  if (!iri.startsWith(base) || bareName(base, kind, iri) === name) return undefined;
  return { path: [key], message: `"${name}" is not the name in its IRI; expected <${base}${kind}/${name}> as IRI` };
}

/** The place of an item of a set is not known, so a finding about one points to the set. */
const sets = new Set(terms.filter(({ many }) => many).map(({ key }) => key));

function toFault({ path, message, atKey }: WordedIssue): Fault {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
  if (sets.has(String(steps[0]))) return { path: steps.slice(0, 1), message };
  return { path: steps, message, ...(atKey === true ? { atKey } : {}) };
}
