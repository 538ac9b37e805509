import type { Declaration } from '../../schemas/declaration.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';
import { toolIdIn } from '../store/node-iri.js';

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
    tools: Array.from(generation?.entries.values() ?? [], (entry) => entry.declaration),
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
