import { localName } from '../../store/node-iri.js';
import { propertyIri } from '../../store/vocabulary.js';
import { nodePlace } from '../node-place.js';
import type { Found, Rule } from '../rule.js';

export const unreadDescription: Rule = {
  name: 'unread-description',
  severity: 'warning',
  summary: 'A port that a document describes in other words than ours has a description that the model reads.',
  why: 'A port is described by one property. A comment, a label or a description of another vocabulary stays in the graph, and the model gets a bare name.',
  fix: `State it with <${propertyIri('description')}>.`,
  example: { language: 'turtle', text: '[ schema:name "path" ; rdfs:comment "The folder to count" ; tg:schema <…> ]' },
  check: ({ nodes, members }) =>
    nodes.flatMap((node) => {
      const { foreign = [] } = members.get(node.instance ?? '') ?? {};
      const said = foreign.filter(
        ({ subject, term }) => subject.startsWith(`${node.iri}/`) && describes.has(localName(term)),
      );
      if (said.length === 0) return [];
      return (['inputs', 'outputs'] as const).flatMap((kind) =>
        node.tool.io[kind].flatMap(({ name, description }, i): Found[] => {
          const port = `${node.iri}/${kind.slice(0, -1)}/${encodeURIComponent(name)}`;
          const found = description === undefined ? said.find(({ subject }) => subject === port) : undefined;
          if (found === undefined) return [];
          const message = `${node.tool.id}: its ${kind.slice(0, -1)} "${name}" is described with <${found.term}>, which no model reads`;
          return [{ message, ...nodePlace(node, `/io/${kind}/${i}`) }];
        }),
      );
    }),
};

/** Local names of what RDFS, schema.org, SKOS and the older Dublin Core say for a description. */
const describes: ReadonlySet<string> = new Set([
  'comment',
  'description',
  'definition',
  'label',
  'abstract',
  'summary',
]);
