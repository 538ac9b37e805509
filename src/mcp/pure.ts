import type { ContentBlock } from '../../schemas/content-block.js';
import type { Declaration } from '../../schemas/declaration.js';
import { callKey, leftBehindKey } from '../../schemas/invocation.js';
import { getStateToolName } from '../../schemas/view.js';
import { byCodeUnits } from '../code-units.js';
import type { LeftBehind } from '../invocation/left-behind.js';
import type { CallOutcome } from '../invocation/outcome.js';
import type { Generation } from '../projection/generation.js';
import { firstNotBefore } from '../projection/sorted.js';
import { fittingBeginning, jsonStringBytes, resultBytesLimit } from '../result-size.js';
import type { AnsweredCall, CallOptions, Service } from '../service.js';
import { type GenerationMeta, generationMeta } from './generation-meta.js';
import { buildGetStateTool, readState } from './resources/get-state-tool.js';
import { outputListing } from './resources/output-resource.js';
import { ResourceFailure, ResourceRequestError } from './resources/resource-text.js';
import type { AskedService } from './resources/view-resource.js';

/** The generation that a call belongs to, and the id of its record: absent where nothing of it could be recorded. */
export type CallResultMeta = GenerationMeta & { readonly [callKey]?: string; readonly [leftBehindKey]?: LeftBehind };

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
  service: Pick<Service, 'ready' | 'current' | 'absence' | 'call' | 'refuse'> & AskedService,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Promise<ToolResult> {
  const generation = service.current ?? (await service.ready);
  if (generation.entries.has(name)) {
    return toolResult(generation, await service.call(generation, name, args ?? {}, options));
  }
  if (name === getStateToolName && generation.getStateTool === true) {
    if (buildGetStateTool(generation) !== undefined) return stateResult(service, generation, args ?? {}, options);
    const refusal = { code: 'tool_unavailable', message: 'there is no view to read' } as const;
    return toolResult(generation, await service.refuse(generation, name, args ?? {}, refusal, options));
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

/** The first revision of MCP that has a kind of content. The others are in all. */
const firstRevision = new Map<ContentBlock['type'], string>([
  ['audio', '2025-03-26'],
  ['resource_link', '2025-06-18'],
]);

/** The same result for a client of a revision: it refuses all of a result with content that it does not know, which is said in words then. */
export function forRevision(result: ToolResult, revision: string): ToolResult {
  const content = result.content.map((block) =>
    revision < (firstRevision.get(block.type) ?? '') ? { type: 'text' as const, text: inWords(block) } : block,
  );
  return { ...result, content };
}

function inWords(block: ContentBlock): string {
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
  if (block.type !== 'audio') throw new Error(`every revision has ${block.type}`);
  return `audio (${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes), which this revision of MCP cannot carry`;
}

/** The result of `tools/list`: one page, sorted by name. */
export type ToolList = { tools: Declaration[]; _meta: GenerationMeta };

export function listTools(generation: Generation): ToolList {
  return { tools: withStateTool(generation), _meta: generationMeta(generation) };
}

function toolResult(generation: Generation, { id, outcome, kept, leftBehind }: AnsweredCall): ToolResult {
  const links = kept === undefined ? [] : [{ type: 'resource_link' as const, ...outputListing(kept) }];
  const _meta = {
    ...generationMeta(generation),
    ...(id === undefined ? {} : { [callKey]: id }),
    ...(leftBehind === undefined ? {} : { [leftBehindKey]: leftBehind }),
  };
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

function withStateTool(generation: Generation): Declaration[] {
  const tools = Array.from(generation.entries.values(), (entry) => entry.declaration);
  const own = buildGetStateTool(generation);
  if (own !== undefined)
    tools.splice(
      firstNotBefore(tools, ({ name }) => byCodeUnits(name, own.name) < 0),
      0,
      own,
    );
  return tools;
}

/** The text of a view, or why it cannot be had. It is no call of a Tool, so nothing of it is recorded. */
async function stateResult(
  service: AskedService,
  generation: Generation,
  args: unknown,
  { signal }: CallOptions,
): Promise<ToolResult> {
  try {
    const { text, _meta = generationMeta(generation) } = await readState(service, generation, args, signal);
    return { content: [{ type: 'text', text }], _meta };
  } catch (error) {
    if (!(error instanceof ResourceRequestError || error instanceof ResourceFailure)) throw error;
    const { code, message } = error;
    const text = JSON.stringify({ code, message, details: {} });
    return { content: [{ type: 'text', text }], isError: true, _meta: generationMeta(generation) };
  }
}
