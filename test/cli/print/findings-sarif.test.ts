import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import type { Log, Result } from 'sarif';
import { describe, expect, it } from 'vitest';
import { type RuleName, ruleIds } from '../../../schemas/rule-ids.js';
import type { CheckReport } from '../../../src/check/check.js';
import { rules } from '../../../src/check/rule-table.js';
import { printFindingsSarif } from '../../../src/cli/print/findings-sarif.js';
import { finding, unplaced } from './sample-findings.js';

const site = { rules, version: '1.2.3', root: '/work/site/instance', sourceRoot: '/work/site' };

/** The published schema is of draft 4, and uses nothing that draft 7 gives another meaning, but for the name of its `id`. */
const { $schema, id, ...schema } = JSON.parse(
  readFileSync(new URL('./fixtures/sarif-2.1.0-rtm.5.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

function logOf(report: Partial<CheckReport>): Log {
  return JSON.parse(printFindingsSarif({ findings: [], silenced: [], ...report }, site)) as Log;
}

function resultsOf(report: Partial<CheckReport>): Result[] {
  return logOf(report).runs[0]?.results ?? [];
}

describe('printFindingsSarif', () => {
  it('says by its version, its tool and its rules what it is', () => {
    const [run] = logOf({}).runs;
    expect(run?.tool.driver).toMatchObject({ name: 'toolgraph', version: '1.2.3' });
    expect(run?.tool.driver.rules?.map((rule) => rule.id)).toEqual(Object.values(ruleIds));
    expect(run?.tool.driver.rules?.find((rule) => rule.id === 'TG205')).toMatchObject({
      name: 'hidden-text',
      helpUri: 'https://w3id.org/toolgraph/rules#tg205-hidden-text',
      defaultConfiguration: { level: 'error' },
    });
    expect(run).toMatchObject({
      columnKind: 'utf16CodeUnits',
      originalUriBaseIds: { SRCROOT: { uri: 'file:///work/site/' } },
      results: [],
    });
  });

  it('gives a finding with its place, from the root of the sources', () => {
    expect(resultsOf({ findings: [finding()] })).toEqual([
      {
        ruleId: 'TG205',
        ruleIndex: Object.values(ruleIds).indexOf('TG205'),
        level: 'error',
        message: { text: 'a: its title has U+200B ZERO WIDTH SPACE at character 2' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'instance/graph/tools/a.json', uriBaseId: 'SRCROOT' },
              region: { startLine: 3, startColumn: 12 },
            },
            logicalLocations: [{ fullyQualifiedName: 'urn:toolgraph:demo:tool/a', kind: 'resource' }],
          },
        ],
        partialFingerprints: { 'toolgraphFinding/v1': expect.stringMatching(/^[0-9a-f]{64}:1$/) },
      },
    ]);
  });

  it('encodes paths, goes up to an included instance, and names by itself what lies outside', () => {
    const uris = resultsOf({
      findings: ['a b%#ü.json', '../other/x.json', '/elsewhere/y z.json', '../../up/x.json'].map((document) =>
        finding({ document }),
      ),
    }).map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation);
    expect(uris).toEqual([
      { uri: 'instance/a%20b%25%23%C3%BC.json', uriBaseId: 'SRCROOT' },
      { uri: 'other/x.json', uriBaseId: 'SRCROOT' },
      { uri: 'file:///elsewhere/y%20z.json' },
      { uri: 'file:///work/up/x.json' },
    ]);
  });

  it('has no region where there is no line, and no place where there is no document', () => {
    const { line, column, ...withoutLine } = finding();
    const [first, second] = resultsOf({ findings: [withoutLine, unplaced()] });
    expect(first?.locations?.[0]?.physicalLocation).not.toHaveProperty('region');
    expect(second?.locations).toEqual([]);
  });

  it('gives what the config silences as suppressed, with the reason', () => {
    const silenced = [{ ...finding(), reason: 'a test of such texts' }];
    expect(resultsOf({ findings: [finding()], silenced }).map(({ suppressions }) => suppressions)).toEqual([
      undefined,
      [{ kind: 'external', status: 'accepted', justification: 'a test of such texts' }],
    ]);
  });

  it('gives a finding the same fingerprint when lines move, and two that are alike different ones', () => {
    const prints = (...findings: ReturnType<typeof finding>[]) =>
      resultsOf({ findings }).map(({ partialFingerprints }) => partialFingerprints?.['toolgraphFinding/v1']);
    const [print] = prints(finding());
    expect(prints(finding({ line: 99, pointer: '/@graph/3/title' }))).toEqual([print]);
    expect(prints(finding(), finding({ line: 5 }))).toEqual([print, print?.replace(/1$/, '2')]);
    for (const fields of [{ message: 'other' }, { document: 'x.json' }, { rule: 'TG206' as const }]) {
      expect(prints(finding(fields))).not.toEqual([print]);
    }
  });

  it('satisfies the published schema, whatever the findings', () => {
    const place = fc.record({ line: fc.integer({ min: 1, max: 9e6 }), column: fc.integer({ min: 1, max: 9e6 }) });
    const findings = fc.array(
      fc
        .record({
          name: fc.constantFrom(...(Object.keys(ruleIds) as RuleName[])),
          severity: fc.constantFrom('error', 'warning'),
          message: fc.string({ minLength: 1, unit: 'binary' }),
          document: fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0')),
          subject: fc.string({ unit: 'grapheme' }),
        })
        .chain((fields) => fc.option(place).map((at) => ({ ...unplaced(), ...fields, ...at })))
        .map((fields) => ({ ...fields, rule: ruleIds[fields.name] })),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(findings, findings, (shown, hidden) => {
        const silenced = hidden.map((one) => ({ ...one, reason: 'because' }));
        expect([validate(logOf({ findings: shown, silenced })), validate.errors]).toEqual([true, null]);
      }),
      { numRuns: 50 },
    );
    expect(validate({ version: '2.1.0', runs: [{}] })).toBe(false);
  });
});
