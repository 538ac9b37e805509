import { z } from 'zod';

/** Name of a skill: what a Tool's `satisfies` holds. */
const SkillNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'expected lower-case letters, digits and "-"')
  .max(256);

/** A skill: a capability stated generically. From the front matter of a `.md`, or a Skill node. */
export const SkillSchema = z.strictObject({
  $schema: z.string().optional(),
  '@context': z.unknown().optional(),
  '@type': z.union([z.string(), z.array(z.string())]).optional(),
  '@id': z.string().optional(),
  name: SkillNameSchema,
  title: z.string().min(1).max(16_384).optional(),
  description: z.string().min(1).max(16_384).optional(),
});

export interface Skill {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
}
