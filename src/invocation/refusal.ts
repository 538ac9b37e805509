import type { CallOutcome } from './outcome.js';

/** A call that was refused before anything was started. */
export type Refusal = Extract<CallOutcome, { kind: 'refused' | 'failed' }> & { readonly kind: 'refused' };

/** One thing that is wrong with the arguments of a call. */
export interface Issue {
  /** JSON pointer (RFC 6901) into the arguments; `''` is the whole. */
  readonly path: string;
  /** What was expected, to be read after the path. */
  readonly message: string;
}

const listedIssuesLimit = 50;

/** `invalid_params` with its issues in `details.issues`, the first one in the message. At least one is needed. */
export function refuseParams(issues: readonly Issue[]): Refusal {
  const first = issues[0] ?? { path: '', message: 'are not valid' };
  const where = first.path === '' ? 'arguments' : first.path;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more in details)` : '';
  return {
    kind: 'refused',
    code: 'invalid_params',
    message: `Invalid arguments: ${where} ${first.message}${more}`,
    details: {
      issues: issues.slice(0, listedIssuesLimit),
      ...(issues.length > listedIssuesLimit ? { unlisted: issues.length - listedIssuesLimit } : {}),
    },
  };
}
