import type { ContentBlock } from '../../schemas/content-block.js';
import { type Declaration, generationKey } from '../../schemas/declaration.js';
import { callKey } from '../../schemas/invocation.js';
import type { Diagnostic } from '../diagnostic.js';
import type { CallOutcome } from '../invocation/outcome.js';
import type { Generation } from '../projection/generation.js';
import { fittingBeginning, jsonStringBytes, resultBytesLimit } from '../result-size.js';
import type { AnsweredCall, CallOptions, Service } from '../service.js';
import { toolIdIn } from '../store/node-iri.js';
import { outputListing } from './output-resource.js';

/** Which generation a result was made from (P17). */
export type GenerationMeta = { readonly [generationKey]: { readonly number: number; readonly digest: string } };

/** The generation that a call belongs to, and the id of its record: absent where nothing of it could be recorded. */
export type CallResultMeta = GenerationMeta & { readonly [callKey]?: string };

/**
 * The result of `tools/call`. An error's text is the JSON of `{code, message, details}` (DESIGN decision 8), and it never has
 * `structuredContent`; a Tool with an outputSchema gives the same value there and in the text (P6).
 */
export type ToolResult = {
  content: ContentBlock[];
  structuredContent?: { [name: string]: unknown };
  isError?: true;
  _meta: CallResultMeta;
};

/** What one resource is in a list. */
export interface ResourceListing {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: 'application/json' | 'text/plain';
  /** In bytes, where it does not change. */
  readonly size?: number;
}

/** What reading one resource gives. */
export interface ResourceText {
  readonly uri: string;
  readonly mimeType: 'application/json';
  readonly text: string;
}

/** A call of a name that this process has never served, or whose tier is internal. The glue answers JSON-RPC -32602 with `data.code`. */
export class UnknownToolError extends Error {
  override readonly name = 'UnknownToolError';
  readonly code = 'unknown_tool';

  constructor(tool: string) {
    super(`Unknown tool: ${tool}`);
  }
}

/**
 * One `tools/call`, from the name to the result (tool-node.md §4). Waits for the first generation; the call then belongs to the
 * generation that is current at that moment. `args` is `params.arguments`; left out, it counts as `{}`. It is recorded before this resolves.
 *
 * @throws UnknownToolError for a name that is unknown or internal. All else that is refused or fails is an `isError` result.
 */
