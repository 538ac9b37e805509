import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { AllowList } from './allowed.js';
import { type Authority, parseAuthority, parseOrigin } from './authority.js';
import { socketOf } from './connection.js';
import { refuse } from './refusal.js';

/**
 * Refuses what a page of a foreign origin could send by DNS rebinding: a Host or an Origin that is not allowed is a 403, on every path; a Host that
 * is malformed or given twice is a 400 (RFC 9112 3.2). A request without Origin comes from no browser, and is let through.
 */
export function checkNames(allowed: AllowList): MiddlewareHandler {
  return async (c, next) => {
    const local = socketOf(c)?.localAddress;
    const host = parseAuthority(c.req.header('host') ?? '');
    // A target in absolute form (RFC 9112 3.2.2) has a host of its own, which takes precedence over the header.
    const target = targetOf(c);
    if (host === undefined || target === undefined)
      return refuse(c, 400, 'The Host header is missing, malformed or given twice');
    if (!allowed.allowsHost(host, local) || !allowed.allowsHost(target, local)) {
      return refuse(
        c,
        403,
        'The Host header names no host of this service; http.allowedHosts in its config lists those',
      );
    }
    const stated = c.req.header('origin');
    if (stated !== undefined) {
      const origin = parseOrigin(stated);
      if (origin === undefined || !allowed.allowsOrigin(origin, host)) {
        return refuse(
          c,
          403,
          'Pages of this origin may not use this service; http.allowedOrigins in its config lists those that may',
        );
      }
    }
    return next();
  };
}

function targetOf(c: Context): Authority | undefined {
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/.exec(c.req.url) ?? [];
  return parseAuthority(authority);
}

/** Any header may be sent that is asked for, since tools name some (Mcp-Param-…); cookies are not used, so credentials are not allowed. */
const answerPages = cors({
  origin: (origin) => origin,
  allowMethods: ['GET', 'HEAD', 'POST', 'DELETE'],
  exposeHeaders: ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'ETag'],
  maxAge: 600,
});

/**
 * Lets pages read the answers (CORS), and answers their preflight requests, which carry no token. Comes after `checkNames`, so that every origin
 * that is seen here is an allowed one.
 */
export function shareWithPages(): MiddlewareHandler {
  return (c, next) => (c.req.header('origin') === undefined ? next() : answerPages(c, next));
}
