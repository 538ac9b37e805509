import { nodePlace, servedNodes } from '../node-place.js';
import type { Rule } from '../rule.js';

/** In UTF-16 code units: OpenAI's API refuses a function whose description is longer; other hosts cut at twice that or do not say. */
const most = 1024;

export const longDescription: Rule = {
  name: 'long-description',
  severity: 'warning',
  summary: `The description of a served Tool, its banners included, has at most ${most} characters.`,
  why: 'Some hosts refuse a list with a longer one, others cut it where it happens to end, and every request pays for it.',
  fix: 'Keep what the tool does and returns; put when to use it into selection.when, and what an input means into its description.',
  check: (instance) =>
    servedNodes(instance).flatMap(({ node, entry: { declaration } }) => {
      const { length } = declaration.description;
      if (length <= most) return [];
      const message = `${node.tool.id}: its description has ${length} characters, and some hosts take at most ${most}`;
      return { message, ...nodePlace(node, '/description') };
    }),
};
