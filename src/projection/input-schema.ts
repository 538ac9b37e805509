import { confirmationProperty, type Declaration, type Json, type JsonSchema } from '../../schemas/declaration.js';
import type { Port } from './ports.js';

/**
 * The inputSchema of a declaration (P4): one property for each port, in declared order. `ports` are those that the arm reaches
 * (P8). `confirmed` adds the property of P13, which is required and never passed on.
 */
export function inputSchema(ports: readonly Port[], confirmed: boolean): Declaration['inputSchema'] {
  const properties: [string, JsonSchema][] = ports.map((port) => [port.input.name, property(port)]);
  const required = ports.flatMap(({ input }) => (input.required === true ? [input.name] : []));
  if (confirmed) {
    properties.push([confirmationProperty, { type: 'boolean', const: true }]);
    required.push(confirmationProperty);
  }
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** The port's description wins over the type's (P4); a repeated input is an array, with at least one element when required (P5). */
function property({ input: { description, repeated, required }, schema }: Port): JsonSchema {
  const property: Record<string, Json> =
    repeated === true ? { type: 'array', items: schema, ...(required === true ? { minItems: 1 } : {}) } : { ...schema };
  if (description !== undefined) property.description = description;
  return property;
}
