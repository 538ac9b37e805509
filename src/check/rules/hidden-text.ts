import { hiddenCharacters } from '../hidden-characters.js';
import { readTexts } from '../read-text.js';
import type { Rule } from '../rule.js';

export const hiddenText: Rule = {
  name: 'hidden-text',
  severity: 'error',
  summary:
    'No text that a model reads has characters that a person who reviews it does not see, or sees in another order.',
  why: 'A model reads them all the same: instructions can stand in tag characters or variation selectors, and a bidirectional override shows a reviewer another text than the model gets. Emoji sequences, joiners of scripts that join and right-to-left text are no finding.',
  fix: 'Remove the character, or write what it hides in plain text.',
  example: { language: 'json', text: '{ "description": "Counts words.\\u200b" }' },
  check: function* (instance) {
    for (const { text, what, place } of readTexts(instance)) {
      const [first, ...others] = hiddenCharacters(text);
      if (first === undefined) continue;
      const more = others.length === 0 ? '' : `, and ${others.length} more such characters`;
      yield { message: `${what} has ${first.name} at character ${first.position}${more}`, ...place };
    }
  },
};
