import { measureInProcess } from './measuring-process.js';
import { type BenchRow, benchRow } from './result.js';

/** What became of one pattern in one process. */
export interface ProverMeasurement {
  readonly type: string;
  readonly proveMs: number;
  readonly compileMs: number;
}

/** The argv proof of each built-in pattern against the compilation of the same pattern. A fresh process for each round. */
export async function benchProver(rounds: number): Promise<BenchRow[]> {
  const byType = new Map<string, ProverMeasurement[]>();
  for (let round = 0; round < rounds; round++) {
    for (const measured of await measureInProcess<ProverMeasurement[]>('prover', [String(round)])) {
      byType.set(measured.type, [...(byType.get(measured.type) ?? []), measured]);
    }
  }
  return [...byType]
    .map(([type, runs]) =>
      benchRow(
        { id: `prover.${type}`, section: 'prover', what: type, unit: 'ms' },
        runs.map(({ proveMs }) => proveMs),
        { what: 'the same RegExp compiled', runs: runs.map(({ compileMs }) => compileMs) },
      ),
    )
    .sort((a, b) => b.median - a.median);
}
