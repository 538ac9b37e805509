import { z } from 'zod';
import { AbsoluteIriSchema } from './fields.js';

/** A type document: a JSON Schema file whose `$defs` are the I/O vocabulary. `$id` is an absolute IRI without fragment. */
export const TypeDocumentSchema = z
  .looseObject({
    $schema: z
      .literal('https://json-schema.org/draft/2020-12/schema')
      .optional()
      .meta({ description: 'The dialect: the only one that is understood' }),
    $id: AbsoluteIriSchema.refine((iri) => !iri.includes('#'), 'expected an IRI without fragment').meta({
      description: 'IRI of the document, without fragment. A port names a type of it as <$id>#/$defs/<Name>',
      examples: ['https://example.org/my-project/types'],
    }),
    $defs: z.record(z.string(), z.record(z.string(), z.unknown(), { error: 'expected a JSON Schema object' })).meta({
      description: 'The types, each a JSON Schema by its name',
      examples: [{ Slug: { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', maxLength: 64 } }],
    }),
  })
  .meta({ title: 'Type document', description: 'A JSON Schema file whose $defs are types that ports name' });
