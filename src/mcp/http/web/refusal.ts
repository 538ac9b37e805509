import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** Why a request has no answer, for whoever made it. */
export interface WebRefusal {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  /** One line, without a path of the host. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal in the form of that of a call: JSON of code, message and details (DESIGN decision 8). */
export function refuse(c: Context, { status, code, message, details = {}, headers = {} }: WebRefusal): Response {
  return c.json({ code, message, details }, status, { ...headers, 'Cache-Control': 'no-store' });
}

/** The answer to a method that a path does not have (RFC 9110 §15.5.6). */
export function refuseMethod(c: Context, allowed: readonly string[]): Response {
  return refuse(c, {
    status: 405,
    code: 'method_not_allowed',
    message: `${c.req.path} takes ${allowed.join(', ')}`,
    headers: { Allow: allowed.join(', ') },
  });
}
