import { localName } from '../../store/node-iri.js';
import type { ForeignStatement } from '../../store/stray-statements.js';
import { classes, TG, terms } from '../../store/vocabulary.js';
import type { Found, Rule } from '../rule.js';

export const mistakenNamespace: Rule = {
  name: 'mistaken-namespace',
  severity: 'error',
  summary: 'No property or class stands in a namespace that is almost ours.',
  why: 'To RDF, another namespace is another vocabulary: a Tool of a class in it is no Tool, a field in it is not read, and nothing says so.',
  fix: `Write <${TG}> for the prefix.`,
  example: { language: 'turtle', text: '@prefix tg: <http://w3id.org/toolgraph/ns#> .' },
  check: ({ members }) =>
    [...members].flatMap(([label, { foreign }]) => {
      const likeTools = subjectsLikeTools(foreign);
      const told = new Set<string>();
      return foreign.flatMap(({ document, subject, term }): Found[] => {
        const namespace = namespaceOf(term);
        const key = `${namespace} ${document}`;
        const isMistaken = isAlmostOurs(namespace) || likeTools.has(`${subject} ${namespace}`);
        if (told.has(key) || !isMistaken || !ourNames.has(localName(term))) return [];
        told.add(key);
        const message = `<${term}> is not in the namespace <${TG}>, so it is not read`;
        return [{ message, document, ...(label === '' ? {} : { instance: label }), subject }];
      });
    }),
};

const ourNames: ReadonlySet<string> = new Set([
  ...Object.keys(classes),
  ...terms.map(({ key }) => key),
  ...terms.map(({ iri }) => localName(iri)),
]);

function namespaceOf(term: string): string {
  return term.slice(0, term.length - localName(term).length);
}

/** The same but for scheme, case, `www.` and what ends it, or the name of our namespace anywhere at all. */
function isAlmostOurs(namespace: string): boolean {
  const plain = (iri: string): string => iri.toLowerCase().replaceAll(/^https?:\/\/(?:www\.)?|[#/]+$/gu, '');
  return plain(namespace) === plain(TG) || /\btoolgraph\b/iu.test(namespace);
}

/** `subject namespace` of what has a class Tool, and two properties with names of ours, in one namespace that is none of ours. */
function subjectsLikeTools(foreign: readonly ForeignStatement[]): ReadonlySet<string> {
  const properties = new Map<string, Set<string>>();
  const tools = new Set<string>();
  for (const { subject, term, isClass } of foreign) {
    const key = `${subject} ${namespaceOf(term)}`;
    if (isClass && localName(term) === 'Tool') tools.add(key);
    if (isClass || !ourNames.has(localName(term))) continue;
    properties.set(key, (properties.get(key) ?? new Set()).add(term));
  }
  return new Set([...tools].filter((key) => (properties.get(key)?.size ?? 0) >= 2));
}
