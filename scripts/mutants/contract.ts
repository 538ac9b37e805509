import type { Mutant } from '../mutants-table.js';

/** Faults of the contract check. */
export const contractMutants: readonly Mutant[] = [
  {
    id: '§5 contract',
    file: 'src/mcp/server-process.ts',
    find: 'await killGroup(child.pid, [...descendants, ...running.descendants]);',
    replace: '[];',
    test: 'test/mcp/server-list.test.ts',
    name: 'leaves no process behind',
  },
  {
    id: '§5 contract.2',
    file: 'src/mcp/header-secrets.ts',
    find: "told.replaceAll(form, '…')",
    replace: 'told',
    test: 'test/mcp/server-list.test.ts',
    name: 'words that do not repeat a header',
  },
  {
    id: '§5 contract.3',
    file: 'src/mcp/server-list.ts',
    find: 'if (cursors.size >= maxPages)',
    replace: 'if (cursors.size > maxTools)',
    test: 'test/mcp/server-list.test.ts',
    name: 'a server with endless pages',
  },
  {
    id: '§5 contract.4',
    file: 'src/check/contract/inclusion.ts',
    find: "accepts(b, example, this.#patterns) === 'no'",
    replace: 'true',
    test: 'test/check/contract/inclusion.test.ts',
    name: 'is shown by values',
  },
  {
    id: '§5 contract.5',
    file: 'src/cli/contract-report.ts',
    find: 'tools.every(({ unchecked }) => unchecked.length === 0)',
    replace: 'tools.length >= 0',
    test: 'test/e2e/contract.test.ts',
    name: 'decides patterns',
  },
];
