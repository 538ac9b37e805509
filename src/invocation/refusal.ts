import type { CallCounts } from './call-queue.js';
import type { CallOutcome } from './outcome.js';

/** A call that was refused before anything was started. */
export type Refusal = Extract<CallOutcome, { kind: 'refused' | 'failed' }> & { readonly kind: 'refused' };

/** What was cancelled while it waited, or was being checked. */
export const cancelledBeforeStart: Refusal = {
  kind: 'refused',
  code: 'cancelled',
  message: 'The call was cancelled before it started',
  details: {},
};

/** As many calls wait as may (X15). */
export function refuseBusy(name: string, ofTool: CallCounts, ofAll: CallCounts): Refusal {
  const message =
    `${name} is busy: ${ofTool.running} calls of it run and ${ofTool.waiting} wait; of all tools, ${ofAll.running} run and ` +
    `${ofAll.waiting} wait, and no more may. Try again when some have ended`;
  return { kind: 'refused', code: 'busy', message, details: { ofTool, ofAll } };
}

/** One thing that is wrong with the arguments of a call, or with its outputs. */
export interface Issue {
  /** JSON pointer (RFC 6901) into them; `''` is the whole. */
  readonly path: string;
  /** What was expected, to be read after the path. */
  readonly message: string;
}

const listedIssuesLimit = 50;
/** In UTF-16 code units: a path holds the keys of the value, and each issue has one. */
const pathLimit = 1000;

/** `invalid_params` with its issues in `details.issues`, the first one in the message. At least one is needed. */
export function refuseParams(issues: readonly Issue[]): Refusal {
  const { summary, details } = listIssues(issues, 'arguments');
  return { kind: 'refused', code: 'invalid_params', message: `Invalid arguments: ${summary}`, details };
}

/** `argument_too_large`, for arguments that would take too long to check. `issue` says which bound they pass, and what it is. */
export function refuseTooLarge(issue: Issue): Refusal {
  const { summary, details } = listIssues([issue], 'arguments');
  return { kind: 'refused', code: 'argument_too_large', message: `Too large to check: ${summary}`, details };
}

/** The first issue in words, and a bounded list of all. `whole` names what the path `''` is. */
export function listIssues(issues: readonly Issue[], whole: string) {
  const listed = issues.slice(0, listedIssuesLimit).map(withPathCut);
  const first = listed[0] ?? { path: '', message: 'are not valid' };
  const where = first.path === '' ? whole : first.path;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more in details)` : '';
  return {
    summary: `${where} ${first.message}${more}`,
    details: {
      issues: listed,
      ...(issues.length > listedIssuesLimit ? { unlisted: issues.length - listedIssuesLimit } : {}),
    },
  };
}

function withPathCut(issue: Issue): Issue {
  if (issue.path.length <= pathLimit) return issue;
  return { ...issue, path: `${issue.path.slice(0, pathLimit).toWellFormed()}…` };
}
