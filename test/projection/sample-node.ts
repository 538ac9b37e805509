import type { JsonSchema } from '../../schemas/declaration.js';
import type { ToolDocument } from '../../schemas/tool.js';
import { NodeSchema } from '../../schemas/tool-rules.js';
import type { View } from '../../schemas/view.js';
import type { HostFacts } from '../../src/projection/host.js';
import type { ToolNode, TypeRegistry, ViewNode } from '../../src/projection/node.js';
import { hostQuestions } from '../../src/projection/requirements.js';

export const typesDocument = 'types/sample.json';
const typesId = 'https://example.org/sample.json';

/** The IRI of a sample type. */
export function typeIri(name: string): string {
  return `${typesId}#/$defs/${name}`;
}

export function registry(defs: Readonly<Record<string, JsonSchema>>): TypeRegistry {
  return new Map(
    Object.entries(defs).map(([name, schema]) => [
      typeIri(name),
      { iri: typeIri(name), document: typesDocument, schema },
    ]),
  );
}

/** Types that most tests use. */
export const sampleTypes = {
  Slug: { type: 'string', pattern: '^[a-z][a-z0-9-]*$', description: 'A slug' },
  Color: { enum: ['red', 'green'] },
  Loud: { type: 'string', enum: ['quiet', 'very loud', '!'] },
  Count: { type: 'integer', minimum: 0 },
  Flag: { type: 'boolean' },
  Text: { type: 'string' },
  Path: { type: 'string', pattern: '^[^/]+$' },
  Word: { type: 'string', pattern: '^\\w+\\b$' },
  Slow: { type: 'string', pattern: '^(a+)+$' },
  Never: { type: 'string', pattern: '^a$b' },
  AnyOf: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  Bare: { description: 'no type' },
  Slugs: { type: 'array', items: { $ref: '#/$defs/Slug' } },
} as const satisfies Record<string, JsonSchema>;

type Overrides = Partial<Omit<ToolDocument, 'io'>> & {
  readonly inputs?: NonNullable<ToolDocument['io']['inputs']>;
  readonly outputs?: NonNullable<ToolDocument['io']['outputs']>;
};

/** A Tool node that is projected as it is, with some fields replaced. `id` also gives the IRI and the document. */
export function sampleNode(
  { inputs = [], outputs = [], ...fields }: Overrides = {},
  place: Partial<ToolNode> = {},
): ToolNode {
  const tool = NodeSchema.parse({
    id: 'sample',
    title: 'A sample',
    description: 'Does it.',
    invoke: { shell: 'echo hello' },
    satisfies: ['sampling'],
    ...fields,
    io: { inputs, outputs },
  });
  return { iri: `urn:toolgraph:test:tool/${tool.id}`, document: `tools/${tool.id}.json`, pointer: '', tool, ...place };
}

/** A node of another vocabulary: its id is not of our form. */
export function foreignNode(id: string, place: Partial<ToolNode> = {}): ToolNode {
  const node = sampleNode();
  return { ...node, iri: `https://example.org/ns#tool/${id}`, tool: { ...node.tool, id }, ...place };
}

/** A host that meets every requirement of the nodes but those that `facts` denies. */
export function willingHost(nodes: readonly ToolNode[], facts: Partial<HostFacts> = {}): HostFacts {
  const { commands, modules, engines, runtimes, env, paths } = hostQuestions(nodes);
  const all = (names: ReadonlySet<string>): Map<string, boolean> => new Map([...names].map((name) => [name, true]));
  return {
    os: 'linux',
    network: true,
    commands: all(commands),
    modules: all(modules),
    engines: all(engines),
    runtimes: all(runtimes),
    env: all(env),
    paths: all(paths),
    ...facts,
  };
}

/** A View node of the test instance. */
export function sampleView(fields: Partial<View> & Pick<View, 'id'>, document: string): ViewNode {
  const view = { title: 'A view', description: 'Shows it', tier: 'stable' as const, query: 'ASK {}', parameters: [] };
  return { iri: `urn:toolgraph:test:view/${fields.id}`, document, pointer: '', view: { ...view, ...fields } };
}
