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
  })
  .meta({
    title: 'View',
    description: 'A named query over the graph, served as an MCP resource',
  });

type ViewDocument = z.output<typeof ViewSchema>;
export type ViewParameter = z.output<typeof ViewParameterSchema>;

/** A view with its defaults filled in. */
export interface View extends Pick<ViewDocument, 'id' | 'title' | 'description' | 'query'> {
  readonly tier: Tier;
  readonly parameters: readonly ViewParameter[];
}

/** MCP name of the tool that reads any view. No Tool can have it while that tool is asked for. */
export const getStateToolName = 'toolgraph_get_state';

/** In the URI of a resource it asks for the Markdown form, so no parameter can have it. */
export const formatParameter = 'format';

/** What one field of a view alone cannot show. Pure; also run on the source tree, where positions exist. */
export function viewRules({ parameters = [] }: Pick<ViewDocument, 'parameters'>): RuleViolation[] {
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
  return found;
}
