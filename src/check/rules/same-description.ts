import { nodePlace, servedNodes } from '../node-place.js';
import type { Rule } from '../rule.js';

export const sameDescription: Rule = {
  name: 'same-description',
  severity: 'warning',
  summary: 'No two served Tools have the same description.',
  why: 'A model chooses by the description. Between two that say the same it guesses.',
  fix: 'Say in each what the other does not do.',
  check: (instance) => {
    const first = new Map<string, string>();
    return servedNodes(instance).flatMap(({ node }) => {
      const { id, description } = node.tool;
      const words = description
        .toLowerCase()
        .replaceAll(/[\s.]+/gu, ' ')
        .trim();
      const other = first.get(words);
      if (other === undefined) {
        first.set(words, id);
        return [];
      }
      return { message: `${id}: it has the same description as "${other}"`, ...nodePlace(node, '/description') };
    });
  },
};
