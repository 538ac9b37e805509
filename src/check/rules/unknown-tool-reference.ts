import { nearestName } from '../../nearest-name.js';
import type { ToolNode } from '../../projection/node.js';
import { decodedPart, localName } from '../../store/node-iri.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

export const unknownToolReference: Rule = {
  name: 'unknown-tool-reference',
  severity: 'error',
  summary: 'Every Tool that another names as its replacement, its alternative or a remedy exists.',
  why: 'Whoever follows the reference, a person or a query, ends nowhere: a deprecated tool has no successor, an error no remedy.',
  fix: 'Correct the id, or remove the reference.',
  example: { language: 'json', text: '{ "tier": "deprecated", "deprecated": { "replacedBy": "new-tol" } }' },
  check: ({ nodes, generation }) => {
    const ids = nodes.map(({ tool }) => tool.id);
    // A Tool that is a problem now is there all the same.
    const subjects = generation.problems.flatMap(({ subject }) => subject ?? []);
    const known = new Set([...ids, ...nodes.map(({ iri }) => iri), ...subjects, ...subjects.map(lastStep)]);
    return nodes.flatMap((node) =>
      references(node)
        .filter(({ to }) => !known.has(to))
        .map(({ to, words, at }) => {
          const meant = nearestName(to, ids);
          const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
          return {
            message: `${node.tool.id}: ${words} "${to}", and no Tool has this id${hint}`,
            ...nodePlace(node, at),
          };
        }),
    );
  },
};

function references({ tool: { deprecated, alternativeTo = [], remedies = [] } }: ToolNode) {
  return [
    ...alternativeTo.map((to) => ({ to, words: 'it is an alternative to', at: '/alternativeTo' })),
    ...remedies.flatMap(({ tool }) =>
      tool === undefined ? [] : { to: tool, words: 'a remedy names', at: '/remedies' },
    ),
    ...[deprecated?.replacedBy ?? []]
      .flat()
      .map((to) => ({ to, words: 'it is replaced by', at: '/deprecated/replacedBy' })),
  ];
}

function lastStep(iri: string): string {
  return decodedPart(localName(iri));
}
