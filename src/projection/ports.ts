import { confirmationProperty, type JsonSchema } from '../../schemas/declaration.js';
import type { Input, Output } from '../../schemas/port.js';
import { reservedKeys } from '../../schemas/tool.js';
import { type Diagnostic, type ProblemCode, problem } from '../diagnostic.js';
import type { MatchTime, PatternVerdicts } from '../patterns/verdict.js';
import { contentOf } from './content.js';
import type { ToolNode } from './node.js';
import { patternsIn } from './patterns.js';
import type { SchemaSource } from './schema-source.js';
import { typeName } from './type-reference.js';

type PortSchema = JsonSchema & { readonly type: string };

/** An input with the schema of one of its values. */
export interface Port {
  readonly input: Input;
  readonly schema: PortSchema;
}

/** An output that says where it comes from, with its schema. */
export interface OutputPort {
  readonly output: Output;
  readonly schema: PortSchema;
}

/** Ports that name a type which nothing defines: a problem whatever else holds for the Tool. */
export function unresolvedPorts(node: ToolNode, schemaOf: SchemaSource): Diagnostic[] {
  const { inputs, outputs } = node.tool.io;
  return [...inputs.map(at('inputs')), ...outputs.map(at('outputs'))].flatMap(({ port, path }) => {
    const found = schemaOf(port.schema);
    if ('schema' in found || found.code !== 'unresolved-schema') return [];
    return [atNode(node, found.code, `${path.kind} "${port.name}": ${found.message}`, `${path.pointer}/schema`)];
  });
}

/** The inputs with their schemas, and what keeps one of them from having any (§3 state 3). */
export function inputPorts(
  node: ToolNode,
  schemaOf: SchemaSource,
  verdicts: PatternVerdicts,
): { readonly ports: readonly Port[]; readonly problems: readonly Diagnostic[] } {
  const ports: Port[] = [];
  const problems: Diagnostic[] = [];
  for (const [index, input] of node.tool.io.inputs.entries()) {
    const report: Report = (code, message, field) => {
      problems.push(atNode(node, code, `input "${input.name}": ${message}`, `/io/inputs/${index}/${field}`));
    };
    const schema = judgedSchema(input, schemaOf, verdicts, report);
    if (schema === undefined) continue;
    if (input.repeated === true && schema.type === 'boolean') {
      report('invalid-node', 'a boolean cannot be repeated; leave "repeated" out', 'repeated');
    }
    if (input.name === confirmationProperty && schema.type !== 'boolean') {
      report('invalid-node', `its type is ${schema.type}; an input of this name must be a boolean`, 'schema');
    }
    ports.push({ input, schema });
  }
  return { ports, problems };
}

/**
 * The outputs that say where they come from, with their schemas, and what keeps one of them from having any. The others describe prose
 * (P6): their types are never judged.
 */
export function outputPorts(
  node: ToolNode,
  schemaOf: SchemaSource,
  verdicts: PatternVerdicts,
): { readonly ports: readonly OutputPort[]; readonly problems: readonly Diagnostic[] } {
  const ports: OutputPort[] = [];
  const problems: Diagnostic[] = [];
  for (const [index, output] of node.tool.io.outputs.entries()) {
    if (output.from === undefined) continue;
    const report: Report = (code, message, field) => {
      problems.push(atNode(node, code, `output "${output.name}": ${message}`, `/io/outputs/${index}/${field}`));
    };
    const schema = judgedSchema(output, schemaOf, verdicts, report);
    if (schema === undefined) continue;
    const content = 'stdout' in output.from ? contentOf(schema, output.from.stdout) : undefined;
    if (content !== undefined && 'fault' in content) {
      report('unportable-schema', `the type ${typeName(output.schema)}: ${content.fault}`, 'schema');
    }
    ports.push({ output, schema });
  }
  return { ports, problems };
}

type Report = (code: ProblemCode, message: string, field: string) => void;

/** The schema of a port's type; undefined where it has none. All that is wrong with its name and its type is reported. */
function judgedSchema(
  { name, schema: iri }: Input | Output,
  schemaOf: SchemaSource,
  verdicts: PatternVerdicts,
  report: Report,
): PortSchema | undefined {
  if (reservedKeys.has(name)) report('invalid-node', 'this name is reserved; choose another', 'name');
  const found = schemaOf(iri);
  if (!('schema' in found)) {
    report(found.code, found.message, 'schema');
    return undefined;
  }
  for (const { code, message } of patternProblems(iri, found.schema, verdicts)) report(code, message, 'schema');
  return found.schema;
}

/** A problem of a node: `pointer` is relative to the node. */
export function atNode({ document, pointer, iri }: ToolNode, code: ProblemCode, message: string, at = ''): Diagnostic {
  return problem(code, message, { document, pointer: `${pointer}${at}`, subject: iri });
}

/** A pattern that cannot be bounded in time (DESIGN decision 16), or that no string matches (decision 7). */
export function patternProblems(
  iri: string,
  schema: JsonSchema,
  verdicts: PatternVerdicts,
): { readonly code: ProblemCode; readonly message: string }[] {
  const problems: { code: ProblemCode; message: string }[] = [];
  for (const pattern of [...patternsIn(schema)].sort()) {
    const verdict = verdicts.get(pattern);
    const told = `the pattern ${JSON.stringify(pattern)} of the type ${typeName(iri)}`;
    const slow = slowness(verdict?.time);
    if (verdict?.argv.kind === 'empty') {
      problems.push({ code: 'unportable-schema', message: `${told} matches no string at all; correct it` });
    } else if (slow !== undefined) problems.push({ code: 'unsafe-pattern', message: `${told} ${slow}; rewrite it` });
  }
  return problems;
}

function slowness(time: MatchTime | undefined): string | undefined {
  if (time === 'linear' || time === 'quadratic') return undefined;
  if (time === 'exponential') return 'can take exponential time';
  if (time === 'polynomial') return 'can take time that grows with the third or a higher power of the length';
  return 'could not be analysed, so nothing bounds the time that it takes';
}

function at(kind: 'inputs' | 'outputs') {
  return <P>(port: P, index: number) => ({
    port,
    path: { kind: kind === 'inputs' ? 'input' : 'output', pointer: `/io/${kind}/${index}` },
  });
}
