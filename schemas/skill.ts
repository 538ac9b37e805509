import { z } from 'zod';
import { nodeFields, typeField } from './fields.js';

/** Name of a skill: what a Tool's `satisfies` holds. */
const SkillNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and "-"')
  .max(256);

/** A skill: a capability stated generically. From the front matter of a `.md`, or a Skill node. */
export const SkillSchema = z
  .strictObject({
    ...nodeFields,
    '@type': typeField('Skill'),
    name: SkillNameSchema.meta({
      description: 'Name of the skill: what "satisfies" of a Tool holds',
      examples: ['docs-generation'],
    }),
    title: z
      .string()
      .min(1)
      .max(16_384)
      .optional()
      .meta({ description: 'Name for people', examples: ['Make docs'] }),
    description: z
      .string()
      .min(1)
      .max(16_384)
      .optional()
      .meta({ description: 'What the skill is for', examples: ['Make the documentation from the sources'] }),
  })
  .meta({ title: 'Skill', description: 'A capability stated generically, which Tools satisfy' });

export interface Skill {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}
