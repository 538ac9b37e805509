import { type Authority, hostOfAddress, isLoopback, type Origin, parseAuthority, parseOrigin } from './authority.js';

/** As in the config. */
export interface AllowedNames {
  /** Names and addresses, each with a port or for every port. */
  readonly allowedHosts?: readonly string[];
  /** Origins as browsers write them. */
  readonly allowedOrigins?: readonly string[];
}

/** Which hosts a request may name, and from which origins a page may send one. */
export interface AllowList {
  /** `localAddress`: the one at which the connection arrived, as sockets give it. */
  allowsHost(host: Authority, localAddress: string | undefined): boolean;
  /** `host`: the one that the request names. */
  allowsOrigin(origin: Origin, host: Authority): boolean;
}

/**
 * Always allowed is the address at which a connection arrived, and with a loopback one every other loopback name that clients use: no name that
 * an attacker's DNS can point at this service is among them. Pages of loopback are allowed where the request itself names loopback, unless the
 * config states origins. Pure.
 */
export function createAllowList({ allowedHosts = [], allowedOrigins }: AllowedNames): AllowList {
  const hosts = allowedHosts.flatMap((text) => parseAuthority(text) ?? []);
  const origins = allowedOrigins?.flatMap((text) => parseOrigin(text) ?? []);
  return {
    allowsHost: (host, localAddress) =>
      isOwnHost(host.host, localAddress) || hosts.some((allowed) => fits(host, allowed)),
    allowsOrigin: (origin, host) => {
      if (origins !== undefined) return origins.some((allowed) => isSameOrigin(origin, allowed));
      return isWeb(origin.scheme) && isClientLoopback(origin.host) && isLoopback(host.host);
    },
  };
}

function isOwnHost(host: string, localAddress: string | undefined): boolean {
  const own = localAddress === undefined ? undefined : hostOfAddress(localAddress);
  if (own === undefined) return false;
  return host === own || (isLoopback(own) && isClientLoopback(host));
}

/** The three by which clients address a service of their own host. */
function isClientLoopback(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

/** A client leaves the port out where it is that of the scheme: https, where a proxy stands before the service. */
function fits(host: Authority, allowed: Authority): boolean {
  if (host.host !== allowed.host) return false;
  if (host.port === undefined) return allowed.port === undefined || allowed.port === 80 || allowed.port === 443;
  return allowed.port === undefined || allowed.port === host.port;
}

function isSameOrigin(a: Origin, b: Origin): boolean {
  return a.scheme === b.scheme && a.host === b.host && portOf(a) === portOf(b);
}

function portOf({ scheme, port }: Origin): number | undefined {
  if (port !== undefined) return port;
  return scheme === 'https' ? 443 : scheme === 'http' ? 80 : undefined;
}

function isWeb(scheme: string): boolean {
  return scheme === 'http' || scheme === 'https';
}
