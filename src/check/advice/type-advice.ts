import type { Tool } from '../../../schemas/tool.js';
import { builtinTypesId } from '../../../schemas/types.js';
import type { TypeRegistry } from '../../projection/node.js';
import { nearestType } from '../../projection/type-reference.js';
import type { Advice, Case } from './advice.js';
import { jsonMember } from './json-member.js';

/** A port names a type that nothing defines: how to define it, or which are there. */
export function typeAdvice({ io }: Tool, { types }: Case): Advice | undefined {
  const ports = [
    ...io.inputs.map((port, i) => ({ port, pointer: `/io/inputs/${i}/schema` })),
    ...io.outputs.map((port, i) => ({ port, pointer: `/io/outputs/${i}/schema` })),
  ];
  const missing = ports.find(({ port }) => !types.has(port.schema));
  if (missing === undefined) return undefined;
  const { port, pointer } = missing;
  const [document = '', name = ''] = port.schema.split('#/$defs/');
  const known = [...types.keys()].filter((iri) => !iri.startsWith(`${builtinTypesId}#`));
  const shown = known.slice(0, shownTypes).join(', ');
  const there = types.get(known.find((iri) => iri.startsWith(`${document}#`)) ?? '')?.document;
  const definition = jsonMember(name || 'Name', { type: 'string', pattern: '^[a-z][a-z0-9-]*$' });
  const whole = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "${document}", "$defs": {${definition}}}`;
  return {
    steps: [
      'Correct the IRI, or take a type that is there.',
      known.length === 0
        ? 'This instance has no types of its own; docs/types.md lists the built-in ones.'
        : `Types of this instance: ${shown}${known.length > shownTypes ? `, and ${known.length - shownTypes} more` : ''}.`,
      document === builtinTypesId
        ? 'The built-in types are in docs/types.md.'
        : there === undefined
          ? `Or define it in a file of the instance, such as graph/types.json: ${whole}`
          : `Or define it in ${there}, under "$defs": ${definition}`,
    ],
    pointer,
    now: jsonMember('schema', port.schema),
    change: [jsonMember('schema', likelyType(port.schema, name, types))],
  };
}

const shownTypes = 8;

/** The one that was most likely meant: spelled almost alike, of the same name elsewhere, or a plain word. */
function likelyType(iri: string, name: string, types: TypeRegistry): string {
  const sameName = [...types.keys()].filter((known) => name !== '' && known.endsWith(`#/$defs/${name}`)).sort()[0];
  return nearestType(iri, types) ?? sameName ?? `${builtinTypesId}#/$defs/Word`;
}
