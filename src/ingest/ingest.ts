import { documentIri } from '../store/node-iri.js';
import type { RdfFormat } from '../store/read-rdf.js';
import { resolveContext } from './context.js';
import { decodeText } from './decode.js';
import type { DocumentKind, IngestedDocument, SourceFile } from './document.js';
import { formatOf, kindOf, roleOfFolder } from './document-kind.js';
import { type DocumentTree, readDocumentTree } from './document-tree.js';
import { Findings } from './findings.js';
import { describablePrefixes } from './iri-claims.js';
import { defaultLimits, type IngestLimits, limitNames } from './limits.js';
import { ingestNodes } from './nodes.js';
import { ingestRdf } from './rdf-document.js';
import { ingestSkillFile } from './skill-file.js';
import { ingestTypeDocument } from './type-document.js';

export interface IngestContext {
  /** Prefix of the IRIs of the instance. */
  readonly base: string;
  /** Prefixes outside `base` that documents may describe. */
  readonly allowIris: readonly string[];
  readonly limits?: Partial<IngestLimits>;
  /** The context documents of the instance (`readContextDocument`) by their path. */
  readonly contexts: ReadonlyMap<string, unknown>;
}

type Content = Omit<IngestedDocument, 'path' | 'sha256' | 'diagnostics'>;

/**
 * What one file holds, as quads of its named graph (DESIGN decisions 1, 2, 14). Never rejects: what is wrong with the file
 * is in `diagnostics`, and so is a failure of ours (`internal-error`).
 */
export async function ingestDocument(file: SourceFile, context: IngestContext): Promise<IngestedDocument> {
  const { path, sha256 } = file;
  const findings = new Findings(path);
  const limits = { ...defaultLimits, ...context.limits };
  try {
    const content = await read(file, { ...context, limits }, findings);
    return { path, sha256, ...content, diagnostics: findings.list() };
  } catch (error) {
    const words = String(error).replaceAll(/\s+/g, ' ').slice(0, 200);
    findings.add('internal-error', `toolgraph failed on this document (${words}); please report it`);
    return { path, sha256, ...undetermined(file), diagnostics: findings.list() };
  }
}

/**
 * The parsed content of a context document (only `@context`, and perhaps `$schema`); undefined for any other file. The
 * service collects these first, since other documents name them by path.
 */
export function readContextDocument(file: SourceFile, limits: Partial<IngestLimits> = {}): unknown {
  const format = formatOf(file.path);
  if ((format !== 'json' && format !== 'yaml') || !mayHoldContext(file.bytes)) return undefined;
  const bounds = { ...defaultLimits, ...limits };
  const document = parse(file, format, bounds, new Findings(file.path));
  if (document === undefined) return undefined;
  if (kindOf(document.tree) === 'context') return document.tree;
  parsedEarly.set(file, { document, limits: bounds });
  return undefined;
}

/** Spares most documents a look for a context, and the memory for all of them at once. An escape may hide the name. */
function mayHoldContext(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (beginsAsNode.test(buffer.toString('latin1', 0, 256))) return false;
  return ['@context', '\\u', '\\x', '\\U'].some((text) => buffer.includes(text));
}

/** The beginning of a JSON object that names its context first, and has a key that a context document has not. */
const beginsAsNode = /^\s*\{\s*"@context"\s*:\s*"[^"\\]*"\s*,\s*"(?!\$schema")[^"\\]*"/;

/** What `readContextDocument` had to parse, until the same file is ingested. */
const parsedEarly = new WeakMap<SourceFile, { readonly document: DocumentTree; readonly limits: IngestLimits }>();

function takeParsed(file: SourceFile, limits: IngestLimits, findings: Findings): DocumentTree | undefined {
  const early = parsedEarly.get(file);
  parsedEarly.delete(file);
  if (early === undefined || !limitNames.every((name) => early.limits[name] === limits[name])) return undefined;
  findings.locateIn(early.document.positions);
  return early.document;
}

type Settings = IngestContext & { readonly limits: IngestLimits };

