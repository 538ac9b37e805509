import { posix } from 'node:path';
import type { z } from 'zod';
import { type Config, ConfigSchema } from '../../schemas/config.js';
import { knownKeys } from '../../schemas/known-keys.js';
import { reservedKeys } from '../../schemas/tool.js';
import { toPointer } from '../json-pointer.js';
import { nearestName } from '../nearest-name.js';
import { isInFolder } from './containment.js';

/** Something wrong in a config, at a JSON pointer (RFC 6901). */
export interface Finding {
  readonly pointer: string;
  readonly message: string;
  /** What is wrong is the key that the pointer ends in, not its value. */
  readonly ofKey?: boolean;
}

/** Everything wrong in a config: what the schema says, then the rules that span several fields. Pure. */
export function configFindings(value: unknown, parsed: z.ZodSafeParseResult<Config>): Finding[] {
  const unfit = unfitTextFindings(value, []);
  if (!parsed.success) return [...unfit, ...parsed.error.issues.flatMap(schemaFindings)];
  return [...unfit, ...folderFindings(parsed.data.folders ?? []), ...ignoreFindings(parsed.data.ignore ?? [])];
}

export function repeatedKeyFinding(pointer: string, key: string): Finding {
  return { pointer, message: `the key "${key}" is given twice; keep one`, ofKey: true };
}

/** The one form of a path in the instance: no `./`, no doubled or final `/`. */
export function instancePath(path: string): string {
  return posix.normalize(path).replace(/\/+$/, '');
}

/**
 * Zod leaves `__proto__` out of a record without a word, and takes half a surrogate pair, which no IRI, path or digest can have.
 * So both are looked for in the parsed JSON.
 */
function unfitTextFindings(value: unknown, path: readonly (string | number)[]): Finding[] {
  if (typeof value === 'string')
    return halfPair.test(value) ? [{ pointer: toPointer(path), message: halfPairMessage }] : [];
  // The schema is 4 levels deep; anything deeper is refused by it, and is not followed here.
  if (typeof value !== 'object' || value === null || path.length > 8) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const pointer = toPointer([...path, key]);
    return [
      ...(reservedKeys.has(key) ? [{ pointer, message: `the key "${key}" is reserved`, ofKey: true }] : []),
      ...(halfPair.test(key) ? [{ pointer, message: halfPairMessage, ofKey: true }] : []),
      ...unfitTextFindings(inner, [...path, key]),
    ];
  });
}

const halfPair = /\p{Surrogate}/u;
const halfPairMessage = 'half a surrogate pair is no character; write the whole pair';

function schemaFindings(issue: z.core.$ZodIssue): Finding[] {
  if (issue.code === 'invalid_union') return unionFindings(issue);
  if (issue.code !== 'unrecognized_keys') {
    const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
    return [{ pointer: toPointer(issue.path), message: `${where}${issue.message}` }];
  }
  return issue.keys
    .filter((key) => !reservedKeys.has(key))
    .map((key) => {
      const known = knownKeys(ConfigSchema, issue.path);
      const meant = nearestName(key, known);
      const advice =
        meant === undefined ? `expected one of ${[...known].sort().join(', ')}` : `did you mean "${meant}"?`;
      return { pointer: toPointer([...issue.path, key]), message: `unknown key "${key}"; ${advice}`, ofKey: true };
    });
}

/** What the one alternative says that is of the kind of the value; where none or several are, only what was expected. */
function unionFindings({ errors, path, message }: z.core.$ZodIssueInvalidUnion): Finding[] {
  const without = (...codes: readonly z.core.$ZodIssue['code'][]) =>
    errors.filter((issues) => !issues.some((issue) => codes.includes(issue.code) && issue.path.length === 0));
  // Another value of an enum may be of the right type, and an object never is.
  const [meant] = [without('invalid_type', 'invalid_value'), without('invalid_type')].find(isOne) ?? [];
  if (meant !== undefined) {
    return meant.flatMap((issue) => schemaFindings({ ...issue, path: [...path, ...issue.path] }));
  }
  const types = errors.flatMap(([issue]) => (issue?.code === 'invalid_type' ? issue.expected : []));
  const words = types.length < 2 ? message : `expected ${types.join(' or ')}`;
  return [{ pointer: toPointer(path), message: `${path.map(String).join('.')}: ${words}` }];
}

function isOne(alternatives: readonly unknown[]): boolean {
  return alternatives.length === 1;
}

function folderFindings(folders: NonNullable<Config['folders']>): Finding[] {
  const found: Finding[] = [];
  const paths = folders.map((folder) => instancePath(folder.path));
  for (const [i, path] of paths.entries()) {
    const earlier = paths.slice(0, i).find((other) => isInFolder(other, path) || isInFolder(path, other));
    if (earlier === undefined) continue;
    const message = `folders: "${path}" and "${earlier}" overlap; a file may belong to one folder only`;
    found.push({ pointer: `/folders/${i}/path`, message });
  }
  return found;
}

/** A glob would match nothing and say nothing, so it is refused. */
function ignoreFindings(ignore: readonly string[]): Finding[] {
  return ignore.flatMap((path, i) => {
    if (path !== '' && !path.startsWith('/') && !/[*?]/.test(path)) return [];
    const message = `ignore: "${path}" is not a path in the instance; expected a file or a folder, such as graph/drafts`;
    return [{ pointer: `/ignore/${i}`, message }];
  });
}
