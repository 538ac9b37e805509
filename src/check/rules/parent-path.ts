import type { JsonSchema } from '../../../schemas/declaration.js';
import { typeName } from '../../projection/type-reference.js';
import { argvTypes, fits, namedInputs } from '../argv-inputs.js';
import { typePlace } from '../node-place.js';
import type { Rule } from '../rule.js';

export const parentPath: Rule = {
  name: 'parent-path',
  severity: 'error',
  summary: 'No pattern and no listed value of an input in argv admits a path with a segment "..".',
  why: 'A command that takes the value for a path then reads or writes outside of the instance, whatever folder it runs in. The pattern is decided with automata; the message has a shortest value that it admits. URLs with an authority are no finding.',
  fix: 'Forbid the segment in the pattern, as the built-in types Path and Word do, or use one of these.',
  example: {
    language: 'json',
    text: '{ "$defs": { "RepoPath": { "type": "string", "pattern": "^[A-Za-z0-9._/-]+$" } } }',
  },
  check: (instance) =>
    argvTypes(instance, () => true).flatMap(({ type, schema, verdict, inputs }) => {
      const listed = listedPath(schema);
      const path = verdict?.kind === 'safe' ? verdict.parentPath : listed?.path;
      if (path === undefined || !fits(path, schema)) return [];
      const message = `the type ${typeName(type.iri)} admits ${JSON.stringify(path)}, a path that can lead out of the instance, in argv: ${namedInputs(inputs)}`;
      return { message, ...typePlace(type, listed?.at ?? '/pattern') };
    }),
};

/** The first member of an enum, or the const, that has such a segment and is no URL with an authority. */
function listedPath(schema: JsonSchema): { readonly path: string; readonly at: string } | undefined {
  const { const: only, enum: members } = schema;
  const entries: readonly unknown[] = Array.isArray(members) ? members : [];
  const listed: (readonly [value: unknown, at: string])[] =
    only === undefined ? entries.map((value, i) => [value, `/enum/${i}`]) : [[only, '/const']];
  for (const [path, at] of listed) {
    if (typeof path !== 'string' || /^(?!file:\/\/\/)[A-Za-z][A-Za-z0-9+.-]*:\/\//iu.test(path)) continue;
    if (path.split('/').includes('..')) return { path, at };
  }
  return undefined;
}
