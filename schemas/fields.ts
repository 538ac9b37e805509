import { z } from 'zod';

/** Text for people and models. */
export const text = z.string().min(1).max(16_384);
/** A word, a name or a path. */
export const word = z.string().min(1).max(1024);
export const words = z.array(word).max(1000);
/** An absolute IRI: a scheme, then no space or character that an IRI may not hold (RFC 3987). */
export const AbsoluteIriSchema = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]*$/u, 'expected an absolute IRI');
/** A path inside the instance: relative, `/`-separated, no `..` segment. */
export const InstancePathSchema = z
  .string()
  .min(1)
  .max(4096)
  .regex(/^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))[^\0]+$/, 'expected a path inside the instance, without ".."');

/** Names of environment variables (tool-node.md §4). */
export const VariableNamesSchema = z
  .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable'))
  .max(100);

/** Fields that any node may have, whatever it describes. */
export const nodeFields = {
  $schema: z
    .string()
    .optional()
    .meta({
      description: 'The JSON Schema of this file, for editors; toolgraph does not read it',
      examples: ['../../schemas/toolgraph/tool.schema.json'],
    }),
  '@context': z
    .unknown()
    .optional()
    .meta({
      description:
        'The JSON-LD context. Left out, that of toolgraph is applied; a key of your own has to be mapped in one',
      examples: ['https://w3id.org/toolgraph/v1.jsonld'],
    }),
  '@id': z
    .string()
    .optional()
    .meta({
      description:
        'IRI of the node, where it is not the one that its name gives; it has to lie under the base of the instance',
      examples: ['urn:toolgraph:my-project:tool/readme-sync'],
    }),
};

/** The class of a node; `name` is what is written. */
export function typeField(name: string) {
  return z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({
      description:
        'What the node is. May be left out where the folder says it: by its kind in the config, or as graph/tools, graph/skills and graph/views do',
      examples: [name],
    });
}
