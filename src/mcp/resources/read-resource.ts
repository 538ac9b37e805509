import { formatParameter } from '../../../schemas/view.js';
import type { Service } from '../../service.js';
import { fixedResources } from './generation-resources.js';
import { invocationResource } from './invocation-resource.js';
import { skillResource, toolResource } from './node-resources.js';
import { type OutputContents, outputKind, readOutput } from './output-resource.js';
import {
  formatOf,
  type ResourceDocument,
  ResourceRequestError,
  type ResourceText,
  resourceText,
} from './resource-text.js';
import { parseResourceUri, type ResourceAddress } from './resource-uri.js';
import { type ViewContents, viewContent } from './view-content.js';
import { valuesOfTexts } from './view-parameters.js';
import { askView, readView } from './view-resource.js';
import { viewAt } from './view-uri.js';

/** All that resources are made of. */
export type ReadableService = Pick<
  Service,
  'current' | 'status' | 'nodes' | 'skills' | 'instances' | 'outputs' | 'recordedCalls' | 'query'
>;

/**
 * The contents of one resource; undefined for a URI that is none. Before the first generation the lists are empty, so a caller that wants
 * them awaits `service.ready` first.
 *
 * @throws ResourceRequestError for a parameter that is wrong; ResourceFailure for a resource that is there and cannot be given.
 */
export async function readResource(
  service: ReadableService,
  uri: string,
  signal?: AbortSignal,
): Promise<ResourceText | OutputContents | ViewContents | undefined> {
  const address = parseResourceUri(uri);
  if (address === undefined) return readAtOwnUri(service, uri, signal);
  const { kind, name, params } = address;
  if (kind === outputKind && name !== undefined) return readOutput(service, uri);
  if (kind === 'invocations' && name === undefined) {
    allow(params, ['tool', 'limit']);
    return resourceText(uri, formatOf(address), await invocationResource(service, params));
  }
  if (kind === 'view' && name !== undefined) return readViewResource(service, uri, { ...address, name }, signal);
  return readKnown(service, uri);
}

/** As `readResource`, at once: of the resources that are a function of the generation alone. Undefined for all others. */
export function readKnown(service: Omit<ReadableService, 'query'>, uri: string): ResourceText | undefined {
  const address = parseResourceUri(uri);
  if (address === undefined) return undefined;
  const document = knownDocument(service, address);
  if (document === undefined) return undefined;
  allow(address.params, []);
  return resourceText(uri, formatOf(address), document);
}

/** Whether a URI is that of a resource, however long it takes to read it. */
export function isResource(service: Omit<ReadableService, 'query'>, uri: string): boolean {
  const { kind, name } = parseResourceUri(uri) ?? {};
  if (kind === undefined) return viewAt(service.current?.views.values() ?? [], uri) !== undefined;
  if (kind === 'view') return name !== undefined && service.current?.views.has(name) === true;
  if (kind === 'invocations') return name === undefined;
  if (kind === outputKind) return service.outputs.list().some(({ call }) => call === name);
  return readKnown(service, uri) !== undefined;
}

function knownDocument(
  service: Omit<ReadableService, 'query'>,
  { kind, name }: ResourceAddress,
): ResourceDocument | undefined {
  if (name === undefined) return fixedResources.get(kind)?.read(service);
  if (kind === 'tool') return toolResource(service, name);
  return kind === 'skill' ? skillResource(service, name) : undefined;
}

async function readViewResource(
  service: ReadableService,
  uri: string,
  address: ResourceAddress & { readonly name: string },
  signal: AbortSignal | undefined,
): Promise<ResourceText | undefined> {
  const view = service.current?.views.get(address.name);
  if (view === undefined) return undefined;
  const format = formatOf(address);
  const given = new Map([...address.params].filter(([name]) => name !== formatParameter));
  const { document, meta } = await readView(service, view, valuesOfTexts(view, given), { signal });
  return resourceText(uri, format, document, meta);
}

/** What is read at the `uri` of a view. */
async function readAtOwnUri(
  service: ReadableService,
  uri: string,
  signal: AbortSignal | undefined,
): Promise<ResourceText | ViewContents | undefined> {
  const { view, params } = viewAt(service.current?.views.values() ?? [], uri) ?? {};
  if (view === undefined || params === undefined) return undefined;
  const values = valuesOfTexts(view, params);
  if (view.mediaType === undefined) {
    const { document, meta } = await readView(service, view, values, { signal });
    return resourceText(uri, 'jsonld', document, meta);
  }
  const { result, meta } = await askView(service, view, values, { signal });
  return viewContent(view, { uri, mimeType: view.mediaType, _meta: meta }, result);
}

function allow(params: ReadonlyMap<string, string>, names: readonly string[]): void {
  for (const name of params.keys()) {
    if (name === formatParameter || names.includes(name)) continue;
    const known = [...names, formatParameter].join(', ');
    throw new ResourceRequestError(`unknown parameter ${JSON.stringify(name.slice(0, 64))}; known here: ${known}`);
  }
}
