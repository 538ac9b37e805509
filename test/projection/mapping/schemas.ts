import { typesDocument } from '../sample-node.js';
import { json, type MappingRow, onStdin, port, row } from './row.js';

/** P18: schemas that every host takes. */
export const schemasRows: readonly MappingRow[] = [
  row(
    'P18',
    'references are inlined, and what hosts act on is left out',
    {
      inputs: [port('it', 'Report', onStdin)],
    },
    {
      declares: {
        inputSchema:
          '{"type":"object","properties":{"it":{"type":"object","properties":{"lines":{"type":"array","items":{"type":"string","maxLength":80}},' +
          '"slug":{"type":"string","pattern":"^[a-z]+$","description":"A slug"}},"required":["lines"]}},"additionalProperties":false}',
      },
    },
  ),
  row(
    'P18',
    'no composition at the root of a type',
    { inputs: [port('it', 'Either', onStdin)] },
    {
      problem: [
        'unportable-schema',
        `input "it": the type Either (${typesDocument}) at /anyOf: "anyOf" at the root of a type; hosts drop tools that have it`,
        '/io/inputs/0/schema',
      ],
    },
  ),
  row(
    'P18',
    'in outputs neither',
    { outputs: [port('it', 'List', json())] },
    {
      problem: [
        'unportable-schema',
        `output "it": the type List (${typesDocument}): an array without "items"`,
        '/io/outputs/0/schema',
      ],
    },
  ),
  row(
    'P18',
    'no boolean schema',
    { inputs: [port('it', 'Whatever', onStdin)] },
    {
      problem: [
        'unportable-schema',
        `input "it": the type Whatever (${typesDocument}) at /properties/any: a boolean schema (true); expected an object with one "type"`,
        '/io/inputs/0/schema',
      ],
    },
  ),
  row(
    'P18',
    'no property name that a host refuses',
    { outputs: [port('it', 'Spaced', json())] },
    {
      problem: [
        'unportable-schema',
        `output "it": the type Spaced (${typesDocument}) at /properties: the property name "a b"; expected 1 to 64 of A-Z a-z 0-9 _ . -`,
        '/io/outputs/0/schema',
      ],
    },
  ),
  row(
    'P18',
    'no pattern that can hang a client or us',
    { outputs: [port('it', 'Slow', json())] },
    {
      problem: [
        'unsafe-pattern',
        'output "it": the pattern "^(a+)+$" of the type Slow can take exponential time; rewrite it',
        '/io/outputs/0/schema',
      ],
    },
  ),
];
