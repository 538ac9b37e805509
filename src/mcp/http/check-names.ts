import type { Context, MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { AllowList } from './allowed.js';
import { type Authority, parseAuthority, parseOrigin } from './authority.js';
import { socketOf } from './connection.js';
import { rpcCodes, rpcError } from './rpc-error.js';

/**
 * Refuses what a page of a foreign origin can send, by DNS rebinding too: a Host or an Origin that is not allowed is a 403, on every path; a Host
 * that is malformed or given twice is a 400 (RFC 9112 3.2). A request that no browser sent has no Origin, and is let through.
 */
export function checkNames(allowed: () => AllowList): MiddlewareHandler {
  return async (c, next) => {
    const fault = hostFault(c, allowed()) ?? pageFault(c, allowed());
    return fault ?? next();
  };
}

function hostFault(c: Context, allowed: AllowList): Response | undefined {
  const local = socketOf(c)?.localAddress;
  const host = hostOf(c);
  // A target in absolute form (RFC 9112 3.2.2) has a host of its own, which takes precedence over the header.
  const target = parseAuthority(/^https?:\/\/([^/?#]*)/.exec(c.req.url)?.[1] ?? '');
  if (host === undefined || target === undefined) {
    return refusal(400, 'the Host header is missing, malformed or given twice');
  }
  if (allowed.allowsHost(host, local) && allowed.allowsHost(target, local)) return undefined;
  return refusal(403, 'the Host header names no host of this service; http.allowedHosts of its config can add one');
}

function pageFault(c: Context, allowed: AllowList): Response | undefined {
  const stated = c.req.header('origin');
  if (stated === undefined) {
    // Browsers send no Origin with images, scripts and the like, but Fetch Metadata. A page that is opened can be read by its reader alone.
    const site = c.req.header('sec-fetch-site') ?? 'none';
    const isOwn = site === 'none' || site === 'same-origin' || c.req.header('sec-fetch-dest') === 'document';
    return isOwn
      ? undefined
      : refusal(403, 'a page of another site may use this service only in a request with its Origin');
  }
  const origin = parseOrigin(stated);
  const host = hostOf(c);
  if (origin !== undefined && host !== undefined && allowed.allowsOrigin(origin, host)) return undefined;
  return refusal(
    403,
    'pages of this origin may not use this service; http.allowedOrigins of its config lists those that may',
  );
}

function hostOf(c: Context): Authority | undefined {
  return parseAuthority(c.req.header('host') ?? '');
}

function refusal(status: 400 | 403, message: string): Response {
  return rpcError({ status, code: rpcCodes.refused, message });
}

/** Any header may be sent that is asked for, since tools name some (Mcp-Param-…); cookies are not used, so credentials are not allowed. */
const answerPages = cors({
  origin: (origin) => origin,
  allowMethods: ['GET', 'HEAD', 'POST', 'DELETE'],
  exposeHeaders: [
    ...['Mcp-Session-Id', 'Mcp-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'ETag'],
    ...['Toolgraph-Generation', 'Toolgraph-Digest'],
  ],
  maxAge: 600,
});

/**
 * Lets pages read the answers (CORS), and answers their preflight requests, which carry no token. Comes after `checkNames`, so that every origin
 * that is seen here is an allowed one.
 */
export function shareWithPages(): MiddlewareHandler {
  return (c, next) => (c.req.header('origin') === undefined ? next() : answerPages(c, next));
}
