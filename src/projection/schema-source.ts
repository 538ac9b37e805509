import type { TypeRegistry } from './node.js';
import { type PortableSchema, portableSchema } from './portable-schema.js';

/** The schemas of types, each made once. */
export type SchemaSource = (iri: string) => PortableSchema;

export function schemaSource(types: TypeRegistry): SchemaSource {
  const made = new Map<string, PortableSchema>();
  return (iri) => {
    const schema = made.get(iri) ?? portableSchema(iri, types);
    made.set(iri, schema);
    return schema;
  };
}
