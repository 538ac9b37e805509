import { describe, expect, it } from 'vitest';
import { type Check, runReport, type SuiteRun } from '../../scripts/conformance/report.js';

const good: Check = { id: 'a', status: 'SUCCESS' };
const bad: Check = { id: 'b', status: 'FAILURE', errorMessage: 'not\n found' };
const warned: Check = { id: 'c', status: 'WARNING' };

function report(checks: Readonly<Record<string, readonly Check[]>>, more: Partial<SuiteRun> = {}) {
  const required = ['tools', 'prompts'];
  const run = { revision: 'R', exitCode: 0, required, expected: ['prompts'], checks: new Map(Object.entries(checks)) };
  return runReport({ ...run, ...more });
}

describe('The report of a run of the conformance suite', () => {
  it('counts what passes and what fails as expected', () => {
    expect(report({ tools: [good, good], prompts: [good, bad], more: [bad] })).toEqual({
      lines: [
        'ok R tools',
        'expected R prompts: b: not found',
        'conformance R: 1 of 2 required scenarios pass, 1 fail as expected, 0 fail; 3 checks passed, 1 failed; exit code of the suite 0',
      ],
      isGood: true,
    });
  });

  it('takes a single check that is expected to fail, and no other of its scenario', () => {
    const expected = ['prompts', 'tools:b'];
    expect(report({ tools: [good, bad], prompts: [bad] }, { expected }).isGood).toBe(true);
    const both = report({ tools: [good, bad, warned], prompts: [bad] }, { expected });
    expect(both).toMatchObject({ isGood: false });
    expect(both.lines[0]).toBe('not ok R tools: c: no message');
  });

  it('is not good where a required scenario did not run, or the suite says so', () => {
    expect(report({ prompts: [bad] })).toMatchObject({
      isGood: false,
      lines: ['not ok R tools: it did not run', '', ''].map((line) => line || expect.any(String)),
    });
    const stale = report({ tools: [good], prompts: [good] }, { exitCode: 1 });
    expect(stale.isGood).toBe(false);
    expect(stale.lines).toContain('not ok R: the suite ended with exit code 1');
  });
});
