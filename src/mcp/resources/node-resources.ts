import type { Tool } from '../../../schemas/tool.js';
import type { Diagnostic } from '../../diagnostic.js';
import { type Candidate, findTools } from '../../find-tool.js';
import type { Service } from '../../service.js';
import { skillIri, toolIri } from '../../store/node-iri.js';
import { propertyIri } from '../../store/vocabulary.js';
import { inline, page, points, table } from './markdown-text.js';
import type { ResourceDocument } from './resource-text.js';

/** What the resources of nodes are made of. */
export type KnownNodes = Pick<Service, 'current' | 'nodes' | 'skills' | 'instances'>;

/**
 * What is known of the Tools that have an id, or else an MCP name or an IRI: the node as the graph has it, and beside it, under `state`, what
 * became of it. Undefined where there is none that may be seen: internal Tools may not (P15).
 */
export function toolResource(service: KnownNodes, wanted: string): ResourceDocument | undefined {
  const found = visibleTools(service, wanted);
  const [first] = found;
  if (first === undefined) return undefined;
  const markdown = () => found.map((candidate) => toolPage(candidate)).join('\n');
  if (found.length === 1) return { json: toolJson(service, first), markdown };
  return { json: { '@graph': found.map((candidate) => toolJson(service, candidate)) }, markdown };
}

/** Ids of the Tools that may be seen, each once and sorted. */
export function visibleToolIds({ current, nodes }: Pick<KnownNodes, 'current' | 'nodes'>): string[] {
  const omitted = (current?.omissions ?? []).filter(({ code }) => code !== 'internal').map(({ id }) => id);
  const known = nodes.filter(({ tool }) => tool.tier !== 'internal').map(({ tool }) => tool.id);
  return [...new Set([...known, ...omitted, ...Array.from(current?.entries.values() ?? [], ({ id }) => id)])].sort();
}

/** A skill, by its name or IRI, with the Tools that satisfy it. One that only Tools name is there too. */
export function skillResource(service: KnownNodes, wanted: string): ResourceDocument | undefined {
  const skill = service.skills.find(({ name, iri }) => name === wanted || iri === wanted);
  const name = skill?.name ?? wanted;
  const satisfying = service.nodes.filter(
    ({ tool }) => tool.tier !== 'internal' && tool.satisfies.some((one) => one === name || one === skill?.iri),
  );
  if (skill === undefined && satisfying.length === 0) return undefined;
  const iri = skill?.iri ?? iriOfName(name, (base) => skillIri(base, name), baseOf(service, satisfying[0]?.instance));
  const tools = satisfying.flatMap((node) =>
    visibleTools(service, node.iri).map((candidate) => ({
      '@id': node.iri,
      id: node.tool.id,
      ...shortState(candidate),
    })),
  );
  const about = skill === undefined ? {} : { title: skill.title, description: skill.description };
  const rows = tools.map(({ id, state, reason = '' }) => [id, state, reason].map(inline));
  return {
    json: { '@id': iri, '@type': 'Skill', name, ...about, satisfiedBy: tools },
    context: { satisfiedBy: { '@reverse': propertyIri('satisfies') } },
    markdown: () =>
      page(
        `# ${inline(skill?.title ?? name)}`,
        skill?.description === undefined ? undefined : inline(skill.description),
        skill === undefined ? 'No document of the instance describes this skill; Tools name it.' : undefined,
        table(['tool', 'state', 'reason'], rows, 'No tool satisfies it.'),
      ),
  };
}

/** Names of the skills that are described, or that a Tool which may be seen names; each once and sorted. */
export function skillNames({ skills, nodes }: Pick<KnownNodes, 'skills' | 'nodes'>): string[] {
  const named = nodes.flatMap(({ tool }) => (tool.tier === 'internal' ? [] : tool.satisfies));
  return [...new Set([...skills.map(({ name }) => name), ...named])].sort();
}

function visibleTools({ current, nodes }: KnownNodes, wanted: string): Candidate[] {
  if (current === undefined) return [];
  return findTools(wanted, current, nodes).filter(
    ({ node, omission }) => node?.tool.tier !== 'internal' && omission?.code !== 'internal',
  );
}

