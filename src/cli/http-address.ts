import { isIPv6 } from 'node:net';
import { InvalidArgumentError } from 'commander';

/** What `--http` says of where to listen; what it leaves out the config may say. */
export interface StatedAddress {
  readonly host?: string;
  readonly port?: number;
}

/** Reads `PORT` or `HOST:PORT`, in which an IPv6 address stands in brackets. */
export function parseHttpAddress(value: string): StatedAddress {
  const [, bracketed, name, digits] = /^(?:(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):)?(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  const isWrong = digits === undefined || port > 65_535 || (bracketed !== undefined && !isIPv6(bracketed));
  if (isWrong)
    throw new InvalidArgumentError('Expected PORT or HOST:PORT, as 8080 or [::1]:8080; DIR stands before it.');
  const host = bracketed ?? name;
  return { port, ...(host === undefined ? {} : { host }) };
}

/** URL of a path at an address. */
export function httpUrl({ host, port }: { readonly host: string; readonly port: number }, path: string): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}${path}`;
}
