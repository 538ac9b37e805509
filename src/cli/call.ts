import type { Command } from 'commander';
import type { ContentBlock } from '../../schemas/content-block.js';
import { errorMessage } from '../error-message.js';
import type { Generation } from '../projection/generation.js';
import type { Service } from '../service.js';
import { directoryArgument } from './arguments.js';
import { untilInterrupted } from './interruption.js';
import { outputOf } from './terminal.js';

/** As much as one request on the wire may have. */
const maxArgsBytes = 8 * 1024 * 1024;

export function addCall(program: Command): void {
  program
    .command('call')
    .summary('call one tool')
    .description(
      'Calls one tool and prints its output: of a tool with an outputSchema its outputs as JSON, or its one output where that is text. ' +
        'One image, or another output of bytes, goes into a pipe or a file as it is. ' +
        'A refused or failed call prints {code, message, details} on stderr.',
    )
    .argument('<ID>', 'id or MCP name of the tool')
    .addArgument(directoryArgument())
    .option('--args <json>', 'the arguments, a JSON object; "-" reads them from stdin', '{}')
    .action(call);
}

async function call(id: string, root: string, options: { args: string }, command: Command): Promise<void> {
  const args = parseArgs(options.args === '-' ? await readStdin(command) : options.args, command);
  const [{ readOnce }, { permitOwnCgroup }] = await Promise.all([
    import('./one-shot.js'),
    import('../invocation/left-behind.js'),
  ]);
  permitOwnCgroup();
  const outcome = await readOnce(root, {}, (generation, service) =>
    untilInterrupted((signal) => callById(service, generation, id, args, signal)),
  );
  await print(outcome);
}

/** `bytes` are all of the output, where that is an image or such and `text` only tells of it. */
type Outcome =
  | { readonly text: string; readonly bytes?: Uint8Array }
  | { readonly json: object }
  | { readonly refusal: unknown };

async function callById(
  service: Service,
  generation: Generation,
  id: string,
  args: object,
  signal: AbortSignal,
): Promise<Outcome> {
  const { findTools, unknownToolMessage } = await import('../find-tool.js');
  const { callTool, UnknownToolError } = await import('../mcp/pure.js');
  const { outputPrefix } = await import('../mcp/resources/output-resource.js');
  const { nodes } = service;
  const tool = findTools(id, generation, nodes)[0];
  const name = tool?.entry?.name ?? tool?.omission?.name;
  const problem = tool?.problems[0];
  if (name === undefined && problem !== undefined) {
    const refusal = {
      code: 'tool_unavailable',
      message: `${problem.code}: ${problem.message}`,
      iri: tool?.iri,
    } as const;
    const { outcome } = await service.refuse(generation, id, args, refusal, { signal });
    if (outcome.kind === 'ran') throw new Error('a refused call ran');
    const { code, message, details } = outcome;
    return { refusal: { code, message, details } };
  }
  try {
    const { isError, content, structuredContent } = await callTool(service, name ?? id, args, { signal });
    // What is kept of an output goes with this process.
    const lasting = content.filter((block) => block.type !== 'resource_link' || !block.uri.startsWith(outputPrefix));
    const text = lasting.map(blockText).join('\n');
    if (isError) return { refusal: JSON.parse(text) };
    if (structuredContent === undefined) {
      const bytes = lasting.length === 1 ? blockBytes(lasting[0]) : undefined;
      return { text, ...(bytes === undefined ? {} : { bytes }) };
    }
    const [value, ...others] = Object.values(structuredContent);
    return others.length === 0 && typeof value === 'string' ? { text: `${value}\n` } : { json: structuredContent };
  } catch (error) {
    if (!(error instanceof UnknownToolError)) throw error;
    const message = name === undefined ? unknownToolMessage(id, generation, nodes) : error.message;
    return { refusal: { code: error.code, message, details: {} } };
  }
}

/** A terminal shows text; of another block it is told what there is. */
function blockText(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[resource ${block.uri}]`;
  if (block.type !== 'resource')
    return `[${block.type} ${block.mimeType}, ${Buffer.byteLength(block.data, 'base64')} bytes]`;
  return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`;
}

/** The bytes of a block that is no text. */
function blockBytes(block: ContentBlock | undefined): Uint8Array | undefined {
  if (block?.type === 'image' || block?.type === 'audio') return Buffer.from(block.data, 'base64');
  return block?.type === 'resource' && 'blob' in block.resource
    ? Buffer.from(block.resource.blob, 'base64')
    : undefined;
}

/** Into a pipe the output goes as it is; a terminal must not act on what a tool prints. */
async function print(outcome: Outcome): Promise<void> {
  const [{ jsonText }, { visibleLines }] = await Promise.all([import('./print/plain.js'), import('../visible.js')]);
  if ('refusal' in outcome) {
    outputOf(process.stderr, process.env).lines([jsonText(outcome.refusal)]);
    process.exitCode ??= 1;
    return;
  }
  const stdout = outputOf(process.stdout, process.env);
  if ('json' in outcome) stdout.lines([jsonText(outcome.json)]);
  else if (stdout.terminal) stdout.lines([visibleLines(outcome.text)]);
  else stdout.raw(outcome.bytes ?? outcome.text);
}

function parseArgs(json: string, command: Command): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    command.error(`error: --args is not JSON: ${errorMessage(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    command.error('error: --args is not a JSON object');
  }
  return value;
}

async function readStdin(command: Command): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxArgsBytes) command.error(`error: --args has more than ${maxArgsBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
