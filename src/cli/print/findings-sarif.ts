import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ArtifactLocation, Location, Log, ReportingDescriptor, Result } from 'sarif';
import { ruleIds } from '../../../schemas/rule-ids.js';
import type { CheckReport } from '../../check/check.js';
import type { Finding, Rule, SilencedFinding } from '../../check/rule.js';
import { jsonText } from './plain.js';
import { type SourcePlace, sourcePath } from './source-path.js';

/** What a log says beside the findings. */
export interface SarifSite extends SourcePlace {
  readonly rules: readonly Rule[];
  /** Of toolgraph. */
  readonly version: string;
}

const schemaUri = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const homeUri = 'https://w3id.org/toolgraph';
const baseId = 'SRCROOT';

/**
 * A log of one run in SARIF 2.1.0 (OASIS): every rule, and every finding with its place, those that the config silences as suppressed with
 * the reason. Columns count UTF-16 code units, which the log says.
 */
export function printFindingsSarif({ findings, silenced }: CheckReport, site: SarifSite): string {
  const { rules, version, sourceRoot } = site;
  const indexes = new Map(rules.map(({ name }, i) => [name, i]));
  const fingerprint = fingerprinter(site);
  const resultOf = (finding: Finding): Result => ({
    ruleId: finding.rule,
    ruleIndex: indexes.get(finding.name) ?? -1,
    level: finding.severity,
    message: { text: finding.message },
    locations: locationsOf(finding, site),
    partialFingerprints: { 'toolgraphFinding/v1': fingerprint(finding) },
  });
  const results = [
    ...findings.map(resultOf),
    ...silenced.map((one) => ({ ...resultOf(one), suppressions: [suppression(one)] })),
  ];
  const log: Log = {
    $schema: schemaUri,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'toolgraph', version, informationUri: homeUri, rules: rules.map(descriptor) },
        },
        invocations: [{ executionSuccessful: true }],
        originalUriBaseIds: { [baseId]: { uri: `${pathToFileURL(sourceRoot).href.replace(/\/$/, '')}/` } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  };
  return jsonText(log);
}

function descriptor({ name, severity, summary, why, fix }: Rule): ReportingDescriptor {
  const id = ruleIds[name];
  return {
    id,
    name,
    shortDescription: { text: summary },
    fullDescription: { text: why },
    help: { text: `${why} ${fix}`, markdown: `${why}\n\n**What to do.** ${fix}` },
    helpUri: `${homeUri}/rules#${id.toLowerCase()}-${name}`,
    defaultConfiguration: { level: severity },
  };
}

function suppression({ reason }: SilencedFinding) {
  return { kind: 'external', status: 'accepted', justification: reason } as const;
}

function locationsOf({ document, line, column, subject }: Finding, place: SourcePlace): Location[] {
  if (document === undefined) return [];
  const region = line === undefined ? {} : { region: { startLine: line, ...(column && { startColumn: column }) } };
  return [
    {
      physicalLocation: { artifactLocation: artifactLocation(sourcePath(document, place)), ...region },
      ...(subject === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: subject, kind: 'resource' }] }),
    },
  ];
}

function artifactLocation(path: string): ArtifactLocation {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href };
  return { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: baseId };
}

/** The same for a finding in the next version of the file: no line is in it. Two that are alike in one log are counted. */
function fingerprinter(place: SourcePlace): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return ({ rule, document, subject, pointer, message }) => {
    const path = document === undefined ? '' : sourcePath(document, place);
    const parts = JSON.stringify([rule, path, subject ?? pointer ?? '', message]);
    const nth = (seen.get(parts) ?? 0) + 1;
    seen.set(parts, nth);
    return `${createHash('sha256').update(parts).digest('hex')}:${nth}`;
  };
}
