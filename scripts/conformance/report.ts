/** One check of a scenario, as the suite writes it into checks.json. */
export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** What one run of the suite found, and what was expected of it. */
export interface SuiteRun {
  /** Revision of MCP. */
  readonly revision: string;
  /** By the name of the scenario; a scenario that did not run is missing. */
  readonly checks: ReadonlyMap<string, readonly Check[]>;
  /** Names of the scenarios that conformance to the revision requires. */
  readonly required: readonly string[];
  /** Scenarios, or `scenario:check`, that are expected to fail. */
  readonly expected: readonly string[];
  /** Of the suite. */
  readonly exitCode: number | null;
}

export interface RunReport {
  /** A line "ok …" or "not ok …" for each required scenario that is not expected to fail, and the counts of the run in the last line. */
  readonly lines: readonly string[];
  readonly isGood: boolean;
}

/** Tells of one run. It is good when the suite says so and every required scenario ran and did what was expected. Pure. */
export function runReport({ revision, checks, required, expected, exitCode }: SuiteRun): RunReport {
  const expectedOnes = new Set(expected);
  const lines: string[] = [];
  const failing: string[] = [];
  let asExpected = 0;
  let [passed, failed] = [0, 0];
  for (const scenario of required) {
    const own = checks.get(scenario) ?? [];
    const bad = own.filter(isBad);
    passed += own.filter(({ status }) => status === 'SUCCESS').length;
    failed += bad.length;
    if (expectedOnes.has(scenario)) {
      asExpected += 1;
      lines.push(`expected ${revision} ${scenario}: ${bad[0] === undefined ? 'it did not run' : wordsOf(bad[0])}`);
      continue;
    }
    const surprises = bad.filter(({ id }) => !expectedOnes.has(`${scenario}:${id}`));
    const [first] = surprises;
    if (own.length > 0 && first === undefined) lines.push(`ok ${revision} ${scenario}`);
    else {
      failing.push(scenario);
      lines.push(`not ok ${revision} ${scenario}: ${first === undefined ? 'it did not run' : wordsOf(first)}`);
    }
  }
  const isGood = exitCode === 0 && failing.length === 0;
  if (exitCode !== 0 && failing.length === 0)
    lines.push(`not ok ${revision}: the suite ended with exit code ${exitCode}`);
  const ok = required.length - asExpected - failing.length;
  lines.push(
    `conformance ${revision}: ${ok} of ${required.length} required scenarios pass, ${asExpected} fail as expected, ${failing.length} fail; ` +
      `${passed} checks passed, ${failed} failed; exit code of the suite ${exitCode}`,
  );
  return { lines, isGood };
}

function isBad({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

function wordsOf({ id, errorMessage = 'no message' }: Check): string {
  return `${id}: ${errorMessage.replace(/\s+/g, ' ').slice(0, 300)}`;
}
