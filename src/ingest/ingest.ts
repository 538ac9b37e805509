import { documentIri } from '../store/node-iri.js';
import { resolveContext } from './context.js';
import { decodeText } from './decode.js';
import type { DocumentKind, IngestedDocument, SourceFile } from './document.js';
import { formatOf, kindOf, roleOfFolder } from './document-kind.js';
import { Findings } from './findings.js';
import { hasRepeatedKeys, offsetBeyondDepth, parseJsonText, tooDeep } from './json-text.js';
import { surveyTree, type TreeSurvey } from './json-tree.js';
import { ingestNodes } from './nodes.js';
import { positionAt, positionsOf, type SourcePositions } from './position.js';
import { scanProblems } from './scan-problems.js';
import { ingestSkillFile } from './skill-file.js';
import { ingestTypeDocument } from './type-document.js';

/** Bounds on one document; the scanner bounds their number. */
export interface IngestLimits {
  /** Size of a document. @default 4194304 (4 MiB) */
  readonly bytes: number;
  /** Levels of nesting. @default 64 */
  readonly depth: number;
  /** Nodes in a document, and items in any array of it. @default 10000 */
  readonly nodes: number;
}

const defaultLimits: IngestLimits = { bytes: 4 * 1024 * 1024, depth: 64, nodes: 10_000 };

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
  if (formatOf(file.path) !== 'json') return undefined;
  const bounds = { ...defaultLimits, ...limits };
  const source = readText(file, bounds, new Findings(file.path));
  const json = source === undefined ? undefined : readJson(source, bounds, new Findings(file.path));
  return json !== undefined && kindOf(json.tree) === 'context' ? json.tree : undefined;
}

type Settings = IngestContext & { readonly limits: IngestLimits };

async function read(file: SourceFile, settings: Settings, findings: Findings): Promise<Content> {
  const format = formatOf(file.path);
  if (format === 'other') return { kind: 'prose', ...empty };
  if (format === 'later') {
    findings.add('unreadable', scanProblems.later);
    return undetermined(file);
  }
  if (format === 'markdown') return readMarkdown(file, settings, findings);
  const text = readText(file, settings.limits, findings);
  const json = text === undefined ? undefined : readJson(text, settings.limits, findings);
  if (json === undefined) return undetermined(file);
  return readTree(file, json, settings, findings);
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

interface JsonSource {
  readonly tree: unknown;
  readonly survey: TreeSurvey;
}

function readJson(text: string, limits: IngestLimits, findings: Findings): JsonSource | undefined {
  const parsed = parseJsonText(text);
  if ('message' in parsed) {
    findings.add('unreadable', parsed.message, { position: positionAt(text, parsed.offset) });
    return undefined;
  }
  const { depth } = limits;
  const survey = surveyTree(parsed.value, { depth, items: limits.nodes }, text.includes('\\u'));
  if (survey.isTooDeep) {
    const position = positionAt(text, offsetBeyondDepth(text, depth) ?? 0);
    findings.add('unreadable', tooDeep(depth), { position });
    return undefined;
  }
  const positions = positionsOf(text);
  findings.locateIn(positions);
  for (const { pointer, message } of survey.faults) findings.add('invalid-node', message, { pointer, atKey: true });
  if (survey.faults.length === 0 && hasRepeatedKeys(text, survey)) reportRepeatedKeys(positions, findings);
  return findings.count > 0 ? undefined : { tree: parsed.value, survey };
}

function reportRepeatedKeys(positions: SourcePositions, findings: Findings): void {
  const repeated = positions.repeatedKeys();
  for (const { pointer, key, first, again } of repeated) {
    const message = `the key ${JSON.stringify(key)} is given twice (first in line ${first.line}); remove one`;
    findings.add('invalid-node', message, { pointer, position: again });
  }
  if (repeated.length === 0) findings.add('invalid-node', 'an object has one key twice; remove one of the two');
}

async function readTree(
  file: SourceFile,
  { tree, survey }: JsonSource,
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
    allowIris,
    contexts,
    defaultRole: roleOfFolder(file),
    hasNestedContexts: survey.contexts > 1,
    isLarge: survey.members + survey.items > manyValues,
    tinyNumbers: survey.tinyNumbers,
    maxNodes: limits.nodes,
  };
  return { kind, ...(await ingestNodes(tree, graph, site, findings)) };
}
