import type { Json, JsonSchema } from '../schemas/declaration.js';
import type { CodeKind } from '../src/diagnostic.js';
import type { ClassDefinition, PropertyDefinition } from '../src/store/term-definitions.js';
import type { TermKind, TermRow } from '../src/store/vocabulary.js';

interface CodeRow {
  readonly kind: CodeKind;
  readonly summary: string;
  readonly remedy: string;
  readonly curable?: boolean;
}

const codeSections: readonly (readonly [CodeKind, string])[] = [
  [
    'problem',
    '## Problems\n\nSomething that could not be determined (state 3). At start, any problem ends `serve` with exit 1 unless `--keep-going` is given; while running, the last good declaration of the node stays served.',
  ],
  [
    'omission',
    '## Omissions\n\nA Tool deliberately not served (state 2): the first code that holds, in this order. `toolgraph check` fails on the codes that a change of the node would cure and warns on the rest.',
  ],
  [
    'call',
    '## Calls\n\nWhy a call was refused or failed: `code` in the JSON text of an error result; for `unknown_tool`, in the `data` of a JSON-RPC error.',
  ],
];

/** docs/codes.md: one table a kind. */
export function renderCodes(codes: Readonly<Record<string, CodeRow>>): string {
  const sections = codeSections.map(([kind, intro]) => {
    const rows = Object.entries(codes).filter(([, row]) => row.kind === kind);
    if (kind !== 'omission') {
      return `${intro}\n\n${table(
        ['code', 'what happened', 'what to do'],
        rows.map(([code, row]) => [`\`${code}\``, row.summary, row.remedy]),
      )}`;
    }
    return `${intro}\n\n${table(
      ['code', 'what happened', 'what to do', '`check`'],
      rows.map(([code, row]) => [`\`${code}\``, row.summary, row.remedy, row.curable ? 'fails' : 'warns']),
    )}`;
  });
  return page('Codes', 'src/diagnostic.ts', sections.join('\n\n'));
}

const kindWords: Readonly<Record<TermKind, string>> = {
  text: 'text',
  boolean: 'boolean',
  integer: 'integer',
  tool: 'reference to a Tool',
  skill: 'reference to a skill',
  iri: 'IRI',
  list: 'list of nodes, in order',
  nodes: 'node',
  node: 'node',
  json: 'JSON literal',
};

/** docs/vocabulary.md: the classes, one row a key, and the terms that no document writes. */
export function renderVocabulary(
  classes: readonly ClassDefinition[],
  properties: readonly PropertyDefinition[],
  terms: readonly TermRow[],
): string {
  const isWritten = new Set(terms.map(({ iri }) => iri));
  const meaning = new Map(properties.map(({ iri, comment }) => [iri, comment]));
  const termRows = terms.map(({ key, iri, kind, many }) => [
    `\`${key}\``,
    `<${iri}>`,
    many ? `set of: ${kindWords[kind]}` : kindWords[kind],
    meaning.get(iri) ?? '',
  ]);
  const others = properties.filter(({ iri }) => !isWritten.has(iri));
  const body = [
    "The same, for programs: `toolgraph/schemas/vocabulary.ttl` and `toolgraph/schemas/vocabulary.jsonld`, two forms of one RDFS and OWL vocabulary, with the domain and range of each property and the terms of PROV-O, DCMI, schema.org, WoT Thing Description and OSLC that classes and properties are a kind of. Of a property that is another vocabulary's it says only how toolgraph uses it. The context of documents is `toolgraph/schemas/context.jsonld`.",
    '`io` has no row: it only groups `inputs` and `outputs`, which hang on the Tool itself.',
    `## Classes\n\n${table(['class', 'meaning', 'is a kind of'], classes.map(classRow))}`,
    `## Keys\n\n${table(['key', 'IRI', 'in the graph', 'meaning'], termRows)}`,
    ...(others.length === 0
      ? []
      : [
          `## What the service states\n\nNo document writes these.\n\n${table(
            ['property', 'meaning', 'is a kind of'],
            others.map(classRow),
          )}`,
        ]),
  ].join('\n\n');
  return page('Vocabulary', 'src/store/vocabulary.ts` and `src/store/term-definitions.ts', body);
}

function classRow({ iri, comment, broader = [] }: ClassDefinition): string[] {
  return [`<${iri}>`, comment, broader.map((wider) => `<${wider}>`).join(', ')];
}

/** docs/types.md: one row a built-in type, those that may stand in argv first. */
export function renderTypes(
  id: string,
  types: Readonly<Record<string, JsonSchema>>,
  argvSafe: ReadonlySet<string>,
): string {
  const rows = (safe: boolean): string[][] =>
    Object.entries(types)
      .filter(([name]) => argvSafe.has(name) === safe)
      .map(([name, schema]) => [`\`${name}\``, String(schema.description), constraint(schema)]);
  const head = ['type', 'what it is', 'values'];
  const body = [
    `A port names a type by its IRI, \`${id}#/$defs/<type>\`. The document is \`schemas/generated/types.schema.json\`.`,
    `## For argv\n\nNo value has a character that a shell acts on; a test proves it of each. Also good on stdin.\n\n${table(head, rows(true))}`,
    `## For stdin and outputs\n\nA value may hold anything, so a Tool that binds one to argv is omitted as \`unsafe-argv-input\`.\n\n${table(head, rows(false))}`,
  ].join('\n\n');
  return page('Built-in types', 'schemas/types.ts', body);
}

function constraint(schema: JsonSchema): string {
  if (typeof schema.pattern === 'string') return `\`${schema.pattern}\``;
  return `${schema.type}${bound('from', schema.minimum)}${bound('to', schema.maximum)}`;
}

/** The bounds of a safe integer go without saying. */
function bound(word: string, value: Json | undefined): string {
  return typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER ? ` ${word} ${value}` : '';
}

/** A generated page: its title, what it is made from, and its body. */
export function page(title: string, source: string, body: string): string {
  return `# ${title}\n\nGenerated from \`${source}\` by \`npm run generate\`. Do not edit.\n\n${body}\n`;
}

/** A Markdown table of text cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** GitHub Flavored Markdown, 4.10: a pipe inside a cell is escaped, in code spans too. */
function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
