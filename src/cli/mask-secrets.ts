import { masked, secretsIn } from '../check/secret-text.js';

/** The same data, in which the secrets that `source` holds literally are masked as `check` masks them, wherever they stand. Pure. */
export function maskSecrets<T>(data: T, source: unknown): T {
  // The longest first: one can be a part of another. A word of argv has lost the quote in front of it.
  const found = [...new Set(strings(source).flatMap((text) => secretsIn(text).map(({ text }) => unquoted(text))))];
  found.sort((a, b) => b.length - a.length);
  return found.length === 0 ? data : (replaced(data, found) as T);
}

function replaced(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return secrets.reduce((text, secret) => text.replaceAll(secret, masked(secret)), value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner, secrets)]));
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

function unquoted(secret: string): string {
  return secret.replace(/^["']/, '');
}
