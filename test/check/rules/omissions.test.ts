import { describe, expect, it } from 'vitest';
import { check } from '../../../src/check/check.js';
import { codes, type OmissionCode } from '../../../src/diagnostic.js';
import { entry, generation, iriOf, node, omission } from '../../cli/generation-builder.js';
import { checked } from '../checked-instance.js';

const omissionCodes = Object.entries(codes).flatMap(([code, row]) =>
  row.kind === 'omission' ? [code as OmissionCode] : [],
);

function severityOf(code: OmissionCode): string | undefined {
  return check(checked({ generation: generation([], [omission('a', code, 'why')]) })).findings[0]?.severity;
}

describe('The rules of omissions', () => {
  it('report an omission with the document, the pointer and the Tool', () => {
    const one = generation([entry('a')], [omission('deploy', 'shell-syntax', '"|" needs a shell')]);
    expect(check(checked({ generation: one })).findings).toEqual([
      {
        rule: 'TG105',
        name: 'shell-syntax',
        code: 'shell-syntax',
        severity: 'error',
        message: 'deploy: "|" needs a shell',
        fix: 'Write plain words, or put the line into a script and name the script.',
        document: 'graph/tools/deploy.json',
        pointer: '',
        subject: iriOf('deploy'),
      },
    ]);
  });

  it('point at the field that is to be changed, and say how', () => {
    const deploy = node('deploy', { invoke: { shell: 'make | tee log' } });
    const one = generation([], [omission('deploy', 'shell-syntax', '"|" needs a shell')]);
    const { findings } = check(checked({ generation: one, nodes: [deploy] }));
    expect(findings).toMatchObject([{ pointer: '/invoke/shell', fix: expect.stringContaining('scripts/deploy.sh') }]);
  });

  it('call errors exactly the five omissions that a change of the node would cure, and warn of the rest', () => {
    const failing = omissionCodes.filter((code) => severityOf(code) === 'error');
    expect(failing).toEqual(['mcp-only', 'shell-syntax', 'interpreter-slot', 'unreachable-input', 'unsafe-argv-input']);
    const rest = omissionCodes.filter((code) => !failing.includes(code));
    expect(new Set(rest.map(severityOf))).toEqual(new Set(['warning']));
  });
});
