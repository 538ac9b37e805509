import { z } from 'zod';
import { AbsoluteIriSchema } from './tool.js';

/** A type document: a JSON Schema file whose `$defs` are the I/O vocabulary. `$id` is an absolute IRI without fragment. */
export const TypeDocumentSchema = z.looseObject({
  $schema: z.literal('https://json-schema.org/draft/2020-12/schema').optional(),
  $id: AbsoluteIriSchema.refine((iri) => !iri.includes('#'), 'expected an IRI without fragment'),
  $defs: z.record(z.string(), z.record(z.string(), z.unknown(), { error: 'expected a JSON Schema object' })),
});
