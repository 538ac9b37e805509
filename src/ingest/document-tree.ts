import { hasRepeatedKeys, offsetBeyondDepth, parseJsonText, tooDeep } from '../json-text.js';
import { positionAt } from '../text-position.js';
import type { Findings } from './findings.js';
import { surveyTree, type TreeSurvey } from './json-tree.js';
import type { IngestLimits } from './limits.js';
import { positionsOf, type SourcePositions } from './position.js';
import { innerNodes } from './source-nodes.js';
import { parseYamlText } from './yaml-text.js';

/** What the text of a JSON or YAML document is, before it is known what it means. */
export interface DocumentTree {
  readonly tree: unknown;
  readonly survey: TreeSurvey;
  readonly positions: SourcePositions;
}

/** Parses a document and refuses what no kind of document may hold. Undefined after a finding. */
export function readDocumentTree(
  text: string,
  format: 'json' | 'yaml',
  limits: IngestLimits,
  findings: Findings,
): DocumentTree | undefined {
  const read = format === 'json' ? readJson(text, limits, findings) : readYaml(text, limits, findings);
  if (read === undefined) return undefined;
  const { survey, positions } = read;
  findings.locateIn(positions);
  for (const { pointer, message } of survey.faults) findings.add('invalid-node', message, { pointer, atKey: true });
  if (survey.faults.length === 0) {
    // JSON is asked for its places, which takes long, only when a count says that there is something to find.
    const isCertain = format === 'json' && hasRepeatedKeys(text, survey);
    if (format === 'yaml' || isCertain) reportRepeatedKeys(positions, isCertain, findings);
  }
  return findings.count > 0 ? undefined : read;
}

function readJson(text: string, limits: IngestLimits, findings: Findings): DocumentTree | undefined {
  const parsed = parseJsonText(text);
  if ('message' in parsed) {
    findings.add('unreadable', parsed.message, { position: positionAt(text, parsed.offset) });
    return undefined;
  }
  const { depth } = limits;
  const survey = surveyTree(parsed.value, bounds(limits), text.includes('\\u'));
  if (survey.isTooDeep) {
    const position = positionAt(text, offsetBeyondDepth(text, depth) ?? 0);
    findings.add('unreadable', tooDeep(depth), { position });
    return undefined;
  }
  return { tree: parsed.value, survey, positions: positionsOf(text) };
}

function readYaml(text: string, limits: IngestLimits, findings: Findings): DocumentTree | undefined {
  const parsed = parseYamlText(text, limits);
  if ('faults' in parsed) {
    for (const { code, message, position } of parsed.faults) findings.add(code, message, { position });
    return undefined;
  }
  const { value, positions } = parsed;
  return { tree: value, survey: surveyTree(value, bounds(limits), /\\[uU]/.test(text)), positions };
}

function bounds({ depth, nodes }: IngestLimits): { depth: number; items: number } {
  return { depth, items: nodes * innerNodes };
}

function reportRepeatedKeys(positions: SourcePositions, isCertain: boolean, findings: Findings): void {
  const repeated = positions.repeatedKeys();
  for (const { pointer, key, first, again } of repeated) {
    const message = `the key ${JSON.stringify(key)} is given twice (first in line ${first.line}); remove one`;
    findings.add('invalid-node', message, { pointer, position: again });
  }
  // The places of a large document are not known.
  if (isCertain && repeated.length === 0) {
    findings.add('invalid-node', 'an object has one key twice; remove one of the two');
  }
}
