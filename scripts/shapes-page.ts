import { page, table } from './reference-pages.js';
import type { ShaclLimit } from './shacl-limits.js';

/** docs/shapes.md: what the SHACL shapes are for, and where they and the service differ. */
export function renderShapesPage(limits: readonly ShaclLimit[]): string {
  const rows = (accepts: ShaclLimit['accepts']) =>
    limits.filter((limit) => limit.accepts === accepts).map(({ what }) => [what]);
  const body = [
    'The package has SHACL Core shapes for Tools, skills and views: `toolgraph/schemas/generated/shapes.ttl`. With them any SHACL processor can judge a graph that ' +
      'was made elsewhere before it is given to toolgraph, and what `toolgraph export` writes. `toolgraph check` needs none of it: it uses the Zod schemas that the shapes are made from, ' +
      'and finds more. A test holds both to the same verdict, on nodes that are right and on nodes that are broken in one place.',
    '```sh\ntoolgraph export --format turtle > graph.ttl\nshacl validate --shapes node_modules/toolgraph/schemas/generated/shapes.ttl --data graph.ttl   # Apache Jena\n```',
    'The shapes are open: a node may have any triple of another vocabulary. A node is judged by its class, `tg:Tool`, `tg:Skill` or `tg:View`; a Tool over several documents is to be judged in the graph of them all. ' +
      'SHACL counts the characters of a text by code points, toolgraph by UTF-16 units.',
    `## What only the service sees\n\n${table(['The shapes accept what the service refuses'], rows('shapes'))}`,
    `## Where the shapes are stricter\n\n${table(['The shapes refuse what the service accepts'], rows('service'))}`,
    'What does not come into the graph cannot be judged there either: an unknown key of a document, both spellings of one field, an `io` that is left out.',
  ].join('\n\n');
  return page('SHACL shapes', 'schemas/` and `scripts/shacl-limits.ts', body);
}
