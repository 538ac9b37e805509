import type { Json } from '../../schemas/declaration.js';
import { builtinTypesId } from '../../schemas/types.js';
import type { Place } from '../diagnostic.js';
import { escapeStep } from '../json-pointer.js';
import type { SkillNode, ToolNode, TypeNode } from '../projection/node.js';
import { droppedKeywords } from '../projection/schema-keywords.js';
import { typeName } from '../projection/type-reference.js';
import { nodePlace, skillPlace, typePlace } from './node-place.js';
import type { CheckedInstance } from './rule.js';

/** A text that a model reads: in the list of tools, or in a resource. */
export interface ReadText {
  readonly text: string;
  /** Of what it is, for the start of a message: `deploy: its description`. */
  readonly what: string;
  readonly place: Place;
}

/** Everything in an instance that a model reads. The built-in types are ours. */
export function* readTexts({ nodes, skills, members }: CheckedInstance): Generator<ReadText> {
  for (const node of nodes) yield* toolTexts(node);
  for (const skill of skills) yield* skillTexts(skill);
  for (const { types } of members.values()) {
    for (const type of types.values()) if (!type.iri.startsWith(`${builtinTypesId}#`)) yield* typeTexts(type);
  }
}

function* toolTexts(node: ToolNode): Generator<ReadText> {
  const { id, title, description, deprecated, selection = {}, io, requires = {}, when, invoke } = node.tool;
  const texts: (readonly [what: string, text: string | undefined, at: string])[] = [
    ['title', title, '/title'],
    ['description', description, '/description'],
    ['deprecated.reason', deprecated?.reason, '/deprecated/reason'],
    ...Object.entries(selection).map(([key, text]) => [`selection.${key}`, text, `/selection/${key}`] as const),
  ];
  for (const kind of ['inputs', 'outputs'] as const) {
    for (const [i, { name, description: text }] of io[kind].entries()) {
      texts.push([`description of the ${kind.slice(0, -1)} "${name}"`, text, `/io/${kind}/${i}/description`]);
    }
  }
  // The reason of an omission quotes these, in toolgraph://omissions.
  for (const key of ['os', 'runtime', 'env'] as const) {
    for (const [i, name] of (requires[key] ?? []).entries())
      texts.push([`requires.${key}`, name, `/requires/${key}/${i}`]);
  }
  for (const [i, path] of (when?.exists ?? []).entries()) texts.push(['when.exists', path, `/when/exists/${i}`]);
  for (const part of invoke.shell?.match(/^\S+|<[A-Za-z][^<>\n]*>/gu) ?? [])
    texts.push(['shell string', part, '/invoke/shell']);
  for (const [what, text, at] of texts) {
    if (text !== undefined) yield { text, what: `${id}: its ${what}`, place: nodePlace(node, at) };
  }
}

function* skillTexts(skill: SkillNode): Generator<ReadText> {
  for (const key of ['title', 'description'] as const) {
    const text = skill[key];
    if (text !== undefined) yield { text, what: `the skill ${skill.name}: its ${key}`, place: skillPlace(skill) };
  }
}

/** Every string of the schema, the names of properties among them; what is not projected is not read. */
function* typeTexts(type: TypeNode): Generator<ReadText> {
  const name = typeName(type.iri);
  for (const { text, at } of strings(type.schema, '')) {
    yield { text, what: `the type ${name}: its ${at.slice(1) || 'text'}`, place: typePlace(type, at) };
  }
}

interface SchemaText {
  readonly text: string;
  /** JSON pointer. */
  readonly at: string;
}

function* strings(value: Json, at: string): Generator<SchemaText> {
  if (typeof value === 'string') yield { text: value, at };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== '$defs' && key !== 'definitions' && (droppedKeywords.has(key) || key === '$ref')) continue;
    const place = `${at}/${escapeStep(key)}`;
    if (!Array.isArray(value)) yield { text: key, at: place };
    yield* strings(inner as Json, place);
  }
}
