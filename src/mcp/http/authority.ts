import { isIPv4, isIPv6 } from 'node:net';

/** A host and its port, as a Host header and an origin name them. */
export interface Authority {
  /** A name in lower case, an IPv4 address, or an IPv6 address in brackets in its shortest form. */
  readonly host: string;
  readonly port: number | undefined;
}

export interface Origin extends Authority {
  /** In lower case, without the colon. */
  readonly scheme: string;
}

const authorityForm = /^(?<host>\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::(?<port>[0-9]{0,5}))?$/;
const originForm = /^(?<scheme>[a-z][a-z0-9+.-]{0,31}):\/\/(?<authority>.+)$/;

/**
 * The value of a Host header (RFC 9110 7.2); undefined when it is malformed: a user, a path, a list of several values, a zone, a space. Nothing
 * is interpreted: `127.1`, which browsers send as 127.0.0.1, and `localhost.` are names of their own.
 */
export function parseAuthority(text: string): Authority | undefined {
  const { host, port = '' } = authorityForm.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535) return undefined;
  const canonical = host.startsWith('[') ? shortestIPv6(host.slice(1, -1)) : host.toLowerCase();
  return canonical === undefined ? undefined : { host: canonical, port: port === '' ? undefined : Number(port) };
}

/**
 * An origin as browsers write it (RFC 6454 6.2): scheme, host and port, in lower case. Undefined for all else, `null` and a path among it.
 */
export function parseOrigin(text: string): Origin | undefined {
  const { scheme, authority } = originForm.exec(text)?.groups ?? {};
  if (scheme === undefined || authority === undefined || authority !== authority.toLowerCase()) return undefined;
  const parsed = parseAuthority(authority);
  return parsed === undefined ? undefined : { scheme, ...parsed };
}

/** The host of an address as sockets give it; of an IPv4 address in an IPv6 one (RFC 4291 2.5.5.2), that of the IPv4 address. */
export function hostOfAddress(address: string): string | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return plain;
  return shortestIPv6(plain.replace(/%.*$/, ''));
}

/** `localhost`, 127.0.0.0/8 or [::1]: what only processes of this host reach. Other names are none, whatever they resolve to. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}

function shortestIPv6(address: string): string | undefined {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname : undefined;
}
