import { z } from 'zod';

const port = '(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?';
const host = `(?:\\[[0-9a-f:.]{2,45}\\]|[a-z0-9._-]{1,253})${port}`;
const ipv6 = z.ipv6();

function hasValidAddress(text: string): boolean {
  const inBrackets = /\[(.*)\]/.exec(text)?.[1];
  return inBrackets === undefined || ipv6.safeParse(inBrackets).success;
}

const HostSchema = z
  .string()
  .regex(
    new RegExp(`^${host}$`),
    'expected a name or an address in lower case, with or without a port: mcp.example.org:8443',
  )
  .refine(hasValidAddress, 'expected an IPv6 address between the brackets');

const OriginSchema = z
  .string()
  .regex(
    new RegExp(`^[a-z][a-z0-9+.-]{0,31}://${host}$`),
    'expected an origin as browsers send it, in lower case and without a path: https://app.example.org',
  )
  .refine(hasValidAddress, 'expected an IPv6 address between the brackets');

const RequestsPerSecond = z.int().min(1).max(1_000_000).optional();

/** Members of `http` in the config: whose requests are answered, and how many (docs/security.md). */
export const httpAccess = {
  allowedHosts: z
    .array(HostSchema)
    .max(100)
    .optional()
    .meta({
      description:
        'Names and addresses that a request may name in its Host header, besides the address at which it arrives and, on loopback, localhost, 127.0.0.1 and [::1]. Without a port every port fits (docs/security.md)',
      default: [],
      examples: [['mcp.example.org']],
    }),
  allowedOrigins: z
    .array(OriginSchema)
    .max(100)
    .optional()
    .meta({
      description:
        'Origins of web pages that may use the service, and no others. Default: http and https pages of localhost, 127.0.0.1 and [::1], where the request names one of these hosts too',
      examples: [['https://app.example.org']],
    }),
  requestsPerSecond: RequestsPerSecond.meta({
    description:
      'Requests of all clients together, each second and twice as many at once. What comes then is refused with 429',
    default: 10_000,
    examples: [500],
  }),
  requestsPerSecondPerAddress: RequestsPerSecond.meta({
    description:
      'Requests of one remote address, each second and twice as many at once; of IPv6 its first 64 bits count. Not for loopback, which all clients of the host share',
    default: 500,
    examples: [50],
  }),
};
