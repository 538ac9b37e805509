import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

export const unfinishedDescription: Rule = {
  name: 'unfinished-description',
  severity: 'warning',
  summary: 'The description of a Tool does not end in the middle of a sentence.',
  why: 'What is cut off, by an editor, a generator or a forgotten edit, is what the model would have needed to know.',
  fix: 'Finish the sentence, or remove what is left of it.',
  example: { language: 'json', text: '{ "description": "Counts the words, lines and" }' },
  check: ({ nodes }) =>
    nodes.flatMap((node) => {
      const why = unfinished(node.tool.description);
      return why === undefined
        ? []
        : { message: `${node.tool.id}: its description ${why}`, ...nodePlace(node, '/description') };
    }),
};

/** Words after which something must come, and what is opened and never closed. Prose without a full stop is finished. */
function unfinished(description: string): string | undefined {
  const text = description.trim();
  const end = /(?:\b(?:and|or|but|the|an|if|because|whose)|[,;:([{–—-]|\.\.\.|…)$/u.exec(text)?.[0];
  if (end !== undefined && text.length > end.length) return `ends in ${JSON.stringify(end)}`;
  // A list with 1) and a) closes more than it opens.
  if (text.split('(').length > text.split(')').length) return 'opens a parenthesis and does not close it';
  return text.split('`').length % 2 === 0 ? 'opens a code span and does not close it' : undefined;
}
