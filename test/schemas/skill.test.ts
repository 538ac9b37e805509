import { describe, expect, it } from 'vitest';
import { SkillSchema } from '../../schemas/skill.js';

describe('A skill', () => {
  it('has a name, and may have a title and a description', () => {
    const skill = { name: 'docs-generation', title: 'Docs', description: 'Make the documentation' };
    expect(SkillSchema.parse(skill)).toEqual(skill);
    expect(SkillSchema.safeParse({ name: 'a' }).success).toBe(true);
  });

  it.each([{ name: 'Docs' }, { name: '-a' }, { name: '' }, {}, { name: 'a', license: 'MIT' }])(
    'is refused as %j',
    (skill) => {
      expect(SkillSchema.safeParse(skill).success).toBe(false);
    },
  );
});
