import { type Declaration, definitionKey, type Json, type JsonSchema } from '../../../schemas/declaration.js';
import { getStateToolName } from '../../../schemas/view.js';
import { isJsonObject } from '../../json-object.js';
import { nearestName } from '../../nearest-name.js';
import { jcsDigest } from '../../projection/digest.js';
import type { Generation } from '../../projection/generation.js';
import type { ServedParameter, ServedView } from '../../projection/view-state.js';
import { ResourceRequestError, type ResourceText, resourceText } from './resource-text.js';
import { resourceUri } from './resource-uri.js';
import { valuesOfTexts } from './view-parameters.js';
import { type AskedService, readView } from './view-resource.js';

/** A description of all views is not longer than this, in UTF-16 code units; what does not fit is read in the schema. */
const longestDescription = 6000;

/**
 * The tool that reads any view, for hosts that have no resources: `toolgraph_get_state`. Undefined where the generation does not offer it: it
 * was not asked for, there is no view, or a Tool that was served before has its name.
 */
export function buildGetStateTool(
  generation: Pick<Generation, 'getStateTool' | 'views' | 'entries'>,
): Declaration | undefined {
  const { getStateTool, entries } = generation;
  const views = [...generation.views.values()];
  if (getStateTool !== true || views.length === 0 || entries.has(getStateToolName)) return undefined;
  const declaration = {
    name: getStateToolName,
    title: 'Read a view of the graph',
    description: describe(views),
    inputSchema: {
      type: 'object' as const,
      properties: {
        view: { type: 'string', enum: views.map(({ id }) => id), description: 'Id of the view' },
        params: {
          type: 'object',
          description: 'Values of the parameters of the view, by their names',
          properties: parameterSchemas(views),
          additionalProperties: false,
        },
      },
      required: ['view'],
      additionalProperties: false as const,
    },
    annotations: { readOnlyHint: true },
  };
  return { ...declaration, _meta: { [definitionKey]: jcsDigest(declaration) } };
}

/** The digest of the list of tools that a client sees: that of the declarations, and of the tool that reads views where there is one. */
export function toolListDigest(generation: Generation): string {
  const own = buildGetStateTool(generation);
  return own === undefined ? generation.listDigest : jcsDigest([generation.listDigest, own._meta[definitionKey]]);
}

/**
 * What a call of the tool reads: the same text as the resource of the view. Throws as `readView` does, and a ResourceRequestError for arguments
 * that name no view, or are more than `view` and `params`.
 */
export async function readState(
  service: AskedService,
  generation: Pick<Generation, 'views'>,
  args: unknown,
  signal?: AbortSignal,
): Promise<ResourceText> {
  const { view, values } = requested(generation, args);
  const { document, meta } = await readView(service, view, values, { signal });
  return resourceText(resourceUri('view', view.id), 'jsonld', document, meta);
}

function requested({ views }: Pick<Generation, 'views'>, args: unknown) {
  if (!isJsonObject(args)) throw new ResourceRequestError('expected an object with "view" and "params"');
  const { view: id, params = {}, ...others } = args;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new ResourceRequestError(`unknown argument ${JSON.stringify(other.slice(0, 64))}; known here: view, params`);
  }
  const view = typeof id === 'string' ? views.get(id) : undefined;
  if (view === undefined) throw new ResourceRequestError(`view: ${unknownView(id, [...views.keys()])}`);
  if (!isJsonObject(params)) throw new ResourceRequestError('params: expected an object');
  const texts = Object.entries(params).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  // A model that was shown a type by the description alone writes a number as text.
  return { view, values: new Map([...Object.entries(params), ...valuesOfTexts(view, new Map(texts))]) };
}

function unknownView(id: unknown, known: readonly string[]): string {
  if (typeof id !== 'string') return `expected the id of a view: ${known.slice(0, 20).join(', ')}`;
  const near = nearestName(id, known);
  const hint = near === undefined ? `known here: ${known.slice(0, 20).join(', ')}` : `did you mean ${near}?`;
  return `no view has the id ${JSON.stringify(id.slice(0, 64))}; ${hint}`;
}

function describe(views: readonly ServedView[]): string {
  const start = 'Answers a question about the tools and skills of this instance from its graph. Views:';
  let text = start;
  for (const { id, description, parameters } of views) {
    const params = parameters.map(
      ({ name, type, required }) => `${name}: ${type.type}${required === true ? '' : ', optional'}`,
    );
    const line = `\n- ${id}${params.length === 0 ? '' : ` (${params.join('; ')})`}: ${description}`;
    if (text.length + line.length > longestDescription) break;
    text += line;
  }
  return text;
}

/** One property for each name. Where two views have a parameter of one name and different types, any string is accepted here. */
function parameterSchemas(views: readonly ServedView[]): JsonSchema {
  const byName = new Map<string, ServedParameter['type'][]>();
  for (const { name, type } of views.flatMap(({ parameters }) => parameters)) {
    byName.set(name, [...(byName.get(name) ?? []), type]);
  }
  return Object.fromEntries(
    Array.from(byName, ([name, types]): [string, Json] => {
      const [first] = types;
      const isOne = first !== undefined && types.every((type) => jcsDigest(type) === jcsDigest(first));
      return [name, isOne ? first : { type: 'string', description: 'Its type depends on the view' }];
    }),
  );
}
