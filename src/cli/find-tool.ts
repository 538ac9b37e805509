import { nearestName } from '../nearest-name.js';
import type { Generation } from '../projection/generation.js';
import type { ToolNode } from '../projection/node.js';
import { toolIdIn } from '../store/node-iri.js';
import type { Candidate } from './explain.js';

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

/** Says that there is no such tool, and which id or name may have been meant. */
export function unknownToolMessage(wanted: string, generation: Generation, nodes: readonly ToolNode[]): string {
  const known = [...collect(generation, nodes).values()].flatMap(({ id, entry, omission }) => [
    id,
    entry?.name ?? omission?.name ?? id,
  ]);
  const nearest = nearestName(wanted, known);
  const hint = nearest === undefined ? '"toolgraph tools" lists those that are known' : `did you mean ${nearest}?`;
  return `unknown tool ${wanted}; ${hint}`;
}

function collect(generation: Generation, nodes: readonly ToolNode[]): Map<string, Candidate> {
  const found = new Map<string, Candidate>();
  const put = (iri: string, id: string, part: Partial<Candidate>): void => {
    found.set(iri, { id, iri, problems: [], ...found.get(iri), ...part });
  };
  for (const node of nodes) put(node.iri, node.tool.id, { node });
  for (const entry of generation.entries.values()) put(entry.iri, entry.id, { entry });
  for (const omission of generation.omissions) put(omission.iri, omission.id, { omission });
  for (const problem of generation.problems) {
    const iri = toolOf(problem.subject, found);
    if (iri === undefined) continue;
    const known = found.get(iri);
    put(iri, known?.id ?? toolIdIn(iri) ?? iri, { problems: [...(known?.problems ?? []), problem] });
  }
  return found;
}

/** The Tool that a finding's subject is or is a part of: `<base>tool/<id>/input/<name>` is a part of `<base>tool/<id>`. */
function toolOf(subject: string | undefined, known: ReadonlyMap<string, unknown>): string | undefined {
  for (let iri = subject ?? ''; iri !== ''; iri = iri.slice(0, Math.max(0, iri.lastIndexOf('/')))) {
    if (known.has(iri)) return iri;
  }
  return /^(?:.*?[/:#])?tool\/[^/#?]+/.exec(subject ?? '')?.[0];
}
