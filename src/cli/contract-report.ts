import type { Json } from '../../schemas/declaration.js';
import type { Contract, ToolContract } from '../check/contract/contract.js';
import type { Drift } from '../check/contract/finding.js';
import type { Diagnostic, Place } from '../diagnostic.js';
import type { ServerListing } from '../mcp/server-list.js';

/** The server that was asked, in words that hold no secret: the first word of the command, or the URL. */
export interface AskedServer {
  readonly asked: string;
  readonly listing?: Pick<ServerListing, 'name' | 'version' | 'protocol' | 'faults'>;
  /** Why there is no list, and the end of what the server wrote to stderr. */
  readonly error?: string;
  readonly stderr?: string;
}

export interface LocatedDrift extends Drift {
  readonly document?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface LocatedTool extends Omit<ToolContract, 'drift'> {
  readonly line?: number;
  readonly column?: number;
  readonly drift: readonly LocatedDrift[];
}

export interface ContractReport {
  /** Nothing drifts that counts, and all could be checked. */
  readonly ok: boolean;
  readonly server: AskedServer;
  readonly counts: Readonly<Record<ToolContract['state'], number>>;
  readonly tools: readonly LocatedTool[];
  readonly problems: readonly Diagnostic[];
}

export interface ReportOptions {
  /** What the server accepts beyond the nodes is told and does not count. */
  readonly allowWider: boolean;
  readonly locate: (place: Place) => { readonly line: number; readonly column: number } | undefined;
  /** Takes out of a text of the server what must not be told, and what is too long to be. */
  readonly mask: (text: string) => string;
}

/** What `toolgraph contract` tells, with the lines that only the files know. */
export function contractReport(
  { tools, problems }: Contract,
  asked: AskedServer,
  { allowWider, locate, mask }: ReportOptions,
): ContractReport {
  const server = maskedServer(asked, mask);
  const located = tools.map((compared): LocatedTool => {
    const tool = maskedTool(compared, mask);
    const { document, pointer } = tool;
    return {
      ...tool,
      ...locate({ document, pointer }),
      drift: tool.drift.map((drift) => {
        const place = { document, pointer: drift.nodePointer ?? pointer };
        return {
          ...drift,
          ...(document === undefined ? {} : { document, ...(locate(place) ?? locate({ document, pointer })) }),
        };
      }),
    };
  });
  const counts = { agrees: 0, drift: 0, absent: 0, unchecked: 0 };
  for (const { state } of tools) counts[state] += 1;
  const counting = tools.flatMap(({ drift }) => drift).filter(({ severity }) => severity === 'error' || !allowWider);
  const isWhole = problems.length === 0 && tools.every(({ unchecked }) => unchecked.length === 0);
  const isListed = server.error === undefined && (server.listing?.faults.length ?? 0) === 0;
  return { ok: counting.length === 0 && isWhole && isListed, server, counts, tools: located, problems };
}

function maskedServer({ listing, error, ...asked }: AskedServer, mask: (text: string) => string): AskedServer {
  const server = { ...asked, ...(error === undefined ? {} : { error: mask(error) }) };
  if (listing === undefined) return server;
  const { name, version, protocol, faults } = listing;
  return {
    ...server,
    listing: { name: mask(name), version: mask(version), protocol: mask(protocol), faults: faults.map(mask) },
  };
}

/** What the nodes say is no secret of a header: only what the server has a hand in is masked. */
function maskedTool({ name, drift, unchecked, ...tool }: ToolContract, mask: (text: string) => string): ToolContract {
  return {
    ...tool,
    ...(name === undefined ? {} : { name: tool.id === undefined ? mask(name) : name }),
    drift: drift.map(({ serverPointer, example, ...one }) => ({
      ...one,
      message: mask(one.message),
      ...(serverPointer === undefined ? {} : { serverPointer: mask(serverPointer) }),
      ...(example === undefined ? {} : { example: maskedJson(example, mask) }),
    })),
    unchecked: unchecked.map(({ pointer, ...one }) => ({
      ...one,
      message: mask(one.message),
      ...(pointer === undefined ? {} : { pointer: mask(pointer) }),
    })),
  };
}

function maskedJson(value: Json, mask: (text: string) => string): Json {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskedJson(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskedJson(item, mask)]));
}
