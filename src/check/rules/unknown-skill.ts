import { nearestName } from '../../nearest-name.js';
import { nodePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

export const unknownSkill: Rule = {
  name: 'unknown-skill',
  severity: 'error',
  summary: 'Every skill that a Tool satisfies exists, where its instance describes skills.',
  why: 'Who asks the graph which Tool satisfies a skill does not find this one, and who reads the Tool looks for a skill that is not there.',
  fix: 'Correct the name, or describe the skill: a .md with "name" in its front matter.',
  example: { language: 'json', text: '{ "satisfies": ["docs-generaton"] }' },
  check: ({ nodes, skills }) => {
    const labels = new Set(skills.map(({ instance = '' }) => instance));
    const names = skills.map(({ name }) => name);
    const known = new Set([...names, ...skills.map(({ iri }) => iri)]);
    return nodes
      .filter(({ instance = '' }) => labels.has(instance))
      .flatMap((node) =>
        node.tool.satisfies
          .filter((name) => !known.has(name))
          .map((name) => {
            const meant = nearestName(name, names);
            const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
            return {
              message: `${node.tool.id}: it satisfies "${name}", and no skill has this name${hint}`,
              ...nodePlace(node, '/satisfies'),
            };
          }),
      );
  },
};
