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
}

/** What `toolgraph contract` tells, with the lines that only the files know. */
export function contractReport(
  { tools, problems }: Contract,
  server: AskedServer,
  { allowWider, locate }: ReportOptions,
): ContractReport {
  const located = tools.map((tool): LocatedTool => {
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
