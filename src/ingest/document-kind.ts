import { posix } from 'node:path';
import type { Folder } from '../../schemas/config.js';
import { isInFolder } from '../instance/containment.js';
import { isJsonObject } from '../json-object.js';
import type { RdfFormat } from '../store/read-rdf.js';
import type { DocumentKind, SourceFile } from './document.js';

/** How a file is read, by its extension; `other` is no document. */
export type Format = 'json' | 'yaml' | 'markdown' | RdfFormat | 'other';

const formats = new Map<string, Format>([
  ['.json', 'json'],
  ['.jsonld', 'json'],
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.ttl', 'turtle'],
  ['.trig', 'trig'],
  ['.nt', 'ntriples'],
  ['.nq', 'nquads'],
  ['.md', 'markdown'],
]);

export function formatOf(path: string): Format {
  return formats.get(posix.extname(path).toLowerCase()) ?? 'other';
}

/** What a parsed JSON or YAML document is: its content decides (tool-node.md §5). */
export function kindOf(tree: unknown): Extract<DocumentKind, 'nodes' | 'types' | 'context'> {
  if (!isJsonObject(tree)) return 'nodes';
  if (Object.hasOwn(tree, '$id') && Object.hasOwn(tree, '$defs')) return 'types';
  const isContext =
    Object.hasOwn(tree, '@context') && Object.keys(tree).every((key) => key === '@context' || key === '$schema');
  return isContext ? 'context' : 'nodes';
}

/** What a node is that states no `@type`, from the place of its file. */
export type FolderRole = 'tool' | 'skill' | 'view';

export function roleOfFolder({ path, folderKind }: Pick<SourceFile, 'path' | 'folderKind'>): FolderRole | undefined {
  if (folderKind === 'tools' || path.startsWith('graph/tools/')) return 'tool';
  if (folderKind === 'skills' || path.startsWith('graph/skills/')) return 'skill';
  if (folderKind === 'views' || path.startsWith('graph/views/')) return 'view';
  return undefined;
}

/** Formats of data that are not read, by their endings. Scripts, texts and backups have others. */
const unreadData = /\.(?:json5|jsonc|hjson|jsonl|ndjson|jsn|yaml-?ld|yml-?ld|toml|xml|rdf|owl|n3|trix|cue)$/i;

/** Whether a file that is not read may be meant to hold nodes: one of data, in a folder that is there for nodes or types. */
export function looksLikeNodes(file: Pick<SourceFile, 'path' | 'folderKind'>): boolean {
  const isForNodes = file.folderKind !== undefined || file.path.startsWith('graph/');
  return isForNodes && unreadData.test(file.path) && roleOfFolder(file) !== 'skill';
}

/** Whether the path is that of a Markdown file in a folder of skills. */
export function isAmongSkills(path: string, folders: readonly Folder[]): boolean {
  const folderKind = folders.find((folder) => isInFolder(folder.path, path))?.kind;
  return formatOf(path) === 'markdown' && roleOfFolder({ path, ...(folderKind && { folderKind }) }) === 'skill';
}
