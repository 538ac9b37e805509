import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { applyMutant } from '../../scripts/apply-mutant.js';
import { mutants } from '../../scripts/mutants-table.js';
import { projectFile } from '../repository/source-files.js';

const mutant = { id: 'X1', file: 'src/a.ts', find: 'a > b', replace: 'a >= b', test: 'test/a.test.ts', name: 'X1' };

describe('A mutant', () => {
  it('changes the one place that it names', () => {
    expect(applyMutant('if (a > b) {\n  c();\n}', mutant)).toEqual({ source: 'if (a >= b) {\n  c();\n}' });
  });

  it.each([
    ['no longer occurs', 'if (a < b) {}', mutant],
    ['occurs 2 times', 'a > b; a > b', mutant],
    ['changes nothing', 'a > b', { ...mutant, replace: 'a > b' }],
    ['parts of one line', 'a > b', { ...mutant, replace: 'a\n>= b' }],
  ])('is unusable when it %s', (why, source, wrong) => {
    expect(applyMutant(source, wrong)).toEqual({ why: expect.stringContaining(why) });
  });
});

describe('The table of mutants', () => {
  it.each(mutants)('fits the source, and names a test that is there: $id', (row) => {
    expect(applyMutant(projectFile(row.file), row)).toHaveProperty('source');
    expect(existsSync(fileURLToPath(new URL(`../../${row.test}`, import.meta.url)))).toBe(true);
  });

  it('has each id once', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  });
});
