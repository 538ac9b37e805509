import type { z } from 'zod';
import { nearestName } from '../src/nearest-name.js';
import { knownKeys } from './known-keys.js';
import { dotted, valueAt } from './value-path.js';

/** One place where a value does not have the shape that its schema describes, in plain words. */
export interface WordedIssue {
  readonly path: readonly PropertyKey[];
  /** What was expected and what was found, without the place; of an unknown key, with the object that it is in. */
  readonly message: string;
  /** The path ends in a key that is itself what is wrong, not its value. */
  readonly atKey?: boolean;
}

type Issue = z.core.$ZodIssue;

/** Every issue of `error` in words. `root` is the value that was parsed; the objects of `schema` say which keys were meant. Pure. */
export function wordIssues(error: z.ZodError, schema: z.core.$ZodType, root: unknown): WordedIssue[] {
  return error.issues.flatMap((issue) => wordIssue(issue, issue.path, schema, root));
}

/** The message with its place before it, for whoever shows it alone. */
export function placedMessage({ path, message, atKey }: WordedIssue): string {
  return path.length === 0 || atKey === true ? message : `${dotted(path)}: ${message}`;
}

/** A value as it is shown in a message: JSON, at most 60 characters. Never throws. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const json = jsonOf(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}

function wordIssue(issue: Issue, path: PropertyKey[], schema: z.core.$ZodType, root: unknown): WordedIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownKey(key, path, knownKeys(schema, path)));
  }
  if (issue.code === 'invalid_union' && !isOwnWording(issue)) {
    const meant = meantAlternative(issue);
    if (meant !== undefined) {
      return meant.flatMap((inner) => wordIssue(inner, [...path, ...inner.path], schema, root));
    }
  }
  if (issue.code === 'custom') return [{ path, message: issue.message }];
  const found = valueAt(root, path);
  const expected = expectation(issue);
  const message = found === undefined ? `required, but missing: ${expected}` : `${expected}, found ${shown(found)}`;
  return [{ path, message }];
}

function unknownKey(key: string, path: readonly PropertyKey[], known: readonly string[]): WordedIssue {
  const where = path.length === 0 ? '' : ` in ${dotted(path)}`;
  const meant = nearestName(key, known);
  const hint = meant === undefined ? `known here: ${known.join(', ') || 'none'}` : `did you mean "${meant}"?`;
  return { path: [...path, key], message: `unknown key ${shown(key)}${where}; ${hint}`, atKey: true };
}

/** What the one alternative says that is of the kind of the value; undefined where none or several are. */
function meantAlternative({ errors }: z.core.$ZodIssueInvalidUnion): readonly Issue[] | undefined {
  const without = (...codes: readonly Issue['code'][]) =>
    errors.filter((issues) => !issues.some((issue) => codes.includes(issue.code) && issue.path.length === 0));
  // Another value of an enum may be of the right type, and an object never is.
  const [only] = [without('invalid_type', 'invalid_value'), without('invalid_type')].filter(
    ({ length }) => length === 1,
  );
  return only?.[0];
}

/** The schemas word what is not plain from the type as "expected …". */
function isOwnWording(issue: Issue): boolean {
  return issue.message.startsWith('expected ');
}

function expectation(issue: Issue): string {
  if (isOwnWording(issue)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${withArticle(issue.expected)}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map((value) => shown(value)).join(', ')}`;
    case 'invalid_format':
      return issue.pattern === undefined ? `expected ${issue.format}` : `expected text that matches ${issue.pattern}`;
    case 'too_small':
      return `expected ${quantity(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `expected ${quantity(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_union':
      return `expected ${typesOf(issue).map(withArticle).join(' or ') || 'another type'}`;
    default:
      return `expected something else (${issue.message})`;
  }
}

function typesOf({ errors }: z.core.$ZodIssueInvalidUnion): string[] {
  return errors.flatMap(([issue]) => (issue?.code === 'invalid_type' ? issue.expected : []));
}

function withArticle(type: string): string {
  if (type === 'int') return 'an integer';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function quantity(origin: string, bound: string, limit: number | bigint): string {
  if (origin !== 'string' && origin !== 'array') return `a number of ${bound} ${limit}`;
  const noun = origin === 'string' ? 'character' : 'item';
  return `${bound} ${limit} ${noun}${Number(limit) === 1 ? '' : 's'}`;
}

/** A TypeScript author may give what JSON has no form for: a function, a bigint, an object that holds itself. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? `a ${typeof value}`;
  } catch {
    return withArticle(typeof value);
  }
}
