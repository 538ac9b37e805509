import { timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { type TokenState, tokenDigest } from '../../store/access-token.js';
import { rpcCodes, rpcError } from './rpc-error.js';

export interface TokenOptions {
  /** As it is now. `none`: every request is let through. */
  readonly token: () => TokenState;
  /** Answers what may be known without a token, to a request that carries no credentials. */
  readonly openAnswer?: (c: Context) => Response | undefined;
}

const challenge = 'Bearer realm="toolgraph"';
const howTo = 'send the token of this service in the header Authorization, as "Bearer TOKEN"';

/**
 * Lets a request through that carries the token of the service in its Authorization header (RFC 6750 2.1). One in the query or the body is not
 * looked at: addresses end up in logs. Digests are compared, in constant time.
 */
export function checkToken({ token, openAnswer }: TokenOptions): MiddlewareHandler {
  return async (c, next) => {
    const expected = token();
    if (expected.kind === 'none') return next();
    const header = c.req.header('authorization');
    // RFC 6750 3.1: no error code for a request that did not try to authenticate.
    if (header === undefined || !/^Bearer(?: |$)/i.test(header)) {
      return openAnswer?.(c) ?? refusal(401, challenge, `this service requires a token: ${howTo}`);
    }
    const presented = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
    if (presented === undefined) {
      const message = `the Authorization header is malformed or given twice: ${howTo}`;
      return refusal(400, `${challenge}, error="invalid_request"`, message);
    }
    if (expected.kind !== 'set' || !timingSafeEqual(tokenDigest(presented), expected.digest)) {
      return refusal(401, `${challenge}, error="invalid_token"`, 'this is not the token of this service, or no longer');
    }
    return next();
  };
}

function refusal(status: 400 | 401, wwwAuthenticate: string, message: string): Response {
  return rpcError({ status, code: rpcCodes.refused, message, headers: { 'www-authenticate': wwwAuthenticate } });
}
