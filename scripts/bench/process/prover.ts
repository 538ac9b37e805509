/**
 * Proves the pattern of each built-in type once, in a process where nothing is cached but the loaded libraries, and compiles the same
 * pattern as a RegExp. argv[2] is the round, which decides with which pattern it begins: the first ones also pay for cold code.
 */
import { builtinTypes } from '../../../schemas/types.js';
import { proveArgv } from '../../../src/patterns/argv-proof.js';
import type { ProverMeasurement } from '../prover.js';
import { rotated } from '../statistics.js';

const patterns = Object.entries(builtinTypes.$defs).flatMap(([type, schema]): [string, string][] =>
  'pattern' in schema ? [[type, schema.pattern]] : [],
);

// The thread that proves patterns loads its libraries in the same way before the first.
await proveArgv('^a$');
/^b$/u.test('b');
const measured: ProverMeasurement[] = [];
for (const [type, pattern] of rotated(patterns, 5 * Number(process.argv[2]))) {
  const begun = performance.now();
  // The engine compiles at the first use.
  new RegExp(pattern, 'u').test('a');
  const compiled = performance.now();
  await proveArgv(pattern);
  measured.push({ type, compileMs: compiled - begun, proveMs: performance.now() - compiled });
}
console.log(JSON.stringify(measured));
