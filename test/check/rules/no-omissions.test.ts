import { describe, expect, it } from 'vitest';
import { noOmissions } from '../../../src/check/rules/no-omissions.js';
import { codes, type OmissionCode } from '../../../src/diagnostic.js';
import { entry, generation, iriOf, omission } from '../../cli/generation-builder.js';

const omissionCodes = Object.entries(codes).flatMap(([code, row]) =>
  row.kind === 'omission' ? [code as OmissionCode] : [],
);

function severityOf(code: OmissionCode): string | undefined {
  return noOmissions.check(generation([], [omission('a', code, 'why')]))[0]?.severity;
}

describe('no-omissions', () => {
  it('reports an omission with the document, the pointer and the Tool', () => {
    const one = generation([entry('a')], [omission('deploy', 'shell-syntax', '"|" needs a shell')]);
    expect(noOmissions.check(one)).toEqual([
      {
        code: 'shell-syntax',
        severity: 'error',
        message: 'deploy: "|" needs a shell',
        document: 'graph/tools/deploy.json',
        pointer: '',
        subject: iriOf('deploy'),
      },
    ]);
  });

  it('calls errors exactly the five omissions that a change of the node would cure, and warns of the rest', () => {
    const failing = omissionCodes.filter((code) => severityOf(code) === 'error');
    expect(failing).toEqual(['mcp-only', 'shell-syntax', 'interpreter-slot', 'unreachable-input', 'unsafe-argv-input']);
    const rest = omissionCodes.filter((code) => !failing.includes(code));
    expect(new Set(rest.map(severityOf))).toEqual(new Set(['warning']));
  });
});
