import type { Quad } from '@rdfjs/types';
import type { JsonSchema } from '../../schemas/declaration.js';
import { SkillSchema } from '../../schemas/skill.js';
import type { Tool } from '../../schemas/tool.js';
import { NodeSchema } from '../../schemas/tool-rules.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import { toPointer } from '../json-pointer.js';
import type { SkillNode, ToolNode, TypeNode } from '../projection/node.js';
import { bareName } from './node-iri.js';
import { type Fault, GraphIndex, type NodeForm, NodeReader, nodeForm } from './node-reader.js';
import { classes, terms } from './vocabulary.js';

/** The nodes of one document, lifted out of its quads. Each array is sorted by IRI. */
export interface Lifted {
  readonly tools: readonly ToolNode[];
  readonly skills: readonly SkillNode[];
  readonly types: readonly TypeNode[];
  readonly diagnostics: readonly Diagnostic[];
  /** IRIs of nodes that are in the graph and could not be determined. */
  readonly broken: readonly string[];
}

const arg = nodeForm(['flag', 'joined', 'positional', 'stdin']);
const input = nodeForm(['name', 'schema', 'description', 'required', 'repeated', 'arg'], { arg });
const output = nodeForm(['name', 'schema', 'description', 'required', 'from']);
const remedy = nodeForm(['host', 'error', 'tool', 'none']);
const maintained = nodeForm(['source', 'artefact', 'format']);
const toolForm = nodeForm(
  [
    ...['id', 'title', 'description', 'version', 'tier', 'deprecated', 'effect', 'idempotent', 'openWorld'],
    ...['requiresConfirmation', 'install', 'invoke', 'inputs', 'outputs', 'satisfies', 'requires', 'when', 'limits'],
    ...['selection', 'alternativeTo', 'remedies', 'maintains', 'renders', 'subprocesses', 'downstream'],
  ],
  { inputs: input, outputs: output, remedies: remedy, maintains: maintained },
);
const skillForm = nodeForm(['name', 'title', 'description']);
const typeForm = nodeForm(['jsonSchema']);

/** The place of an item of a set is not known, so a finding about one points to the set. */
const sets = new Set(terms.filter(({ many }) => many).map(({ key }) => key));

/**
 * Lifts the Tools, skills and types out of the quads of one document graph (DESIGN decision 1). The quads are skolemised; `pointers` is the
 * place of each node in the file, by its IRI. The same quads in any order give the same result. Never throws: a node that cannot be
 * determined is in `broken`, with an `invalid-node` for each reason.
 */
export function lift(
  quads: readonly Quad[],
  base: string,
  documentPath: string,
  pointers: ReadonlyMap<string, string>,
): Lifted {
  const graph = new GraphIndex(quads);
  const reader = new NodeReader(graph, base);
  const diagnostics: Diagnostic[] = [];
  const broken = new Set<string>();

  const liftEach = <T>(
    type: string,
    form: NodeForm,
    complete: (iri: string, node: SourceNode) => T | readonly Fault[],
  ) =>
    graph.instances(type).flatMap((iri): T[] => {
      const { node, faults } = reader.read(iri, form);
      const result = faults.length > 0 ? faults : complete(iri, node);
      if (!isFaults(result)) return [result];
      broken.add(iri);
      diagnostics.push(...result.map((fault) => toDiagnostic(fault, iri, documentPath, pointers)));
      return [];
    });

  const tools = liftEach(classes.Tool, toolForm, (iri, node) => {
    const tool = completeTool(node, base, iri);
    return isFaults(tool) ? tool : { iri, document: documentPath, pointer: pointers.get(iri) ?? '', tool };
  });
  const skills = liftEach(classes.Skill, skillForm, (iri, node) => completeSkill(node, base, iri, documentPath));
  const types = liftEach(classes.Type, typeForm, (iri, node) => completeType(node, iri, documentPath));
  return { tools, skills, types, diagnostics, broken: [...broken].sort() };
}

type SourceNode = Readonly<Record<string, unknown>>;

function isFaults(result: unknown): result is readonly Fault[] {
  return Array.isArray(result);
}

