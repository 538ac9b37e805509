import type { Declaration, JsonSchema } from '../../schemas/declaration.js';
import type { Output } from '../../schemas/port.js';
import type { ResultOutput, StdoutOutput } from './generation.js';
import type { OutputPort } from './ports.js';

/**
 * The outputSchema of a declaration (P6): one property for each output, in declared order. An output is required unless the node says
 * `required: false`; the port's description wins over the type's, as in the inputSchema.
 */
export function outputSchema(ports: readonly OutputPort[]): NonNullable<Declaration['outputSchema']> {
  const properties: [string, JsonSchema][] = ports.map(({ output: { name, description }, schema }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  const required = ports.flatMap(({ output }) => (isRequired(output) ? [output.name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/**
 * How the outputs of a process are read. Undefined when there are none, or one does not say that it comes from stdout: then the result
 * is unstructured text (P6).
 */
export function stdoutOutputs(outputs: readonly Output[]): readonly [StdoutOutput, ...StdoutOutput[]] | undefined {
  const read: StdoutOutput[] = [];
  for (const output of outputs) {
    const { name, from } = output;
    if (from === undefined || !('stdout' in from)) return undefined;
    const { stdout: format, pointer } = from;
    read.push({ name, format, ...(pointer === undefined ? {} : { pointer }), required: isRequired(output) });
  }
  const [first, ...others] = read;
  return first === undefined ? undefined : [first, ...others];
}

/** How the outputs of a function are read. Undefined as for `stdoutOutputs`. */
export function resultOutputs(outputs: readonly Output[]): readonly [ResultOutput, ...ResultOutput[]] | undefined {
  const read: ResultOutput[] = [];
  for (const output of outputs) {
    const { name, from } = output;
    if (from === undefined || !('result' in from)) return undefined;
    read.push({ name, ...(from.pointer === undefined ? {} : { pointer: from.pointer }), required: isRequired(output) });
  }
  const [first, ...others] = read;
  return first === undefined ? undefined : [first, ...others];
}

function isRequired({ required }: Output): boolean {
  return required !== false;
}
