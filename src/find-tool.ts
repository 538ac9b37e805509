import type { Diagnostic } from './diagnostic.js';
import { nearestNames } from './nearest-name.js';
import type { Entry, Generation, Omission } from './projection/generation.js';
import type { ToolNode } from './projection/node.js';
import { nodeKey } from './projection/node-key.js';
import { toolIdIn, toolIriIn } from './store/node-iri.js';

/** One Tool, put together from where it occurs in a generation. */
export interface Candidate {
  readonly id: string;
  readonly iri: string;
  readonly entry?: Entry;
  readonly omission?: Omission;
  readonly node?: ToolNode;
  readonly problems: readonly Diagnostic[];
}

/**
 * The Tools that have this id; else those that have it as their MCP name or IRI. Two have the same id only where documents
 * describe IRIs outside the instance's base.
 */
export function findTools(wanted: string, generation: Generation, nodes: readonly ToolNode[]): Candidate[] {
  const candidates = [...collect(generation, nodes).values()];
  const byId = candidates.filter(({ id }) => id === wanted);
  if (byId.length > 0) return byId;
  return candidates.filter(
    ({ iri, entry, omission }) => iri === wanted || entry?.name === wanted || omission?.name === wanted,
  );
}

/** Says that there is no such tool, and which ids may have been meant. */
export function unknownToolMessage(wanted: string, generation: Generation, nodes: readonly ToolNode[]): string {
  const candidates = [...collect(generation, nodes).values()];
  const byName = new Map(
    candidates.flatMap(({ id, entry, omission }) => [
      [id, id] as const,
      [entry?.name ?? omission?.name ?? id, id] as const,
    ]),
  );
  // Half of an id is no slip of the fingers, and is found by what it is a part of.
  const partOf = candidates.map(({ id }) => id).filter((id) => wanted.length > 2 && id.includes(wanted));
  const near = nearestNames(wanted, byName.keys(), 3).map((name) => byName.get(name) ?? name);
  const meant = [...new Set([...near, ...partOf.sort()])].slice(0, 3);
  const hint =
    meant.length === 0 ? '"toolgraph tools" lists those that are known' : `did you mean ${meant.join(' or ')}?`;
  return [`unknown tool ${wanted}; ${hint}`, ...unreadHint(wanted, generation)].join('; ');
}

/** Of a document that could not be read nobody knows which Tools it holds. */
function unreadHint(wanted: string, { problems }: Generation): string[] {
  const unread = problems.flatMap(({ document, subject }) => (subject === undefined ? (document ?? []) : []));
  const document = unread.find((path) => path.includes(wanted)) ?? unread[0];
  return document === undefined ? [] : [`or it is in ${document}, which "toolgraph check" tells more of`];
}

/** Two instances that are served together may have the same base, and so the same IRIs. */
function collect(generation: Generation, nodes: readonly ToolNode[]): Map<string, Candidate> {
  const found = new Map<string, Candidate>();
  const put = (key: string, iri: string, id: string, part: Partial<Candidate>): void => {
    found.set(key, { id, iri, problems: [], ...found.get(key), ...part });
  };
  for (const node of nodes) put(nodeKey(node.iri, node), node.iri, node.tool.id, { node });
  for (const entry of generation.entries.values()) put(nodeKey(entry.iri, entry), entry.iri, entry.id, { entry });
  for (const omission of generation.omissions)
    put(nodeKey(omission.iri, omission), omission.iri, omission.id, { omission });
  for (const problem of generation.problems) {
    const iri = toolOf(problem, found);
    if (iri === undefined) continue;
    const key = nodeKey(iri, problem);
    const known = found.get(key);
    put(key, iri, known?.id ?? toolIdIn(iri) ?? iri, { problems: [...(known?.problems ?? []), problem] });
  }
  return found;
}

/** The Tool that a finding's subject is or is a part of: `<base>tool/<id>/input/<name>` is a part of `<base>tool/<id>`. */
function toolOf(problem: Diagnostic, known: ReadonlyMap<string, unknown>): string | undefined {
  const { subject = '' } = problem;
  for (let iri = subject; iri !== ''; iri = iri.slice(0, Math.max(0, iri.lastIndexOf('/')))) {
    if (known.has(nodeKey(iri, problem))) return iri;
  }
  return toolIriIn(subject);
}
