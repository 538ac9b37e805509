import { createHash } from 'node:crypto';

const maxLength = 64;

/**
 * The MCP name of a Tool (P1): legal for any id, `^[A-Za-z][A-Za-z0-9_-]{0,63}$`. Two ids may share a name; that is a
 * `name-collision`. What is too long is cut and ends in 8 hex digits of the sha-256 of the uncut name.
 */
export function toolName(id: string, prefix?: string): string {
  const legal = id.replace(/[^A-Za-z0-9_]/gu, '_');
  const started = /^[A-Za-z]/.test(legal) ? legal : `t_${legal}`;
  const name = prefix === undefined ? started : `${prefix}_${started}`;
  if (name.length <= maxLength) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, maxLength - 9)}_${digest}`;
}
