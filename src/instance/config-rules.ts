import { posix } from 'node:path';
import type { z } from 'zod';
import { type Config, ConfigSchema } from '../../schemas/config.js';
import { placedMessage, wordIssues } from '../../schemas/issue-words.js';
import { ruleIds, ruleNamed } from '../../schemas/rule-ids.js';
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
  if (!parsed.success) return [...unfit, ...schemaFindings(parsed.error, value)];
  const { folders = [], ignore = [], rules = {} } = parsed.data;
  return [...unfit, ...folderFindings(folders), ...ignoreFindings(ignore), ...repeatedRuleFindings(Object.keys(rules))];
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
    return value.isWellFormed() ? [] : [{ pointer: toPointer(path), message: halfPairMessage }];
  // The schema is 4 levels deep; anything deeper is refused by it, and is not followed here.
  if (typeof value !== 'object' || value === null || path.length > 8) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const pointer = toPointer([...path, key]);
    return [
      ...(reservedKeys.has(key) ? [{ pointer, message: `the key "${key}" is reserved`, ofKey: true }] : []),
      ...(key.isWellFormed() ? [] : [{ pointer, message: halfPairMessage, ofKey: true }]),
      ...unfitTextFindings(inner, [...path, key]),
    ];
  });
}

const halfPairMessage = 'half a surrogate pair is no character; write the whole pair';

/** A reserved key has a finding of its own. */
function schemaFindings(error: z.ZodError, value: unknown): Finding[] {
  return wordIssues(error, ConfigSchema, value)
    .filter(({ path, atKey }) => atKey !== true || !reservedKeys.has(String(path.at(-1))))
    .map((issue) => {
      const { path, atKey } = issue;
      if (atKey === true && path.length === 2 && path[0] === 'rules') return ruleKeyFinding(String(path[1]));
      return {
        pointer: toPointer(path),
        message: placedMessage(issue),
        ...(atKey === true ? { ofKey: true } : {}),
      };
    });
}

function ruleKeyFinding(key: string): Finding {
  const pointer = toPointer(['rules', key]);
  if (ruleNamed(key) !== undefined) {
    const message = `the rule "${key}" tells of a problem, which cannot be silenced or lowered: what cannot be determined is not served; remove the key`;
    return { pointer, message, ofKey: true };
  }
  const meant = nearestName(key, Object.entries(ruleIds).flat());
  const advice = meant === undefined ? 'docs/rules.md lists them' : `did you mean "${meant}"?`;
  return { pointer, message: `rules: there is no rule "${key}"; ${advice}`, ofKey: true };
}

/** The name and the id of one rule are two keys. */
function repeatedRuleFindings(keys: readonly string[]): Finding[] {
  return keys.flatMap((key, i) => {
    const first = keys.slice(0, i).find((other) => ruleNamed(other) === ruleNamed(key));
    if (first === undefined) return [];
    const message = `rules: "${key}" and "${first}" are one rule; keep one of the two keys`;
    return [{ pointer: toPointer(['rules', key]), message, ofKey: true }];
  });
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
