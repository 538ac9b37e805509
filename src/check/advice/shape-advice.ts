import { builtinTypesId } from '../../../schemas/types.js';
import { jsonMember } from './json-member.js';

/** What to write where a node or a file has not the shape that is expected; undefined where its message says it all. */
export function shapeStep(message: string): string | undefined {
  return steps.find(([pattern]) => pattern.test(message))?.[1];
}

const schemaExample = jsonMember('schema', `${builtinTypesId}#/$defs/Path`);

const steps: readonly (readonly [RegExp, string])[] = [
  [/\bio\.(?:inputs|outputs)\[\d+\]\.schema: /, `Name a type by its whole IRI, such as the built-in ${schemaExample}.`],
  [/(?:^|\s)io: required, but missing/, 'Write "io": {} where nothing goes in and nothing is read of what comes out.'],
  [
    /^the file is no YAML: (?:Nested mappings are not allowed in compact mappings|Implicit keys need to be on a single line)/,
    'Put the value in quotes: a ": " in it begins a mapping.',
  ],
];