function completeTool(node: SourceNode, base: string, iri: string): Tool | readonly Fault[] {
  const { inputs = [], outputs = [], deprecated, id = nameInIri(base, 'tool', iri), ...rest } = node;
  const misnamed = nameFault(base, 'tool', iri, 'id', id);
  if (misnamed !== undefined) return [misnamed];
  const foreign = !iri.startsWith(base);
  // A foreign id need not fit the pattern of our own ids: P1 makes a legal name of it.
  const parsed = NodeSchema.safeParse({
    ...rest,
    id: foreign ? 'foreign' : id,
    io: { inputs, outputs },
    ...(deprecated === undefined ? {} : { deprecated: withBareReplacement(deprecated, base) }),
  });
  if (!parsed.success) return parsed.error.issues.map(toFault);
  return { ...parsed.data, id: String(id) };
}

function completeSkill(node: SourceNode, base: string, iri: string, document: string): SkillNode | readonly Fault[] {
  const { name = nameInIri(base, 'skill', iri), ...rest } = node;
  const misnamed = nameFault(base, 'skill', iri, 'name', name);
  if (misnamed !== undefined) return [misnamed];
  const parsed = SkillSchema.safeParse({ ...rest, name: iri.startsWith(base) ? name : 'foreign' });
  if (!parsed.success) return parsed.error.issues.map(toFault);
  const { title, description } = parsed.data;
  return {
    iri,
    document,
    name: String(name),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
}

function completeType({ jsonSchema }: SourceNode, iri: string, document: string): TypeNode | readonly Fault[] {
  if (typeof jsonSchema !== 'object' || jsonSchema === null || Array.isArray(jsonSchema)) {
    return [{ path: ['jsonSchema'], message: 'expected a JSON Schema object' }];
  }
  return { iri, document, schema: jsonSchema as JsonSchema };
}

/** `deprecated` is a JSON literal, so a reference in it is no IRI term of the graph. */
function withBareReplacement(deprecated: unknown, base: string): unknown {
  if (typeof deprecated !== 'object' || deprecated === null || !('replacedBy' in deprecated)) return deprecated;
  const { replacedBy } = deprecated;
  return typeof replacedBy === 'string'
    ? { ...deprecated, replacedBy: bareName(base, 'tool', replacedBy) }
    : deprecated;
}

/** The name that an IRI gives a node: ours is what follows `<base>tool/`; a foreign one is its `#tool/<id>`, or its last segment. */
function nameInIri(base: string, kind: 'tool' | 'skill', iri: string): string | undefined {
  const bare = bareName(base, kind, iri);
  if (bare !== iri) return bare;
  if (iri.startsWith(base)) return undefined;
  const fragment = iri.lastIndexOf(`#${kind}/`);
  const name = fragment >= 0 ? iri.slice(fragment + kind.length + 2) : iri.slice(lastSeparator(iri) + 1);
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name;
  }
}

function lastSeparator(iri: string): number {
  return Math.max(iri.lastIndexOf('/'), iri.lastIndexOf('#'), iri.lastIndexOf(':'));
}

/** Inside `base` the IRI and the name say the same, so that a reference by name finds the node; outside, any name is one. */
function nameFault(base: string, kind: 'tool' | 'skill', iri: string, key: string, name: unknown): Fault | undefined {
  const length = kind === 'tool' ? 512 : 256;
  if (typeof name !== 'string' || name === '' || name.length > length) {
    return { path: [key], message: `expected a text of 1 to ${length} characters that names the ${kind}` };
  }
  if (!iri.startsWith(base) || bareName(base, kind, iri) === name) return undefined;
  return { path: [key], message: `"${name}" is not the name in its IRI; expected <${base}${kind}/${name}> as IRI` };
}

function toFault({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): Fault {
  const steps = path.map((step) => (typeof step === 'number' ? step : String(step)));
  const inSet = sets.has(String(steps[0]));
  return { path: inSet ? steps.slice(0, 1) : steps, message };
}

function toDiagnostic(
  { path, message }: Fault,
  subject: string,
  document: string,
  pointers: ReadonlyMap<string, string>,
): Diagnostic {
  const place = sourcePath(path);
  const start = pointers.get(subject);
  const pointer = start === undefined ? {} : { pointer: start + toPointer(place) };
  const words = place.length === 0 ? message : `${place.join('.')}: ${message}`;
  return problem('invalid-node', words, { document, ...pointer, subject });
}

/** In the graph the ports stand at the Tool itself; in the source they are inside of `io`. */
function sourcePath(path: Fault['path']): Fault['path'] {
  return path[0] === 'inputs' || path[0] === 'outputs' ? ['io', ...path] : path;
}
