import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import { completeResource } from './resources/complete-resource.js';
import { readResource } from './resources/read-resource.js';
import { buildResourcesList, buildResourceTemplatesList } from './resources/resource-list.js';
import { ResourceFailure, ResourceRequestError } from './resources/resource-text.js';
import type { ClientView, ServedInstance } from './server.js';
import { mostSubscriptions } from './watched-resources.js';

/** Runs a handler so that only what may reach the client does. */
export type Answer = <T>(work: () => T | Promise<T>) => Promise<T>;

/** The requests about resources: list, templates, read, subscribe, completion. All wait for the first generation. */
export function handleResources(server: Server, service: ServedInstance, view: ClientView, answer: Answer): void {
  const inWords: Answer = (work) => answer(() => withProtocolErrors(work));
  server.setRequestHandler('resources/list', () =>
    answer(async () => {
      await service.ready;
      view.listedResources();
      return { resources: buildResourcesList(service) };
    }),
  );
  server.setRequestHandler('resources/templates/list', () =>
    answer(async () => {
      await service.ready;
      view.listedResources();
      return { resourceTemplates: buildResourceTemplatesList(service) };
    }),
  );
  server.setRequestHandler('resources/read', ({ params }, ctx) =>
    inWords(async () => {
      await service.ready;
      return { contents: [{ ...(await existing(service, params.uri, ctx.mcpReq.signal)) }] };
    }),
  );
  server.setRequestHandler('resources/subscribe', ({ params }, ctx) =>
    inWords(async () => {
      await service.ready;
      const contents = await existing(service, params.uri, ctx.mcpReq.signal);
      const isTaken = view.subscribed(params.uri, 'text' in contents ? contents.text : contents.blob);
      if (!isTaken) throw new ResourceRequestError(tooManySubscriptions);
      return {};
    }),
  );
  server.setRequestHandler('resources/unsubscribe', ({ params }) =>
    answer(() => {
      view.unsubscribed(params.uri);
      return {};
    }),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, ctx) =>
    inWords(async () => {
      await service.ready;
      if (ref.type !== 'ref/resource') throw new ResourceRequestError('there are no prompts, so none is completed');
      const given = new Map(Object.entries(context?.arguments ?? {}));
      return { completion: await completeResource(service, ref.uri, argument, given, ctx.mcpReq.signal) };
    }),
  );
}

const tooManySubscriptions = `at most ${mostSubscriptions} resources can be subscribed to at once; unsubscribe from one`;

async function existing(service: ServedInstance, uri: string, signal: AbortSignal) {
  const found = await readResource(service, uri, signal);
  if (found === undefined) throw new ResourceNotFoundError(uri);
  return found;
}

/** `data` of a wrong parameter has no `uri`: by that clients know a resource that is not there (SEP-2164). */
async function withProtocolErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ResourceRequestError) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { code: error.code });
    }
    if (error instanceof ResourceFailure) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message, { code: error.code });
    }
    throw error;
  }
}
