/** One change of the source that must make a test fail. */
export interface Mutant {
  /** The row of cases.md or the rule of tool-node.md that the test guards, such as W1 or P13; `.2` and so on for a second one. */
  readonly id: string;
  readonly file: string;
  /** Part of one line, exactly; it occurs once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Path of the test file. */
  readonly test: string;
  /** As for `vitest -t`: which tests of the file. */
  readonly name?: string;
}

export const mutants: readonly Mutant[] = [
  {
    id: 'tool-node §1',
    file: 'schemas/tool-rules.ts',
    find: 'if (doc.description !== undefined && doc.summary !== undefined) {',
    replace: 'if (doc.description === doc.summary) {',
    test: 'test/schemas/tool-rules.test.ts',
    name: 'both names of the description',
  },
];
