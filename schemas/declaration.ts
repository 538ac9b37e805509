import { z } from 'zod';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema object (2020-12). */
export type JsonSchema = { readonly [keyword: string]: Json };

/** Key in a declaration's `_meta`: the definition digest (P17). */
export const definitionKey = 'toolgraph/definition';
/** Key in the `_meta` of the list result and of each call result: `{number, digest}` (P17). */
export const generationKey = 'toolgraph/generation';

/** The input property that carries the user's confirmation (P13). It is for toolgraph itself and is never passed on. */
export const confirmationProperty = 'user_confirmed';

/** An object with exactly the ports of one side (P4, P6, P18). */
const PortsSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/), z.looseObject({ type: z.string() })),
  required: z.array(z.string()).optional(),
  additionalProperties: z.literal(false),
});

/** What the node states of the effect of a call (P14). A key is there only when the node states it. */
const AnnotationsSchema = z
  .strictObject({
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  })
  .partial();
export type Annotations = Readonly<z.output<typeof AnnotationsSchema>>;

/** An MCP tool object, exactly as `tools/list` returns it. */
export const DeclarationSchema = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/),
    title: z.string().optional(),
    description: z.string().min(1),
    inputSchema: PortsSchema,
    outputSchema: PortsSchema.optional(),
    annotations: AnnotationsSchema.optional(),
    _meta: z.strictObject({ [definitionKey]: z.string().regex(/^[0-9a-f]{64}$/) }),
  })
  .meta({ title: 'Declaration', description: 'An MCP tool as toolgraph lists it' });

export interface Declaration {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  /** Absent: a result is unstructured text (P6). */
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations?: Annotations;
  readonly _meta: { readonly [definitionKey]: string };
}
