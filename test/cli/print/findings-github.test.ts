import { describe, expect, it } from 'vitest';
import { printFindingsGithub } from '../../../src/cli/print/findings-github.js';
import { finding, unplaced } from './sample-findings.js';

const place = { root: '/work/site/instance', sourceRoot: '/work/site' };

function lines(...findings: ReturnType<typeof finding>[]): string[] {
  return printFindingsGithub({ findings }, place);
}

describe('printFindingsGithub', () => {
  it('is a workflow command for each finding, with its file from the root of the sources', () => {
    expect(lines(finding(), finding({ severity: 'warning' }))).toEqual([
      '::error file=instance/graph/tools/a.json,line=3,col=12,title=TG205 hidden-text::a: its title has U+200B ZERO WIDTH SPACE at character 2%0ARemove the character.',
      expect.stringMatching(/^::warning file=/),
    ]);
  });

  it('escapes what would end a property, a value or the command', () => {
    const [line] = lines(finding({ document: 'a:b,c%.json', message: '100%: a,b\r\n::error::x', fix: 'No.' }));
    expect(line).toBe(
      '::error file=instance/a%3Ab%2Cc%25.json,line=3,col=12,title=TG205 hidden-text::100%25: a,b\\r\\n::error::x%0ANo.',
    );
  });

  it('leaves out what is not known, and says of which node it is where no line tells that', () => {
    const { line, column, ...withoutLine } = finding({ message: 'no title' });
    expect(lines(withoutLine, unplaced({ message: 'no' }))).toEqual([
      '::error file=instance/graph/tools/a.json,title=TG205 hidden-text::no title (<urn:toolgraph:demo:tool/a>)%0ARemove the character.',
      '::error title=TG205 hidden-text::no%0ARemove the character.',
    ]);
  });
});
