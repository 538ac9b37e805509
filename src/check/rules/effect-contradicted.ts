import type { Tool } from '../../../schemas/tool.js';
import type { CommandEffect } from '../command-effect.js';
import { knownEffects } from '../command-effects.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

/** tool-node.md P14. */
export const effectContradicted: Rule = {
  name: 'effect-contradicted',
  severity: 'error',
  summary: 'The effect that a Tool states is not less than what its command is known to do.',
  why: 'A host runs a tool with readOnlyHint without asking the user, and one with destructiveHint: false with little asking. A Tool that claims to read and runs `rm` gets that trust and does not deserve it. Only commands whose effect is beyond doubt are judged, also where another program such as sudo, sh -c or xargs runs them, and none with an option such as --dry-run that the program knows.',
  fix: 'State the effect that the command has: "write", or "destructive" where something is lost.',
  example: { language: 'json', text: '{ "effect": "read", "invoke": { "shell": "git push --force" } }' },
  check: ({ nodes }) =>
    nodes.flatMap((node) => {
      const { id, effect } = node.tool;
      const contradiction = contradictionOf(node.tool);
      if (contradiction === undefined) return [];
      const message = `${id}: its effect is "${effect}", and ${contradiction}`;
      return { message, ...nodePlace(node, '/effect') };
    }),
};

/** Effects of a command that are more than the one stated. */
const beyond: ReadonlyMap<Tool['effect'], readonly CommandEffect[]> = new Map([
  ['read', ['destroys', 'writes', 'adds']],
  ['write', ['destroys']],
]);

function contradictionOf(tool: Tool): string | undefined {
  const more = beyond.get(tool.effect) ?? [];
  const known = knownEffects(tool);
  for (const effect of more) {
    const found = known.find((one) => one.effect === effect);
    if (found !== undefined) return `${found.words} ${effect === 'destroys' ? 'destroys something' : 'writes'}`;
  }
  const [kept] = tool.maintains ?? [];
  return tool.effect === 'read' && kept !== undefined ? `it maintains ${kept.artefact}, which is to write` : undefined;
}
