import type { Input } from '../../../schemas/port.js';
import { builtinTypesId } from '../../../schemas/types.js';
import type { TypeRegistry } from '../../projection/node.js';
import { typeName } from '../../projection/type-reference.js';

/**
 * The built-in types that an input is likely to be of, at most two: by the name of its type, else by what is said of the type, else by its
 * own name and description. A description counts only where it speaks of one type. Empty where nothing tells.
 */
export function likelyTypesOf({ name, schema, description = '' }: Input, types: TypeRegistry): string[] {
  const type = schema.startsWith(`${builtinTypesId}#`) ? undefined : types.get(schema);
  const said = type === undefined ? [] : [type.schema.title, type.schema.description].map((text) => String(text ?? ''));
  const found = [
    type === undefined ? [] : likelyTypes(typeName(schema)),
    ...said.map(only),
    likelyTypes(name),
    only(description),
  ].find(({ length }) => length > 0);
  return (found ?? []).slice(0, 2);
}

function only(text: string): string[] {
  const found = likelyTypes(text);
  return found.length === 1 ? found : [];
}

/** The built-in types that a name is likely to mean, by the words in it; none where it tells nothing. */
export function likelyTypes(name: string): string[] {
  const words = new Set(wordsOf(name));
  return byWord.flatMap(([known, type]) => (known.some((word) => words.has(word)) ? [type] : []));
}

/** `outDir`, `out-dir` and `OUT_DIR` are the words out and dir; a plural is the word. */
function wordsOf(name: string): string[] {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return parts.flatMap((word) => [word, word.replace(/s$/, '')]);
}

const byWord: readonly (readonly [readonly string[], string])[] = [
  [['url', 'uri', 'link', 'endpoint', 'website'], 'Url'],
  [
    [
      ...['path', 'dir', 'directory', 'folder', 'file', 'filename', 'filepath', 'source', 'src', 'target', 'out'],
      ...['output', 'dest', 'destination', 'repopath'],
    ],
    'Path',
  ],
  [['host', 'hostname', 'domain', 'server'], 'HostName'],
  [['branch', 'ref', 'tag'], 'Branch'],
  [['sha', 'commit', 'hash'], 'CommitSha'],
  [['version', 'semver'], 'SemVer'],
  [['package', 'module', 'dependency'], 'PackageName'],
  [['repo', 'repository'], 'RepositoryName'],
  [['script', 'task', 'command'], 'ScriptName'],
  [['email', 'mail'], 'Email'],
  [['date', 'since', 'until', 'day'], 'Date'],
  [['count', 'limit', 'number', 'size', 'max', 'min'], 'Count'],
  [['slug', 'name', 'id', 'key'], 'Slug'],
];