export async function callTool(
  service: Pick<Service, 'ready' | 'current' | 'absence' | 'call' | 'refuse'>,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Promise<ToolResult> {
  const generation = service.current ?? (await service.ready);
  if (generation.entries.has(name)) {
    return toolResult(generation, await service.call(generation, name, args ?? {}, options));
  }
  const internal = generation.omissions.some((omission) => omission.name === name && omission.code === 'internal');
  const absence = internal ? undefined : service.absence(name);
  const refusal =
    absence === undefined
      ? ({ code: 'unknown_tool', message: `Unknown tool: ${name}` } as const)
      : { code: absence.code, message: absence.reason, iri: absence.iri };
  const answer = await service.refuse(generation, name, args ?? {}, refusal, options);
  if ('code' in answer.outcome && answer.outcome.code === 'unknown_tool') throw new UnknownToolError(name);
  return toolResult(generation, answer);
}

/** The same result in words for a client of a revision before 2025-06-18, which refuses a result that holds a `resource_link`. */
export function withLinksAsText(result: ToolResult): ToolResult {
  const content = result.content.map((block) =>
    block.type === 'resource_link' ? { type: 'text' as const, text: `${block.name}: ${block.uri}` } : block,
  );
  return { ...result, content };
}

/** The result of `tools/list`: one page, in the order of the generation (sorted by name). */
export function listTools(generation: Generation): { tools: Declaration[]; _meta: GenerationMeta } {
  return {
    tools: Array.from(generation.entries.values(), (entry) => entry.declaration),
    _meta: generationMeta(generation),
  };
}

/**
 * The result of `resources/list`: what the service knows of itself, whose URIs do not change while their contents do, then the outputs that
 * are kept, which are the other way round.
 */
export function buildResourcesList(service: Pick<Service, 'status' | 'outputs'>): ResourceListing[] {
  const { instance } = service.status();
  const own = Array.from(resources, ([uri, { name, says }]) => ({
    uri,
    name,
    description: `${says} (instance ${instance})`,
    mimeType: 'application/json' as const,
  }));
  return [...own, ...service.outputs.list().map(outputListing)];
}

/**
 * The contents of one resource; undefined for a URI that is none. Before the first generation the lists are empty, so
 * a caller that wants them awaits `service.ready` first.
 */
export function readResource(service: Pick<Service, 'current' | 'status'>, uri: string): ResourceText | undefined {
  const resource = resources.get(uri);
  if (resource === undefined) return undefined;
  return { uri, mimeType: 'application/json', text: JSON.stringify(resource.read(service), undefined, 2) };
}

/** What `toolgraph tools --json` prints, and the resources show in parts (tool-node.md §5). */
export interface GenerationReport {
  readonly generation: number | null;
  readonly digest: string | null;
  readonly tools: readonly Declaration[];
  readonly omissions: readonly { id: string; code: string; reason: string; document: string }[];
  readonly problems: readonly ProblemReport[];
}

export interface ProblemReport
  extends Pick<Diagnostic, 'code' | 'message' | 'document' | 'line' | 'column' | 'subject'> {
  readonly id?: string;
}

/** The stable JSON form of a generation; undefined is the time before the first one. */
export function reportGeneration(generation: Generation | undefined): GenerationReport {
  return {
    generation: generation?.number ?? null,
    digest: generation?.digest ?? null,
    tools: generation === undefined ? [] : listTools(generation).tools,
    omissions: (generation?.omissions ?? []).map(({ id, code, reason, document }) => ({ id, code, reason, document })),
    problems: (generation?.problems ?? []).map(reportProblem),
  };
}

function reportProblem({ code, message, document, line, column, subject }: Diagnostic): ProblemReport {
  const id = subject === undefined ? undefined : toolIdIn(subject);
  return {
    code,
    message,
    ...(document === undefined ? {} : { document }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(subject === undefined ? {} : { subject }),
    ...(id === undefined ? {} : { id }),
  };
}

interface Resource {
  readonly name: string;
  /** One sentence, without the full stop. */
  readonly says: string;
  readonly read: (service: Pick<Service, 'current' | 'status'>) => unknown;
}

const resources: ReadonlyMap<string, Resource> = new Map<string, Resource>([
  [
    'toolgraph://tools',
    {
      name: 'tools',
      says: 'The tools that are served now, as tools/list gives them',
      read: ({ current }) => pick(reportGeneration(current), 'tools'),
    },
  ],
  [
    'toolgraph://omissions',
    {
      name: 'omissions',
      says: 'The tools that are deliberately not served, each with the reason',
      read: ({ current }) => pick(reportGeneration(current), 'omissions'),
    },
  ],
  [
    'toolgraph://problems',
    {
      name: 'problems',
      says: 'What could not be determined, each with file, line and what to do',
      read: ({ current }) => pick(reportGeneration(current), 'problems'),
    },
  ],
  [
    'toolgraph://status',
    {
      name: 'status',
      says: 'State, generation and counts of the service',
      read: (service) => service.status(),
    },
  ],
]);

/** Without the generation's number, which `status` has: a subscriber is told of a new text, not of every generation. */
function pick(report: GenerationReport, list: 'tools' | 'omissions' | 'problems'): object {
  return { [list]: report[list] };
}

function toolResult(generation: Generation, { id, outcome, kept }: AnsweredCall): ToolResult {
  const links = kept === undefined ? [] : [{ type: 'resource_link' as const, ...outputListing(kept) }];
  const _meta = { ...generationMeta(generation), ...(id === undefined ? {} : { [callKey]: id }) };
  if (outcome.kind === 'ran') {
    const { text, content, structured } = outcome;
    return {
      content: [...(content ?? [{ type: 'text' as const, text }]), ...links],
      ...(structured === undefined ? {} : { structuredContent: structured }),
      _meta,
    };
  }
  const said = { type: 'text' as const, text: errorText(outcome) };
  return { content: [said, ...links], isError: true, _meta };
}

/** Details that do not fit into a result are left out, and then of a message its beginning is kept. */
function errorText({ code, message, details }: Exclude<CallOutcome, { kind: 'ran' }>): string {
  const text = JSON.stringify({ code, message, details });
  const bytes = jsonStringBytes(text);
  if (bytes <= resultBytesLimit) return text;
  const leftOut = `details of an error that takes ${bytes} bytes; at most ${resultBytesLimit} fit into a result`;
  return JSON.stringify({ code, message: fittingBeginning(message, longMessageBytes), details: { leftOut } });
}

/** Kept of the message of an error that does not fit. */
const longMessageBytes = 4096;

function generationMeta({ number, digest }: Generation): GenerationMeta {
  return { [generationKey]: { number, digest } };
}
