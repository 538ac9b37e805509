import type { Mutant } from '../mutants-table.js';

/** Faults of `check`: what it must find, and what nobody may silence. */
export const checkingMutants: readonly Mutant[] = [
  {
    id: 'C1',
    file: 'src/check/check.ts',
    find: "if (setting?.severity === 'off') silenced.push({ ...finding, reason: setting.reason });",
    replace: "if (setting?.severity === 'off') continue;",
    test: 'test/check/check.test.ts',
    name: 'keeps what the config silences apart',
  },
  {
    id: 'C1.2',
    file: 'schemas/config.ts',
    find: '(isProblemRule(id) ? [] : [name, id])',
    replace: '[name, id]',
    test: 'test/instance/config.test.ts',
    name: 'says of a rule that cannot be set what it is',
  },
  {
    id: 'C6',
    file: 'src/check/wrapped-commands.ts',
    find: 'taken.value === undefined) at += 1',
    replace: 'taken.value === undefined) at += 0',
    test: 'test/check/command-effects.test.ts',
    name: 'sudo -u root rm -rf b',
  },
  {
    id: 'C7',
    file: 'src/check/confusables.ts',
    find: 'latinOf.get(letter) ?? letter',
    replace: 'letter',
    test: 'test/check/rules/instruction-like-text.test.ts',
    name: 'finds an order in',
  },
  {
    id: 'C2',
    file: 'src/check/hidden-characters.ts',
    find: 'const hasRightToLeft = rightToLeft.test(text) && isBalanced(text) && areFewMarks(text);',
    replace: 'const hasRightToLeft = rightToLeft.test(text) && areFewMarks(text);',
    test: 'test/check/hidden-characters.test.ts',
    name: 'finds the first one in',
  },
  {
    id: 'C3',
    file: 'src/patterns/language.ts',
    find: "compile('(?:[^]*/)?\\\\.\\\\.(?:/[^]*)?')",
    replace: "compile('\\\\.\\\\.(?:/[^]*)?')",
    test: 'test/patterns/argv-proof.test.ts',
    name: 'may admit an option or a path out of the folder',
  },
  {
    id: 'C4',
    file: 'src/store/tool-merges.ts',
    find: '.filter((subject) => !read.has(subject))',
    replace: '.filter(() => true)',
    test: 'test/e2e/check.test.ts',
    name: 'finds an addition to a Tool that no document describes',
  },
  {
    id: 'C5',
    file: 'src/cli/print/findings-github.ts',
    find: ".replaceAll(':', '%3A')",
    replace: '',
    test: 'test/cli/print/findings-github.test.ts',
    name: 'escapes what would end a property',
  },
];
