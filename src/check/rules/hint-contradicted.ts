import type { Tool } from '../../../schemas/tool.js';
import { knownEffects } from '../command-effects.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

/** tool-node.md P14. */
export const hintContradicted: Rule = {
  name: 'hint-contradicted',
  severity: 'error',
  summary: 'What a Tool states as idempotent and openWorld agrees with its effect, its requirements and its command.',
  why: 'A host that reads idempotentHint may call again after a failure, and one that reads openWorldHint: false may let a tool run where nothing from outside may come in. Annotations that contradict the node are not worth having.',
  fix: 'Correct the statement, or remove it: nothing stated gives no hint.',
  example: { language: 'json', text: '{ "openWorld": false, "requires": { "network": true } }' },
  check: ({ nodes }) =>
    nodes.flatMap((node) =>
      contradictions(node.tool).map(({ key, message }) => ({
        message: `${node.tool.id}: ${message}`,
        ...nodePlace(node, `/${key}`),
      })),
    ),
};

function contradictions(tool: Tool): { readonly key: string; readonly message: string }[] {
  const { effect, idempotent, openWorld, requires, invoke } = tool;
  const known = knownEffects(tool);
  const added = known.find((one) => one.effect === 'adds');
  const network = known.find((one) => one.effect === 'network');
  const container = typeof invoke.container === 'object' && invoke.container.network === true;
  return [
    ...(idempotent === false && effect === 'read'
      ? [{ key: 'idempotent', message: 'idempotent is false, and its effect is "read": to read again changes nothing' }]
      : []),
    ...(idempotent === true && added !== undefined
      ? [{ key: 'idempotent', message: `idempotent is true, and ${added.words} adds something each time` }]
      : []),
    ...(openWorld === false && (requires?.network === true || container)
      ? [{ key: 'openWorld', message: 'openWorld is false, and it requires the network' }]
      : []),
    ...(openWorld === false && requires?.network !== true && !container && network !== undefined
      ? [{ key: 'openWorld', message: `openWorld is false, and ${network.words} reaches other hosts` }]
      : []),
  ];
}
