// Prints the name of each test that failed, and then "N passed, N failed", from the lines of smoke.mjs and Vitest's JSON reports.
import { existsSync, readFileSync } from 'node:fs';

const [smokeFile = '', ...reportFiles] = process.argv.slice(2);
const smoke = readFileSync(smokeFile, 'utf8').split('\n');
let passed = smoke.filter((line) => line.startsWith('ok ')).length;
const failures = smoke.filter((line) => line.startsWith('not ok '));
for (const reportFile of reportFiles) {
  if (existsSync(reportFile)) {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    passed += report.numPassedTests;
    for (const file of report.testResults) {
      // A file that does not load has no tests, and is a failure.
      if (file.status === 'failed' && file.assertionResults.length === 0) failures.push(`${file.name}: does not load`);
      for (const { status, fullName } of file.assertionResults) {
        if (status === 'failed') failures.push(`${file.name}: ${fullName}`);
      }
    }
  } else {
    failures.push(`${reportFile} was not written: the checks before the tests failed`);
  }
}
for (const failure of failures) console.log(`failed: ${failure}`);
console.log(`${passed} passed, ${failures.length} failed`);
