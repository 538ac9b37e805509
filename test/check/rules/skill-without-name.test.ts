import { describe, expect, it } from 'vitest';
import { skillWithoutName } from '../../../src/check/rules/skill-without-name.js';
import { checked, found } from '../checked-instance.js';

describe('skill-without-name', () => {
  it('warns of Markdown in a folder of skills that is no skill, and not of what a folder has for its readers', () => {
    const proseAmongSkills = ['graph/skills/release.md', 'graph/skills/README.md', 'graph/skills/a/index.md'];
    expect(found(skillWithoutName, checked({ proseAmongSkills }))).toEqual([
      {
        message: 'this Markdown file has no "name" in a front matter, so it is no skill',
        document: 'graph/skills/release.md',
        line: 1,
        column: 1,
      },
    ]);
  });
});
