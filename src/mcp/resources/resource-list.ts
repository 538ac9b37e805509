import { formatParameter } from '../../../schemas/view.js';
import type { ServedView } from '../../projection/view-state.js';
import type { Service } from '../../service.js';
import { fixedResources } from './generation-resources.js';
import { outputListing, outputTemplate } from './output-resource.js';
import { resourceUri, scheme } from './resource-uri.js';

/** What one resource is in a list. */
export interface ResourceListing {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly mimeType: string;
  /** In bytes, where it does not change. */
  readonly size?: number;
}

/** What a family of resources is in a list: an RFC 6570 template of their URIs. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly mimeType?: string;
}

/**
 * The result of `resources/list`: what the service knows of itself, whose URIs do not change while their contents do; the views that can be read
 * as they are; then the outputs that are kept, which are the other way round. Tools and skills have templates, and are completed.
 */
export function buildResourcesList(service: Pick<Service, 'status' | 'outputs' | 'current'>): ResourceListing[] {
  const { instance } = service.status();
  const about = (says: string): string => `${says} (instance ${instance})`;
  const mimeType = 'application/ld+json' as const;
  const fixed = Array.from(fixedResources, ([kind, { name, says }]) => {
    return { uri: resourceUri(kind), name, description: about(says), mimeType };
  });
  const calls = { uri: resourceUri('invocations'), name: 'invocations', description: about(invocationsSay), mimeType };
  const views = viewsOf(service)
    .filter((view) => !isTemplate(view) && view.parameters.every(({ required }) => required !== true))
    .map((view) => ({ uri: view.uri ?? resourceUri('view', view.id), ...shown(view) }));
  return [...fixed, calls, ...views, ...service.outputs.list().map(outputListing)];
}

/** The result of `resources/templates/list`. With `format=markdown` a resource is text for people. */
export function buildResourceTemplatesList(service: Pick<Service, 'current'>): ResourceTemplate[] {
  const mimeType = 'application/ld+json' as const;
  const forms = `${formatParameter}: "jsonld" or, to read it as text, "markdown"`;
  const own = [
    ['{resource}', 'resource', 'Of tools, omissions, problems and status the one that is named'],
    ['tool/{id}', 'tool', 'A tool by its id or name: its node, whether it is served, and why not'],
    ['skill/{name}', 'skill', 'A skill by its name, with the tools that satisfy it'],
    ['view/{id}', 'view', 'A view that needs no parameter, by its id'],
  ].map(([path, name = '', says]) => {
    const uriTemplate = `${scheme}${path}{?${formatParameter}}`;
    return { uriTemplate, name, description: `${says}; ${forms}`, mimeType };
  });
  const calls = {
    uriTemplate: `${scheme}invocations{?tool,limit,${formatParameter}}`,
    ...{ name: 'invocations', description: `${invocationsSay}, of one tool or all; ${forms}`, mimeType },
  };
  const views = viewsOf(service)
    .filter(({ parameters }) => parameters.length > 0)
    .map((view) => ({ uriTemplate: isTemplate(view) ? view.uri : ownTemplate(view), ...shown(view) }));
  return [...own, calls, ...views, outputTemplate];
}

function isTemplate(view: ServedView): view is ServedView & { readonly uri: string } {
  return view.uri?.includes('{') === true;
}

function ownTemplate({ id, parameters }: ServedView): string {
  return `${resourceUri('view', id)}{?${[...parameters.map(({ name }) => name), formatParameter].join(',')}}`;
}

/** How a view stands in the lists: at its `uri` where it has one. */
function shown({ id, title, description, mediaType = 'application/ld+json' }: ServedView) {
  return { name: id, title, description, mimeType: mediaType };
}

const invocationsSay = 'The last calls, newest first, refused ones included';

function viewsOf({ current }: Pick<Service, 'current'>): ServedView[] {
  return [...(current?.views.values() ?? [])];
}
