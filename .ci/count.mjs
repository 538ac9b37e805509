// Prints "N passed, N failed" from the lines of smoke.mjs and Vitest's JSON reports.
import { existsSync, readFileSync } from 'node:fs';

const [smokeFile = '', ...reportFiles] = process.argv.slice(2);
const smoke = readFileSync(smokeFile, 'utf8').split('\n');
let passed = smoke.filter((line) => line.startsWith('ok ')).length;
let failed = smoke.filter((line) => line.startsWith('not ok ')).length;
for (const reportFile of reportFiles) {
  if (existsSync(reportFile)) {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    // A file that does not load has no tests, and is a failure.
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    passed += report.numPassedTests;
    failed += report.numFailedTests + unloaded.length;
  } else {
    // The checks before the tests failed.
    failed += 1;
  }
}
console.log(`${passed} passed, ${failed} failed`);
