/** A shorter text is no secret, and would be found in every other word. */
const shortestSecret = 4;

/**
 * A function that replaces, by `…`, what headers hold: a server may send back what it was sent. The value of each header is masked, what
 * follows the scheme in it (RFC 9110 11.4), the user and the password of `Basic` (RFC 7617), and each cookie's value (RFC 6265); written
 * plainly, percent-encoded, in JSON, or in base64 of either alphabet, alone or within a longer text.
 */
export function secretsMask(headers: readonly (readonly [string, string])[]): (text: string) => string {
  const secrets = headers.flatMap(([name, value]) => [value, ...partsOf(name.toLowerCase(), value)]);
  const forms = new Set(secrets.filter(isLongEnough).flatMap(formsOf).filter(isLongEnough));
  // What is part of a longer form must not break that one up.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((told, form) => told.replaceAll(form, '…'), text);
}

function isLongEnough(text: string): boolean {
  return text.length >= shortestSecret;
}

function partsOf(name: string, value: string): string[] {
  if (name === 'cookie') {
    return value.split(';').map((pair) =>
      pair
        .slice(pair.indexOf('=') + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
  }
  const [, scheme, credentials] = /^(\S+)\s+(.*)$/.exec(value) ?? [];
  if (scheme === undefined || credentials === undefined) return [];
  return [credentials, ...(scheme.toLowerCase() === 'basic' ? userAndPassword(credentials) : [])];
}

function userAndPassword(credentials: string): string[] {
  const both = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = both.indexOf(':');
  return colon === -1 ? [both] : [both, both.slice(0, colon), both.slice(colon + 1)];
}

function formsOf(secret: string): string[] {
  const percent = encodeURIComponent(secret.toWellFormed());
  const base64 = base64Within(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
    percent.replaceAll('%20', '+'),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    ...base64.map(encodeURIComponent),
  ];
}

/**
 * The secret alone in base64, and the characters that it alone decides where 0, 1 or 2 bytes of a group of three stand before it: base64
 * (RFC 4648 4) writes 6 bits a character.
 */
function base64Within(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const within = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), ...within];
}
