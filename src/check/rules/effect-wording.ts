import type { ToolNode } from '../../projection/node.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

/** tool-node.md P14. */
export const effectWording: Rule = {
  name: 'effect-wording',
  severity: 'warning',
  summary: 'A Tool whose effect is "read" is not called by what destroys or publishes.',
  why: 'Either the words or the effect are wrong, and a host believes the effect: it runs the tool without asking the user.',
  fix: 'State the effect that the Tool has, or say what it does in other words.',
  example: { language: 'json', text: '{ "effect": "read", "title": "Delete old branches" }' },
  check: ({ nodes }) =>
    nodes.flatMap((node) => {
      const told = node.tool.effect === 'read' ? tellingWord(node) : undefined;
      if (told === undefined) return [];
      const message = `${node.tool.id}: its effect is "read", and its ${told.of} begins with "${told.word}"`;
      return { message, ...nodePlace(node, `/${told.of}`) };
    }),
};

/** A verb at the beginning, in either form; `drop-down` and `remove-only` are other words. */
const verbs =
  /^(?:delet|remov|destroy|eras|wip|purg|uninstall|overwrit|truncat|drop|publish|upload|deploy|instal|kill|revok)(?:e|es|s|ing|ping|l|ls|ling)?(?![\w-])/iu;

function tellingWord({
  tool,
}: ToolNode): { readonly of: 'title' | 'description' | 'id'; readonly word: string } | undefined {
  for (const of of ['title', 'description', 'id'] as const) {
    const text = of === 'id' ? tool.id.replaceAll('-', ' ') : tool[of];
    const word = verbs.exec(text.trimStart())?.[0];
    if (word !== undefined) return { of, word };
  }
  return undefined;
}
