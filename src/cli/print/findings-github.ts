import type { CheckReport } from '../../check/check.js';
import type { Finding } from '../../check/rule.js';
import { visible } from '../../visible.js';
import { messageOf } from './generation.js';
import { type SourcePlace, sourcePath } from './source-path.js';

/** Workflow commands of GitHub Actions, which shows each finding at its line: `::error file=…,line=…,col=…,title=…::…`. */
export function printFindingsGithub({ findings }: Pick<CheckReport, 'findings'>, place: SourcePlace): string[] {
  return findings.map((finding) => {
    const { severity, document, line, column, rule, name, fix } = finding;
    const properties: [string, string | number | undefined][] = [
      ['file', document === undefined ? undefined : visible(sourcePath(document, place))],
      ['line', line],
      ['col', line === undefined ? undefined : column],
      ['title', titleOf({ rule, name })],
    ];
    const stated = properties.flatMap(([key, value]) =>
      value === undefined ? [] : [`${key}=${escapedProperty(String(value))}`],
    );
    return `::${severity} ${stated.join(',')}::${escapedData(`${messageOf(finding)}\n${visible(fix)}`)}`;
  });
}

function titleOf({ rule, name }: Pick<Finding, 'rule' | 'name'>): string {
  return `${rule} ${name}`;
}

/** As `escapeData` of actions/toolkit (packages/core/src/command.ts). */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** As `escapeProperty` of actions/toolkit. */
function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