function toolJson(service: KnownNodes, candidate: Candidate): Record<string, unknown> {
  const { iri, entry, omission, node, problems } = candidate;
  const tool = node?.tool ?? entry?.tool;
  const known = node ?? entry ?? omission;
  const base = baseOf(service, known?.instance);
  return {
    '@id': iri,
    ...(tool === undefined ? { id: candidate.id } : { '@type': 'Tool', ...inGraph(tool, base) }),
    state: {
      ...shortState(candidate),
      ...(known === undefined ? {} : { document: known.document }),
      ...(node === undefined ? {} : { pointer: node.pointer }),
      ...(node?.alsoIn === undefined ? {} : { alsoIn: node.alsoIn }),
      ...(entry === undefined ? {} : { arm: entry.binding.arm, declaration: entry.declaration }),
      ...(entry?.lastGood === undefined ? {} : { lastGood: true }),
      ...(problems.length === 0 ? {} : { problems: problems.map(shortProblem) }),
    },
  };
}

/** The keys of a node as the graph has them: references are IRIs. */
function inGraph({ satisfies, alternativeTo, remedies, ...rest }: Tool, base: string): Record<string, unknown> {
  const skill = (name: string) => iriOfName(name, (of) => skillIri(of, name), base);
  const tool = (name: string) => iriOfName(name, (of) => toolIri(of, name), base);
  return {
    ...rest,
    satisfies: satisfies.map(skill),
    ...(alternativeTo === undefined ? {} : { alternativeTo: alternativeTo.map(tool) }),
    ...(remedies === undefined
      ? {}
      : { remedies: remedies.map((one) => (one.tool === undefined ? one : { ...one, tool: tool(one.tool) })) }),
  };
}

function iriOfName(name: string, make: (base: string) => string, base: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(name) ? name : make(base);
}

/** The prefix of the IRIs of the instance that has this label; '' is the root. */
function baseOf({ instances }: Pick<KnownNodes, 'instances'>, label = ''): string {
  return instances.find((one) => one.label === label)?.config.base ?? '';
}

interface ShortState {
  readonly state: 'projected' | 'omitted' | 'problem';
  /** MCP name. */
  readonly name?: string;
  readonly code?: string;
  readonly reason?: string;
}

function shortState({ entry, omission, problems: [problem] }: Candidate): ShortState {
  const name = entry?.name ?? omission?.name;
  const named = name === undefined ? {} : { name };
  if (entry !== undefined) return { state: 'projected', ...named };
  if (omission !== undefined) return { state: 'omitted', ...named, code: omission.code, reason: omission.reason };
  return { state: 'problem', ...(problem === undefined ? {} : { code: problem.code, reason: problem.message }) };
}

function shortProblem({ code, message, document, line, column }: Diagnostic): object {
  return { code, message, document, line, column };
}

function toolPage(candidate: Candidate): string {
  const { id, entry, omission, node, problems } = candidate;
  const tool = node?.tool ?? entry?.tool;
  const { state, name, code, reason } = shortState(candidate);
  const document = (node ?? entry ?? omission)?.document;
  const ports = (tool?.io.inputs ?? []).map(({ name: input, required, description = '' }) =>
    [input, required === true ? 'required' : 'optional', description].map(inline),
  );
  return page(
    `# ${inline(tool?.title ?? id)}`,
    tool === undefined ? undefined : inline(tool.description),
    points([
      `id: ${inline(id)}`,
      `state: ${state}${name === undefined ? '' : ` as ${inline(name)}`}${code === undefined ? '' : `: ${inline(`${code}: ${reason}`)}`}`,
      ...(document === undefined ? [] : [`document: ${inline(document)}`]),
      ...(tool === undefined ? [] : [`tier: ${tool.tier}`, `satisfies: ${tool.satisfies.map(inline).join(', ')}`]),
    ]),
    tool === undefined ? undefined : table(['input', '', 'description'], ports, 'It takes no input.'),
    points(problems.map((found) => inline(`${found.code}: ${found.message}`))),
  );
}
