import type { Declaration } from '../../schemas/declaration.js';
import type { Diagnostic } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';
import { toolIdIn } from '../store/node-iri.js';

/** What the resources show in parts (tool-node.md §5). */
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

/** What `toolgraph tools --json` prints and `/tools.json` is: with the views, where there are any. */
export function reportServed(generation: Generation) {
  return {
    ...reportGeneration(generation),
    ...(generation.views.size === 0 ? {} : { views: reportViews(generation) }),
  };
}

/** The stable JSON form of the views that are served. */
function reportViews({ views }: Generation) {
  return Array.from(views.values(), ({ id, title, description, tier, form, parameters }) => ({
    ...{ id, title, description, tier, form },
    parameters: parameters.map(({ name, schema, required }) => ({ name, schema, required: required === true })),
  }));
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
