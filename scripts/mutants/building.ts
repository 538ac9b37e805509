import type { Mutant } from '../mutants-table.js';

/** What `build` writes, and how. */
export const buildingMutants: readonly Mutant[] = [
  {
    id: 'build foreign',
    file: 'src/build/plan.ts',
    find: "const other = made.has(path) ? 'stale' : 'foreign';",
    replace: "const other = made.has(path) ? 'stale' : 'stale';",
    test: 'test/build/write-build.test.ts',
    name: 'refuses a file that no build has made, and writes nothing',
  },
  {
    id: 'build edited',
    file: 'src/build/plan.ts',
    find: "sha256Of(present) === digest ? 'extra' : 'edited'",
    replace: "digest !== '' ? 'extra' : 'edited'",
    test: 'test/build/write-build.test.ts',
    name: 'leaves every other file alone',
  },
  {
    id: 'build under way',
    file: 'src/build/write-build.ts',
    find: 'const during = { complete: false,',
    replace: 'const during = { complete: true,',
    test: 'test/build/write-build.test.ts',
    name: 'shows no reader who trusts the manifest half a build',
  },
  {
    id: 'build refusal',
    file: 'src/cli/build.ts',
    find: "if (faults.length > 0 || findings.some(({ severity }) => severity === 'error')) {",
    replace: 'if (faults.length > 0) {',
    test: 'test/cli/build.test.ts',
    name: 'leaves the folder as it was',
  },
];
