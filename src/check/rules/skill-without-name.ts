import type { Rule } from '../rule.js';

export const skillWithoutName: Rule = {
  name: 'skill-without-name',
  severity: 'warning',
  summary: 'Every Markdown file in a folder of skills is a skill.',
  why: 'A .md is a skill when its front matter has a "name"; any other is prose and is left alone. In a folder of skills that is mostly a front matter that was forgotten.',
  fix: 'Begin the file with a line ---, a line with its name, and a line ---; or keep prose elsewhere. A README.md is no finding.',
  example: { language: 'markdown', text: '# Release\n\nHow a release is made.' },
  check: ({ members }) =>
    [...members].flatMap(([label, { proseAmongSkills }]) =>
      proseAmongSkills
        .filter((path) => !prose.test(path.slice(path.lastIndexOf('/') + 1)))
        .map((document) => ({
          message: 'this Markdown file has no "name" in a front matter, so it is no skill',
          document,
          ...(label === '' ? {} : { instance: label }),
          line: 1,
          column: 1,
        })),
    ),
};

/** Files that a folder has for its readers. */
const prose = /^(?:readme|index|contributing|changelog|license|notice)\b/iu;
