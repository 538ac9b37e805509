import type { Service, ServiceStatus } from '../../service.js';
import { reportGeneration } from '../generation-report.js';
import { inline, page, points, table } from './markdown-text.js';
import type { ResourceDocument } from './resource-text.js';

/** One of the resources that are always there. */
export interface FixedResource {
  readonly name: string;
  /** One sentence, without the full stop. */
  readonly says: string;
  readonly read: (service: Pick<Service, 'current' | 'status'>) => ResourceDocument;
}

/**
 * What the service says of its generation, by kind. Each has a stable JSON form under a key of its own. Without the generation's number, which
 * `status` has: a subscriber is told of a new text, not of every generation.
 */
export const fixedResources: ReadonlyMap<string, FixedResource> = new Map<string, FixedResource>([
  [
    'tools',
    {
      name: 'tools',
      says: 'The tools that are served now, as tools/list gives them',
      read: ({ current }) => {
        const { tools } = reportGeneration(current);
        const rows = tools.map(({ name, title, description }) => [
          inline(name),
          inline(title ?? ''),
          inline(description),
        ]);
        return listing('tools', tools, 'Tools', table(['name', 'title', 'description'], rows, 'No tool is served.'));
      },
    },
  ],
  [
    'omissions',
    {
      name: 'omissions',
      says: 'The tools that are deliberately not served, each with the reason',
      read: ({ current }) => {
        const { omissions } = reportGeneration(current);
        const rows = omissions.map(({ id, code, reason, document }) => [id, code, reason, document].map(inline));
        const views = (current?.viewOmissions ?? []).filter(({ code }) => code !== 'internal');
        const ofViews = views.map(({ id, code, reason, document }) => ({ id, code, reason, document }));
        const shown = table(['id', 'code', 'reason', 'document'], rows, 'No tool is omitted.');
        const told = points(ofViews.map(({ id, code, reason }) => inline(`the view ${id}: ${code}: ${reason}`)));
        const document = listing('omissions', omissions, 'Omissions', [shown, told].filter(Boolean).join('\n\n'));
        return ofViews.length === 0 ? document : { ...document, json: { ...document.json, views: ofViews } };
      },
    },
  ],
  [
    'problems',
    {
      name: 'problems',
      says: 'What could not be determined, each with file, line and what to do',
      read: ({ current }) => {
        const { problems } = reportGeneration(current);
        const rows = problems.map(({ code, message, document = '', line, column, id = '' }) => {
          const place = [document, line, column].filter((part) => part !== undefined && part !== '').join(':');
          return [place, code, id, message].map(inline);
        });
        return listing(
          'problems',
          problems,
          'Problems',
          table(['place', 'code', 'id', 'message'], rows, 'No problem.'),
        );
      },
    },
  ],
  [
    'status',
    {
      name: 'status',
      says: 'State, generation and counts of the service',
      read: (service) => {
        const status = service.status();
        return { json: { ...status }, markdown: () => statusPage(status) };
      },
    },
  ],
]);

/** The items are nodes of the graph that the document is, in the sense of JSON-LD. */
function listing(key: string, items: readonly object[], heading: string, body: string): ResourceDocument {
  return { json: { [key]: items }, context: { [key]: '@graph' }, markdown: () => page(`# ${heading}`, body) };
}

function statusPage({ instance, state, version, generation, ...counts }: ServiceStatus): string {
  const { tools, views, omissions, problems, documents } = counts;
  const number = generation === undefined ? 'none yet' : `${generation.number} (${generation.digest})`;
  return page(
    `# ${inline(instance)}`,
    points([
      ...[`state: ${state}`, `generation: ${number}`, `toolgraph: ${inline(version)}`],
      `${tools} tools, ${views} views, ${omissions} omissions, ${problems} problems, ${documents} documents`,
    ]),
  );
}
