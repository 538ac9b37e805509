import type { Invocation } from '../../../schemas/invocation.js';
import { nodeKey } from '../../projection/node-key.js';
import type { Service } from '../../service.js';
import { inline, page, table } from './markdown-text.js';
import { type ResourceDocument, ResourceRequestError } from './resource-text.js';

export type RecordingService = Pick<Service, 'recordedCalls' | 'nodes'>;

/** Records that are given when nobody says how many, and at most. */
const usualRecords = 100;
const mostRecords = 1000;

/** The last calls, newest first: all, or those of one Tool, by its id, IRI or MCP name. Calls of a Tool that is internal now are left out. */
export async function invocationResource(
  service: RecordingService,
  params: ReadonlyMap<string, string>,
): Promise<ResourceDocument> {
  const tool = params.get('tool');
  const limit = limitOf(params.get('limit'));
  const read = await service.recordedCalls({ limit, ...(tool === undefined ? {} : { tool }) });
  const internal = new Set(
    service.nodes.flatMap((node) => (node.tool.tier === 'internal' ? [nodeKey(node.iri, node)] : [])),
  );
  const invocations = (read?.records ?? []).filter(
    ({ iri, instance }) => iri === undefined || !internal.has(nodeKey(iri, instance === undefined ? {} : { instance })),
  );
  const dropped = read?.dropped === undefined ? {} : { dropped: read.dropped };
  return { json: { invocations, ...dropped }, markdown: () => invocationPage(invocations) };
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return usualRecords;
  const limit = /^[1-9]\d{0,3}$/.test(text) ? Number(text) : mostRecords + 1;
  if (limit > mostRecords) throw new ResourceRequestError(`limit: expected a whole number from 1 to ${mostRecords}`);
  return limit;
}

function invocationPage(invocations: readonly Invocation[]): string {
  const rows = invocations.map(({ started, tool, name, outcome, reason = '', by: { actor = '' }, id }) =>
    [started, tool ?? name, outcome ?? 'running', reason, actor, id].map(inline),
  );
  const heads = ['started', 'tool', 'outcome', 'reason', 'by', 'call'];
  return page('# Invocations', table(heads, rows, 'No call is recorded.'));
}
