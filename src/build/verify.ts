import type { JsonSchema } from '../../schemas/declaration.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import type { Generation } from '../projection/generation.js';
import { schemasOf } from './built-files.js';

/**
 * What keeps the files of a generation from being of use, beside what `check` finds: a schema that is none, and names that are one file where
 * a file system does not tell upper from lower case. `faultsOf` is the meta-schema's judgement of a schema. Pure.
 */
export function verifyBuild({ entries }: Generation, faultsOf: (schema: JsonSchema) => string[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const byFile = new Map<string, string>();
  for (const { name, id, iri, document, declaration } of entries.values()) {
    const place = { document, subject: iri };
    for (const { kind, schema } of schemasOf(declaration)) {
      for (const fault of faultsOf(schema)) {
        const message = `${id}: its ${kind} schema is no JSON Schema 2020-12, at ${fault}; change the type there`;
        found.push(problem('unportable-schema', message, place));
      }
    }
    const other = byFile.get(name.toLowerCase());
    if (other !== undefined) {
      const message = `${name} and ${other} would be one file where case is not told apart; change one of the ids`;
      found.push(problem('name-collision', message, place));
    }
    byFile.set(name.toLowerCase(), name);
  }
  return found;
}
