import type { JsonSchema } from '../schemas/declaration.js';
import { jsonFile } from '../src/json-text.js';
import { type NodeForm, skillForm, toolForm, viewForm } from '../src/store/node-forms.js';
import { prefixes } from '../src/store/vocabulary.js';
import { nodeRules, sampleSkill, sampleTool, sampleView } from './node-samples.js';
import { page, table } from './reference-pages.js';
import { codeSpan, defaultWords, type SchemaField, schemaFields, typeWords } from './schema-fields.js';

/** The JSON Schemas of what an author may write, with `description`, `default` and `examples`. */
export interface NodeSchemas {
  readonly tool: JsonSchema;
  readonly skill: JsonSchema;
  readonly view: JsonSchema;
}

/** Parts of a Tool that have a table of their own: the path of each, and what stands above its table. */
const toolParts: readonly (readonly [path: string, heading: string])[] = [
  [
    'invoke',
    '## How it is run\n\nOne member an arm. The first that can run here is used, in the order of `arms` of the [configuration](configuration.md). More ' +
      'about [modules](modules.md) and [containers](containers.md).',
  ],
  [
    'io.inputs[]',
    '## Inputs\n\nWhat a call gives: `io.inputs`, in order. A type is one of [the built-in ones](types.md), or one of your own. An input that goes ' +
      'into a word of the command has a type that is [proved safe](types.md#for-argv) there; a boolean is not repeated, and an input that is named ' +
      '`user_confirmed` is a boolean.',
  ],
  [
    'io.outputs[]',
    '## Outputs\n\nWhat a call gives back: `io.outputs`. [outputs.md](outputs.md) tells what a client gets.',
  ],
];

/** The keys that every node has, which a page says once. */
const sharedKeys: ReadonlySet<string> = new Set(['$schema', '@context', '@id', '@type']);

/** docs/node.md: every key of Tools, their ports, skills and views. Pure. */
export function renderNodes({ tool, skill, view }: NodeSchemas): string {
  const fields = schemaFields(tool);
  const isOfPart = ({ path }: SchemaField): boolean => toolParts.some(([part]) => path.startsWith(`${part}.`));
  const own = fields.filter((field) => !sharedKeys.has(field.path) && !isOfPart(field));
  const parts = toolParts.map(([part, heading]) => {
    const inside = fields.filter(({ path }) => path.startsWith(`${part}.`));
    return `${heading}\n\n${fieldTable(inside, toolForm, `${part}.`)}`;
  });
  const body = [
    intro,
    `## Every node\n\n${fieldTable(
      fields.filter(({ path }) => sharedKeys.has(path)),
      toolForm,
    )}`,
    `## Tool\n\n\`\`\`json\n${jsonFile(sampleTool)}\`\`\`\n\n${fieldTable(own, toolForm)}`,
    ...parts,
    `## Rules over several fields\n\nWhat breaks one is an \`invalid-node\` that names the place.\n\n${rulesList()}`,
    `## Skill\n\nA skill is a Markdown file with a front matter, whose other keys are left alone:\n\n\`\`\`markdown\n${frontMatter()}\`\`\`\n\n` +
      'A `SKILL.md` without `name` has that of its folder. A skill may be a node of type `Skill` too.\n\n' +
      fieldTable(ownFields(skill), skillForm),
    `## View\n\n\`\`\`json\n${jsonFile(sampleView)}\`\`\`\n\n${fieldTable(ownFields(view), viewForm)}\n\n` +
      'Two parameters do not share a name, and none is named `format`. [views.md](views.md) tells the rest.',
  ];
  return page('Nodes', 'schemas/`, `src/store/vocabulary.ts` and `scripts/node-samples.ts', body.join('\n\n'));
}

const intro =
  'Every key of a Tool, a skill and a view. [getting-started.md](getting-started.md) makes a first one, and [authoring.md](authoring.md) tells of ' +
  'editors and TypeScript.\n\n' +
  'A key with a dot is a member of an object; `[]` stands for each item of an array. An unknown key is an `invalid-node`, with a guess of what was ' +
  "meant, unless the document's own `@context` maps it: then it is data, and stays in the graph. A key that is given twice, and `__proto__`, " +
  '`constructor` and `prototype`, are refused.\n\n' +
  'The last column is the property in the graph, for [queries](query.md); a key without one is inside the JSON literal of the key above it, or is no ' +
  'statement. [vocabulary.md](vocabulary.md) has the IRIs and what each means.';

function ownFields(schema: JsonSchema): SchemaField[] {
  return schemaFields(schema).filter(({ path }) => !sharedKeys.has(path));
}

function fieldTable(fields: readonly SchemaField[], form: NodeForm, start = ''): string {
  const rows = fields.map((field) => [
    `\`${field.path.slice(start.length)}\``,
    [typeWords(field.schema), ...limitWords(field.schema)].join(', '),
    defaultWords(field),
    String(field.schema.description).replaceAll('<', '\\<'),
    exampleOf(field.schema),
    propertyOf(form, field.path),
  ]);
  return table(['key', 'type', 'default', 'what it says', 'example', 'in the graph'], rows);
}

/** Beside the words of the key, a pattern that is longer than this, or has groups, tells a reader nothing. */
const longestPattern = 40;

function limitWords({ pattern, maxLength, minItems, maxItems }: JsonSchema): string[] {
  return [
    ...(typeof pattern === 'string' && pattern.length <= longestPattern && !pattern.includes('(')
      ? [`\`${pattern}\``]
      : []),
    ...(typeof maxLength === 'number' ? [`at most ${maxLength} characters`] : []),
    ...(typeof minItems === 'number' ? [`at least ${minItems}`] : []),
    ...(typeof maxItems === 'number' ? [`at most ${maxItems}`] : []),
  ];
}

/** The first example; of a key that can have only one value, that. */
function exampleOf(schema: JsonSchema): string {
  const example = Array.isArray(schema.examples) ? schema.examples[0] : schema.const;
  return example === undefined ? '' : codeSpan(example);
}

/** What the other spelling of a key is in the graph. */
const spelledAs = new Map([
  ['summary', 'description'],
  ['type', 'effect'],
]);

/** The short IRI of the property of a key; empty for one that is no statement of its own. */
function propertyOf(form: NodeForm, path: string): string {
  const [key = '', ...inner] = path.replace(/^io\./, '').replaceAll('[]', '').split('.');
  if (inner.length > 0) {
    const part = form.inner.get(key);
    return part === undefined ? '' : propertyOf(part, inner.join('.'));
  }
  const iri = form.rows.find((row) => row.key === (spelledAs.get(key) ?? key))?.iri;
  return iri === undefined ? '' : `\`${shortened(iri)}\``;
}

function shortened(iri: string): string {
  const [prefix, namespace = ''] = Object.entries(prefixes).find(([, start]) => iri.startsWith(start)) ?? [];
  return prefix === undefined ? iri : `${prefix}:${iri.slice(namespace.length)}`;
}

/** A rule that does not begin with a capital letter goes on with the sentence before. */
function rulesList(): string {
  return nodeRules
    .map(({ what }) => what)
    .join(' ')
    .split(/(?<=\.) (?=[`A-Z])/)
    .map((sentence) => `- ${sentence}`)
    .join('\n');
}

function frontMatter(): string {
  const lines = Object.entries(sampleSkill).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join('')}---\n\nWhat stands here is for whoever reads the skill.\n`;
}
