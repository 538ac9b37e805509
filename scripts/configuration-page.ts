import type { JsonSchema } from '../schemas/declaration.js';
import { page, table } from './reference-pages.js';
import { codeSpan, defaultWords, schemaFields, typeWords } from './schema-fields.js';

/** docs/configuration.md: one row a field. `schema` is the JSON Schema of the config, with `description`, `default` and `examples`. */
export function renderConfiguration(schema: JsonSchema): string {
  const rows = schemaFields(schema).map((field) => {
    const { description, examples } = field.schema;
    return [
      `\`${field.path}\``,
      typeWords(field.schema),
      defaultWords(field),
      String(description).replaceAll('<', '\\<'),
      Array.isArray(examples) && examples[0] !== undefined ? codeSpan(examples[0]) : '',
    ];
  });
  const body = [
    '`toolgraph.config.json` lies at the top of the instance. The file is optional, and it is watched like the nodes. What is wrong in it ' +
      'is an `invalid-config`, and a service that runs goes on with the last good one.',
    'A field with a dot is a member of an object; `[]` stands for each item of an array, `*` for each member of an object.',
    table(['field', 'type', 'default', 'what it does', 'example'], rows),
  ];
  return page('Configuration', 'schemas/config.ts', body.join('\n\n'));
}
