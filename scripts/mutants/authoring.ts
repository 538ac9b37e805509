import type { Mutant } from '../mutants-table.js';

/** What the person is told who writes a node. */
export const authoringMutants: readonly Mutant[] = [
  {
    id: 'define words',
    file: 'schemas/define-tool.ts',
    find: 'wordIssues(error, ToolDocumentSchema, definition)',
    replace: 'wordIssues(error, ToolDocumentSchema, undefined)',
    test: 'test/schemas/define-tool.test.ts',
    name: 'names the Tool, every field that is wrong',
  },
  {
    id: 'why call',
    file: 'src/cli/explain.ts',
    find: "return effect === 'read' && !isGated;",
    replace: 'return !isGated;',
    test: 'test/cli/explain.test.ts',
    name: 'gives no call that runs when it is pasted',
  },
  {
    id: 'advice joined',
    file: 'src/check/advice/usage-inputs.ts',
    find: "separator === '='",
    replace: "separator === ' '",
    test: 'test/check/advice/applied-advice.test.ts',
    name: 'makes of the placeholders of "git log --author=<n>"',
  },
  {
    id: 'advice stdin',
    file: 'src/check/advice/input-advice.ts',
    find: 'return isTaken || repeated === true ? [] : [{ stdin: true }];',
    replace: 'return isTaken ? [] : [{ stdin: true }];',
    test: 'test/check/advice/advice.test.ts',
    name: 'offers an input without a way each way that is free',
  },
  {
    id: 'advice type',
    file: 'src/check/advice/type-advice.ts',
    find: 'return nearestType(iri, types) ?? sameName ??',
    replace: 'return sameName ??',
    test: 'test/check/advice/advice.test.ts',
    name: 'says of a type that nothing defines which there are',
  },
  {
    id: 'advice place',
    file: 'src/check/rules/omissions.ts',
    find: "advice.pointer ?? ''",
    replace: "''",
    test: 'test/check/rules/omissions.test.ts',
    name: 'point at the field that is to be changed',
  },
  {
    id: 'why documents',
    file: 'src/store/merge-tool.ts',
    find: 'const alsoIn = [...added].sort(byCodeUnits);',
    replace: 'const alsoIn = [path];',
    test: 'test/store/merge-tool.test.ts',
    name: 'is complete only with the others',
  },
  {
    id: 'schemas updated',
    file: 'src/cli/init.ts',
    find: 'writeFileAtomic.sync(join(root, path), content);',
    replace: 'if (!existsSync(join(root, path))) writeFileAtomic.sync(join(root, path), content);',
    test: 'test/cli/init.test.ts',
    name: 'are brought up to date by --schemas',
  },
];
