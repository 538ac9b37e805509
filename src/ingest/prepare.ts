import { AbsoluteIriSchema } from '../../schemas/fields.js';
import { shown } from '../../schemas/issue-words.js';
import { dotted } from '../../schemas/value-path.js';
import { skillIri, toolIri } from '../store/node-iri.js';
import type { NodeContext } from './context.js';
import type { ShapeIssue } from './shape.js';

/** A node as jsonld gets it, without its context. */
export interface Prepared {
  readonly node: Record<string, unknown>;
  readonly issues: readonly ShapeIssue[];
}

/** Values that are no names may hold a slash or a fragment, and would be relative IRIs. */
const bareNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Writes a Tool whose shape was checked in the one spelling, with absolute IRIs in place of bare names (tool-node.md §1).
 * The input is not changed. `iri` is the IRI of the node.
 */
export function prepareTool(
  node: Readonly<Record<string, unknown>>,
  iri: string,
  context: NodeContext,
  base: string,
): Prepared {
  const { node: out, issues } = prepareStatement(node, iri, context, base);
  return { node: { '@id': iri, '@type': node['@type'] ?? 'Tool', ...out }, issues };
}

/** Fields of a Tool that is at home in another document, written as `prepareTool` writes them; it gets no class here. */
export function prepareStatement(
  node: Readonly<Record<string, unknown>>,
  iri: string,
  context: NodeContext,
  base: string,
): Prepared {
  const out: Record<string, unknown> = { '@id': iri };
  const names = new Names(base);
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('@') || key === '$schema') continue;
    if (context.maps(key)) out[key] = value;
    else if (key === 'summary') out.description = value;
    else if (key === 'type') out.effect = value;
    else out[key] = names.resolve(key, value);
  }
  return { node: out, issues: names.issues };
}

/** A Skill node with its IRI; its fields stay as they are. */
export function prepareSkill(node: Readonly<Record<string, unknown>>, iri: string): Prepared {
  return prepareOther({ ...node, '@type': node['@type'] ?? 'Skill' }, iri);
}

/** A View node with its IRI; its fields stay as they are. */
export function prepareView(node: Readonly<Record<string, unknown>>, iri: string): Prepared {
  return prepareOther({ ...node, '@type': node['@type'] ?? 'View' }, iri);
}

/** A node that is neither Tool nor skill nor view: data, kept as its context maps it. Without IRI it becomes a blank node. */
export function prepareOther(node: Readonly<Record<string, unknown>>, iri: string | undefined): Prepared {
  const { $schema, '@context': context, ...rest } = node;
  return { node: iri === undefined ? rest : { ...rest, '@id': iri }, issues: [] };
}

/** Puts IRIs in place of the names of Tools and skills, in the keys that hold them. */
class Names {
  readonly issues: ShapeIssue[] = [];
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  resolve(key: string, value: unknown): unknown {
    switch (key) {
      case 'satisfies':
        return this.#each(value, (name, i) => this.#name(name, 'skill', [key, i]));
      case 'alternativeTo':
        return this.#each(value, (name, i) => this.#name(name, 'tool', [key, i]));
      case 'remedies':
        return this.#each(value, (remedy, i) => this.#member(remedy, 'tool', [key, i, 'tool']));
      case 'deprecated':
        return this.#member(value, 'replacedBy', [key, 'replacedBy']);
      default:
        return value;
    }
  }

  #each(value: unknown, change: (item: unknown, i: number) => unknown): unknown {
    return Array.isArray(value) ? value.map(change) : value;
  }

  #member(holder: unknown, key: string, path: readonly PropertyKey[]): unknown {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return holder;
    return { ...holder, [key]: this.#name((holder as Record<string, unknown>)[key], 'tool', path) };
  }

  #name(value: unknown, kind: 'tool' | 'skill', path: readonly PropertyKey[]): unknown {
    if (typeof value !== 'string') return value;
    if (bareNamePattern.test(value)) return kind === 'tool' ? toolIri(this.#base, value) : skillIri(this.#base, value);
    if (AbsoluteIriSchema.safeParse(value).success) return value;
    const what = kind === 'tool' ? 'the id of a Tool' : 'the name of a skill';
    this.issues.push({ path, message: `${dotted(path)}: expected ${what} or an absolute IRI, found ${shown(value)}` });
    return value;
  }
}
