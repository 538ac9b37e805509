import { nearestName } from '../../nearest-name.js';
import { toolIdIn } from '../../store/node-iri.js';
import type { UnclaimedSubject } from '../../store/stray-statements.js';
import { TG } from '../../store/vocabulary.js';
import type { CheckedInstance, Found, Rule } from '../rule.js';

export const unclaimedStatement: Rule = {
  name: 'unclaimed-statement',
  severity: 'error',
  summary: 'What a document adds to a Tool, or to a port of one, is about a Tool or port that is there.',
  why: 'A document may add to a Tool that another describes. Where the IRI is mistyped, or the Tool is gone, nothing of it has an effect: a "requiresConfirmation" that was meant to gate a Tool gates none.',
  fix: 'Correct the IRI, or remove the statements.',
  example: {
    language: 'turtle',
    text: '<urn:toolgraph:demo:tool/deplyo> tg:requiresConfirmation true .',
  },
  check: (instance) =>
    [...instance.members].flatMap(([label, { unclaimed }]) => {
      const problems = instance.generation.problems.filter((problem) => (problem.instance ?? '') === label);
      // A document that cannot be read may be the home.
      if (problems.some(({ code, subject }) => subject === undefined && code !== 'invalid-config')) return [];
      const broken = problems.flatMap(({ subject }) => subject ?? []);
      return unclaimed
        .filter((one) => isMeantForTool(one) && !broken.some((iri) => isIn(iri, one.subject)))
        .map((one): Found => {
          const { document, subject } = one;
          return {
            message: `${wordsFor(subject, instance)}, so what is stated of it has no effect`,
            document,
            ...(label === '' ? {} : { instance: label }),
            subject,
          };
        });
    }),
};

/** Titles and lists occur in any data; an IRI of a Tool, or a property of our own namespace, is meant for us. */
function isMeantForTool({ subject, properties }: UnclaimedSubject): boolean {
  return toolOf(subject) !== undefined || properties.some((property) => property.startsWith(TG));
}

function isIn(node: string, subject: string): boolean {
  return subject === node || subject.startsWith(`${node}/`);
}

/** The IRI of the Tool that a subject is, or is a part of: `<base>tool/<id>/input/<name>`. */
function toolOf(subject: string): string | undefined {
  return /^(?:.*[/:#])?tool\/[^/#?]+(?=\/|$)/.exec(subject)?.[0];
}

function wordsFor(subject: string, { nodes }: CheckedInstance): string {
  const iri = toolOf(subject);
  const id = iri === undefined ? undefined : toolIdIn(iri);
  if (iri === undefined || id === undefined) return `no document describes <${subject}>`;
  if (nodes.some((node) => node.iri === iri)) return `the Tool "${id}" has no part <${subject}>`;
  const meant = nearestName(
    id,
    nodes.map(({ tool }) => tool.id),
  );
  return `no document describes the Tool <${iri}>${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
}
