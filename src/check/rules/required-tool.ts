import { configFileName } from '../../../schemas/config.js';
import { nearestName } from '../../nearest-name.js';
import { documentIn } from '../../projection/labelled-documents.js';
import { toolIdIn } from '../../store/node-iri.js';
import type { CheckedInstance, Rule } from '../rule.js';

/** Forge's first rule of verification: every required tool is present. */
export const requiredTool: Rule = {
  name: 'required-tool',
  severity: 'error',
  summary: 'Every Tool that the config requires is served.',
  why: 'Somebody relies on these tools. Without the rule, one that drops out of the list leaves no trace but its absence.',
  fix: 'Do what the message says of the Tool, or take it out of "require".',
  example: { language: 'json', text: '{ "require": ["disk-usage"] }' },
  check: (instance) =>
    [...instance.members].flatMap(([label, { config }]) =>
      config.require.flatMap((id, i) => {
        const why = whyAbsent(id, label, instance);
        return why === undefined
          ? []
          : {
              message: `the required Tool "${id}" is not served: ${why}`,
              document: documentIn(label, configFileName),
              ...(label === '' ? {} : { instance: label }),
              pointer: `/require/${i}`,
            };
      }),
    ),
};

function whyAbsent(id: string, label: string, { generation, nodes }: CheckedInstance): string | undefined {
  const isIn = ({ instance = '' }: { readonly instance?: string }) => instance === label;
  const isMeant = (one: { readonly id: string; readonly instance?: string }) => one.id === id && isIn(one);
  if ([...generation.entries.values()].some((entry) => isMeant(entry) && entry.lastGood !== true)) return undefined;
  const omission = generation.omissions.find(isMeant);
  if (omission !== undefined) return `${omission.code}: ${omission.reason}`;
  const own = nodes.filter(isIn);
  const iris = own.filter(({ tool }) => tool.id === id).map(({ iri }) => iri);
  const isAboutIt = (subject = '') =>
    toolIdIn(subject) === id || iris.some((iri) => subject === iri || subject.startsWith(`${iri}/`));
  const problems = generation.problems.filter(isIn);
  const problem = problems.find(({ subject }) => isAboutIt(subject));
  if (problem !== undefined) return `${problem.code}: ${problem.message}`;
  const isUnclear = problems.some(({ subject }) => subject === undefined);
  const meant = nearestName(
    id,
    own.map(({ tool }) => tool.id),
  );
  const documents = isUnclear ? 'no document that could be read' : 'no document';
  return `${documents} describes it${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}
