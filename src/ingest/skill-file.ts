import { posix } from 'node:path';
import type { Quad } from '@rdfjs/types';
import type { ParsedNode } from 'yaml';
import { toPointer } from '../json-pointer.js';
import { skillIri } from '../store/node-iri.js';
import { Iri, LiteralTerm, QuadTerm } from '../store/rdf-terms.js';
import { classes, propertyIri, rdf } from '../store/vocabulary.js';
import { positionAt } from '../text-position.js';
import { defaultContext } from './context.js';
import type { Findings } from './findings.js';
import { checkSkill } from './shape.js';
import { yaml } from './yaml.js';
import { composeYaml } from './yaml-compose.js';

export interface SkillFileContent {
  readonly kind: 'skill' | 'prose';
  readonly quads: readonly Quad[];
  readonly pointers: ReadonlyMap<string, string>;
  readonly broken: readonly string[] | 'all';
}

const prose: SkillFileContent = { kind: 'prose', quads: [], pointers: new Map(), broken: [] };
const maxFrontMatter = 32 * 1024;
const maxDepth = 64;
const fields = ['name', 'title', 'description'] as const;

/**
 * Reads a `.md`: with `name` in its YAML front matter it is a skill, and a `SKILL.md` may take its folder's name
 * (tool-node.md §5). Any other is prose and has no findings. Other keys of the front matter are left alone.
 * `place` says where the file is: its path, and whether only skills are expected there.
 */
export function ingestSkillFile(
  text: string,
  place: { readonly path: string; readonly skillsFolder: boolean },
  iris: { readonly base: string; readonly graph: string },
  findings: Findings,
): SkillFileContent {
  const front = frontMatterOf(text);
  if (front === undefined) return prose;
  const isSkillFile = posix.basename(place.path) === 'SKILL.md';
  const meantAsSkill = place.skillsFolder || isSkillFile || /^name[ \t]*:/m.test(front);
  const parsed = parseFrontMatter(front);
  if ('message' in parsed) {
    if (!meantAsSkill) return prose;
    findings.add('unreadable', parsed.message, { position: positionAt(text, parsed.offset) });
    return { ...prose, kind: 'skill', broken: 'all' };
  }
  if (!parsed.values.has('name')) {
    if (!isSkillFile) return prose;
    parsed.values.set('name', posix.basename(posix.dirname(place.path)));
  }
  const skill = Object.fromEntries(parsed.values);
  const iri = typeof skill.name === 'string' ? skillIri(iris.base, skill.name) : undefined;
  const issues = checkSkill(skill, defaultContext);
  for (const { path, message } of issues) {
    const key = String(path[0] ?? 'name');
    const position = positionAt(text, parsed.offsets.get(key) ?? 0);
    findings.add('invalid-node', message, {
      pointer: toPointer(path),
      position,
      ...(iri === undefined ? {} : { subject: iri }),
    });
  }
  if (iri === undefined || issues.length > 0) {
    const nameIsWrong = iri === undefined || issues.some(({ path }) => path[0] === 'name');
    return { ...prose, kind: 'skill', broken: nameIsWrong ? 'all' : [iri] };
  }
  return { kind: 'skill', quads: skillQuads(skill, iri, iris.graph), pointers: new Map([[iri, '']]), broken: [] };
}

/** From the first `---` line up to the closing one, the opening line included so that lines count as in the file. */
function frontMatterOf(text: string): string | undefined {
  if (!/^---[ \t]*\r?\n/.test(text)) return undefined;
  const closing = /\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(text.slice(3));
  return closing === null ? undefined : text.slice(0, 3 + closing.index + 1);
}

type FrontMatter =
  | { readonly values: Map<string, unknown>; readonly offsets: ReadonlyMap<string, number> }
  | { readonly message: string; readonly offset: number };

/** Only the fields of a skill are taken, and of these only plain scalars: an alias is never followed. */
function parseFrontMatter(front: string): FrontMatter {
  if (front.length > maxFrontMatter) {
    return { message: `the front matter is longer than ${maxFrontMatter} characters; shorten it`, offset: 0 };
  }
  const composed = composeYaml(front, maxDepth);
  if ('reason' in composed) {
    return { message: 'the front matter is nested too deeply; make it flat', offset: composed.offset };
  }
  const { contents: root, errors } = composed.document;
  const [error] = errors;
  if (error !== undefined) {
    return { message: `the front matter is no YAML: ${oneLine(error.message)}; correct it here`, offset: error.pos[0] };
  }
  const { isMap, isScalar } = yaml();
  const values = new Map<string, unknown>();
  const offsets = new Map<string, number>();
  if (!isMap<ParsedNode, ParsedNode | null>(root)) return { values, offsets };
  for (const { key, value } of root.items) {
    const name = fields.find((field) => isScalar(key) && key.value === field);
    if (name === undefined) continue;
    if (values.has(name)) {
      return { message: `the key "${name}" is given twice in the front matter; remove one`, offset: key.range[0] };
    }
    values.set(name, isScalar(value) ? value.value : {});
    offsets.set(name, value?.range?.[0] ?? key.range[0]);
  }
  return { values, offsets };
}

function oneLine(message: string): string {
  return message.replaceAll(/\s+/g, ' ').slice(0, 200);
}

function skillQuads(skill: Readonly<Record<string, unknown>>, iri: string, graph: string): Quad[] {
  const subject = new Iri(iri);
  const document = new Iri(graph);
  const texts = fields.flatMap((field) => {
    const value = skill[field];
    return typeof value === 'string'
      ? [new QuadTerm(subject, new Iri(propertyIri(field)), new LiteralTerm(value), document)]
      : [];
  });
  return [new QuadTerm(subject, new Iri(rdf.type), new Iri(classes.Skill), document), ...texts];
}