async function read(file: SourceFile, settings: Settings, findings: Findings): Promise<Content> {
  const format = formatOf(file.path);
  if (format === 'other') return { kind: 'prose', ...empty };
  if (format === 'markdown') return readMarkdown(file, settings, findings);
  if (format !== 'json' && format !== 'yaml') return readRdf(file, format, settings, findings);
  const document = takeParsed(file, settings.limits, findings) ?? parse(file, format, settings.limits, findings);
  return document === undefined ? undetermined(file) : interpret(file, document, settings, findings);
}

/** From this number of values on the sets of a document are measured before they are compared. */
const manyValues = 2000;

const empty = { quads: [], pointers: new Map<string, string>(), broken: [] };

/** A file of which nothing is known: any node of it may be concerned. */
function undetermined({ path, folderKind }: SourceFile): Content {
  const ofJson: DocumentKind = folderKind === 'types' ? 'types' : 'nodes';
  return { ...empty, kind: formatOf(path) === 'markdown' ? 'skill' : ofJson, broken: 'all' };
}

function readText(file: SourceFile, { bytes }: IngestLimits, findings: Findings): string | undefined {
  if (file.bytes.length > bytes) {
    const message = `${file.bytes.length} bytes; at most ${bytes} are read, so split it or raise limits.documentBytes`;
    findings.add('unreadable', message);
    return undefined;
  }
  const decoded = decodeText(file.bytes);
  if ('text' in decoded) return decoded.text;
  findings.add('unreadable', decoded.message, { position: decoded.position });
  return undefined;
}

function readMarkdown(file: SourceFile, settings: Settings, findings: Findings): Content {
  const skillsFolder = roleOfFolder(file) === 'skill';
  const prose: Content = { kind: 'prose', ...empty };
  // Prose in any encoding is left alone; only what begins like front matter could be a skill.
  const start = Buffer.from(file.bytes.subarray(0, 16))
    .toString('latin1')
    .replaceAll(/[\0\u00bb\u00bf\u00ef\u00fe\u00ff]/g, '');
  if (!start.startsWith('---')) return prose;
  const text = readText(file, settings.limits, findings);
  if (text === undefined) return undetermined(file);
  const graph = documentIri(settings.base, file.path);
  return ingestSkillFile(text, { path: file.path, skillsFolder }, { base: settings.base, graph }, findings);
}

async function readRdf(
  file: SourceFile,
  format: RdfFormat,
  { base, allowIris, limits }: Settings,
  findings: Findings,
): Promise<Content> {
  const text = readText(file, limits, findings);
  if (text === undefined) return undetermined(file);
  const site = { path: file.path, base, allowIris: describablePrefixes(allowIris, file.folderKind), limits };
  return { kind: 'nodes', ...(await ingestRdf(text, format, site, findings)) };
}

function parse(
  file: SourceFile,
  format: 'json' | 'yaml',
  limits: IngestLimits,
  findings: Findings,
): DocumentTree | undefined {
  const text = readText(file, limits, findings);
  return text === undefined ? undefined : readDocumentTree(text, format, limits, findings);
}

async function interpret(
  file: SourceFile,
  { tree, survey }: DocumentTree,
  { base, allowIris, contexts, limits }: Settings,
  findings: Findings,
): Promise<Content> {
  const { path } = file;
  const kind = kindOf(tree);
  const graph = documentIri(base, path);
  if (kind === 'types') return { kind, ...ingestTypeDocument(tree as Record<string, unknown>, graph, findings) };
  if (kind === 'context') {
    const value = (tree as Record<string, unknown>)['@context'];
    const { faults } = resolveContext([{ value, pointer: '/@context' }], { path, contexts });
    for (const { code, pointer, message } of faults) findings.add(code, message, { pointer });
    return { kind, ...empty };
  }
  const site = {
    path,
    base,
    allowIris: describablePrefixes(allowIris, file.folderKind),
    contexts,
    isExport: file.folderKind === 'export',
    defaultRole: roleOfFolder(file),
    hasNestedContexts: survey.contexts > 1,
    isLarge: survey.members + survey.items > manyValues,
    tinyNumbers: survey.tinyNumbers,
    maxNodes: limits.nodes,
  };
  return { kind, ...(await ingestNodes(tree, graph, site, findings)) };
}
