import { z } from 'zod';
import { AbsoluteIriSchema, nodeFields, text, typeField } from './fields.js';
import { type RuleViolation, type Tier, tiers, toolIdPattern } from './tool.js';

/** A typed value that a query is given. The name stands in the template of the resource and as the variable of the query. */
const ViewParameterSchema = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^[A-Za-z_][A-Za-z0-9_]{0,63}$/,
        'expected a variable name: 1 to 64 letters, digits and "_", not beginning with a digit',
      )
      .meta({ description: 'Name of the parameter: the variable of the query that it binds', examples: ['skill'] }),
    schema: AbsoluteIriSchema.meta({
      description: 'IRI of the type of its values',
      examples: ['https://w3id.org/toolgraph/types.schema.json#/$defs/Slug'],
    }),
    required: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it has to be given', default: false, examples: [true] }),
  })
  .meta({ description: 'A value that the query is given' });

// Groups that capture, because SHACL has no others. What follows a variable is no part of its value, so that a URI is matched without trying.
const uriPattern =
  /^[A-Za-z][A-Za-z0-9+.-]*:([A-Za-z0-9._~:/?@!$&'()*+,;=%-]|\{[A-Za-z_][A-Za-z0-9_]{0,63}\}[/?&])*(\{[A-Za-z_][A-Za-z0-9_]{0,63}\})?$/;
const mediaTypePattern = /^[A-Za-z0-9][A-Za-z0-9.+_-]*\/[A-Za-z0-9][A-Za-z0-9.+_-]*$/;

/** A view as it is written: the read-side dual of a Tool, a named SPARQL query over the graph. */
export const ViewSchema = z
  .strictObject({
    ...nodeFields,
    '@type': typeField('View'),
    id: z
      .string()
      .regex(toolIdPattern, 'expected lower-case letters, digits and "-", beginning with a letter')
      .max(512)
      .meta({ description: 'Id of the view', examples: ['tools-by-skill'] }),
    title: text.meta({ description: 'Name for people', examples: ['Tools by skill'] }),
    description: text.meta({
      description: 'What the view answers: what a model reads',
      examples: ['Which tools satisfy each skill'],
    }),
    tier: z
      .enum(tiers)
      .optional()
      .meta({ description: 'Who is to see it, as for Tools', default: 'stable', examples: ['experimental'] }),
    query: z
      .string()
      .min(1)
      .max(65_536)
      .meta({
        description: 'A SPARQL 1.1 SELECT, ASK or CONSTRUCT',
        examples: ['SELECT ?tool WHERE { ?tool <https://w3id.org/toolgraph/ns#satisfies> ?skill }'],
      }),
    parameters: z
      .array(ViewParameterSchema)
      .max(100)
      .optional()
      .meta({
        description: 'Values that the query is given, in the order of the template',
        default: [],
        examples: [[{ name: 'skill', schema: 'https://w3id.org/toolgraph/types.schema.json#/$defs/Slug' }]],
      }),
    uri: z
      .string()
      .max(2048)
      .regex(
        uriPattern,
        'expected an absolute URI without fragment, such as "notes://today", in which a {parameter} is followed by "/", "?", "&" or nothing',
      )
      .optional()
      .meta({
        description:
          'URI of its resource, beside that of toolgraph, or a template of URIs (RFC 6570) whose variables are parameters of the view',
        examples: ['notes://today', 'notes://{day}/summary'],
      }),
    mediaType: z
      .string()
      .max(255)
      .regex(mediaTypePattern, 'expected a media type, such as "text/plain"')
      .optional()
      .meta({
        description:
          'What is read at its "uri": the one value that the SELECT gives, as content of this media type. An xsd:base64Binary is bytes, any other ' +
          'literal text. Left out, it is JSON-LD',
        examples: ['text/plain', 'image/png'],
      }),
  })
  .meta({
    title: 'View',
    description: 'A named query over the graph, served as an MCP resource',
  });

type ViewDocument = z.output<typeof ViewSchema>;
export type ViewParameter = z.output<typeof ViewParameterSchema>;

/** A view with its defaults filled in. */
export interface View extends Pick<ViewDocument, 'id' | 'title' | 'description' | 'query' | 'uri' | 'mediaType'> {
  readonly tier: Tier;
  readonly parameters: readonly ViewParameter[];
}

/** MCP name of the tool that reads any view. No Tool can have it while that tool is asked for. */
export const getStateToolName = 'toolgraph_get_state';

/** In the URI of a resource it asks for the Markdown form, so no parameter can have it. */
export const formatParameter = 'format';

/** What one field of a view alone cannot show. Pure; also run on the source tree, where positions exist. */
export function viewRules({
  parameters = [],
  uri,
  mediaType,
}: Pick<ViewDocument, 'parameters' | 'uri' | 'mediaType'>): RuleViolation[] {
  const found: RuleViolation[] = [];
  const names = new Set<string>();
  for (const [i, { name }] of parameters.entries()) {
    const path = ['parameters', i, 'name'];
    if (names.has(name)) found.push({ path, message: `two parameters are named "${name}"; rename one` });
    if (name === formatParameter) {
      found.push({ path, message: `"${name}" is taken: it asks for the form of the answer; choose another name` });
    }
    names.add(name);
  }
  if (mediaType !== undefined && uri === undefined) {
    found.push({ path: ['mediaType'], message: 'is what is read at "uri", which is missing; add it' });
  }
  return uri === undefined ? found : [...found, ...uriRules(uri, parameters)];
}

function uriRules(uri: string, parameters: readonly ViewParameter[]): RuleViolation[] {
  const path = ['uri'];
  const variables = uriVariables(uri);
  const unknown = variables.find((variable) => parameters.every(({ name }) => name !== variable));
  const twice = variables.find((variable, i) => variables.indexOf(variable) !== i);
  const missing = parameters.find(({ name, required }) => required === true && !variables.includes(name));
  return [
    ...(/^toolgraph:/i.test(uri) ? [{ path, message: 'is a URI of toolgraph itself; choose another scheme' }] : []),
    ...(unknown === undefined
      ? []
      : [{ path, message: `has the variable "${unknown}", which is no parameter; add it` }]),
    ...(twice === undefined ? [] : [{ path, message: `has the variable "${twice}" twice; leave one out` }]),
    ...(missing === undefined
      ? []
      : [{ path, message: `lacks the parameter "${missing.name}", which is required; add {${missing.name}}` }]),
  ];
}

/** Names of the variables in the `uri` of a view, in its order. */
export function uriVariables(uri: string): string[] {
  return Array.from(uri.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name);
}
