import type { MiddlewareHandler } from 'hono';
import type { Config } from '../../../schemas/config.js';
import type { TokenState } from '../../store/access-token.js';
import { createAllowList } from './allowed.js';
import { checkNames, shareWithPages } from './check-names.js';
import { checkToken } from './check-token.js';
import { limitAddressRate, limitServiceRate } from './limit-rate.js';
import type { RequestRate } from './request-rate.js';
import { openHealth } from './web/health.js';

export interface GuardOptions {
  /** `http` of the config, as it is now. */
  readonly access: () => Config['http'];
  readonly token: () => TokenState;
}

/** As schemas/http-access.ts documents. */
const defaultPerSecond = 10_000;
const defaultPerSecondPerAddress = 500;

/** What every request has to pass before anything acts on it, in this order: whose page sent it, how fast, and with which token. */
export function guard({ access, token }: GuardOptions): MiddlewareHandler[] {
  let known = access();
  let allowed = createAllowList(known ?? {});
  const allowedNow = () => {
    const current = access();
    if (current !== known) {
      known = current;
      allowed = createAllowList(current ?? {});
    }
    return allowed;
  };
  return [
    checkNames(allowedNow),
    shareWithPages(),
    limitAddressRate(() => rateOf(access()?.requestsPerSecondPerAddress ?? defaultPerSecondPerAddress)),
    checkToken({ token, openAnswer: openHealth }),
    limitServiceRate(() => rateOf(access()?.requestsPerSecond ?? defaultPerSecond)),
  ];
}

function rateOf(perSecond: number): RequestRate {
  return { perSecond, burst: 2 * perSecond };
}
