import { z } from 'zod';
import { SkillSchema } from '../schemas/skill.js';
import { ToolDocumentSchema } from '../schemas/tool.js';
import { toolRules } from '../schemas/tool-rules.js';
import { ViewSchema } from '../schemas/view.js';
import { type NodeForm, skillForm, toolForm, viewForm } from '../src/store/node-forms.js';
import { classes, prefixes, rdf, type TermRow } from '../src/store/vocabulary.js';
import { shaclLimits } from './shacl-limits.js';

/** Namespace of the shapes themselves. */
const SHAPES = 'https://w3id.org/toolgraph/shapes#';
const SH = 'http://www.w3.org/ns/shacl#';
const namespaces: Readonly<Record<string, string>> = { sh: SH, tgs: SHAPES, ...prefixes };

/** The part of JSON Schema that Zod makes of the fields that stand in the graph as more than a JSON literal. */
interface Fragment {
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Fragment;
  readonly anyOf?: readonly Fragment[];
  readonly properties?: Readonly<Record<string, Fragment>>;
  readonly required?: readonly string[];
}

/** Predicate and object in Turtle. A predicate may be there several times. */
type Statement = readonly [predicate: string, object: string];

/** schemas/generated/shapes.ttl: SHACL Core shapes for Tools, skills and views, made of the Zod and of the table of terms. Pure. */
export function renderShapes(): string {
  const shapes = new NodeShapes();
  shapes.addRoot('Tool', fragmentOf(ToolDocumentSchema), toolForm, 'id', requiredByRules());
  shapes.addRoot('Skill', fragmentOf(SkillSchema), skillForm, 'name');
  shapes.addRoot('View', fragmentOf(ViewSchema), viewForm, 'id');
  return [head(), prefixLines(), kindShapes, ...shapes.texts].join('\n\n').concat('\n');
}

class NodeShapes {
  readonly texts: string[] = [];

  /** `named` is the key that the IRI gives when it is left out; `required` are keys that rules across fields ask for. */
  addRoot(
    name: keyof typeof classes,
    fragment: Fragment,
    form: NodeForm,
    named: string,
    required: ReadonlySet<string> = new Set(),
  ): void {
    const { io, ...properties } = fragment.properties ?? {};
    const all = [...(fragment.required ?? []), ...required].filter((key) => key !== named);
    const flat = { properties: { ...properties, ...io?.properties }, required: all };
    this.#add(name, flat, form, [['sh:targetClass', short(classes[name])]]);
  }

  #add(name: string, fragment: Fragment, form: NodeForm, statements: readonly Statement[] = []): string {
    const at = this.texts.push('') - 1;
    const all = [...statements, ...this.#fields(name, fragment, form)];
    this.texts[at] = `tgs:${name} a sh:NodeShape ;\n  ${written(all, '  ')} .`;
    return `tgs:${name}`;
  }

  #fields(name: string, { properties = {}, required = [] }: Fragment, form: NodeForm): Statement[] {
    return form.rows.flatMap((row) => {
      const fragment = properties[row.key];
      // A key that this node may not have, and that is read where it stands.
      if (fragment === undefined) return [property([pathOf(row), ['sh:maxCount', '0']])];
      const inner = form.inner.get(row.key);
      return this.#property(`${name}-${row.key}`, row, fragment, required.includes(row.key), inner);
    });
  }

  #property(name: string, row: TermRow, fragment: Fragment, required: boolean, inner?: NodeForm): Statement[] {
    const about: Statement[] = [pathOf(row), ['sh:name', JSON.stringify(row.key)]];
    const items = fragment.items ?? {};
    if (row.kind === 'list') {
      const cells = `( ${short(row.iri)} [ sh:zeroOrMorePath rdf:rest ] rdf:first )`;
      const item: Statement[] = [['sh:path', cells], ...counts(fragment), ...this.#nodes(name, items, inner)];
      return [
        property([...about, ...(required ? minCount(1) : []), ['sh:maxCount', '1'], ['sh:node', 'tgs:List']]),
        property(item),
      ];
    }
    const value = row.many ? items : fragment;
    const own = inner === undefined ? valueStatements(row, value) : this.#nodes(name, value, inner);
    const count = row.many ? counts(fragment) : [...(required ? minCount(1) : []), ['sh:maxCount', '1'] as const];
    return [property([...about, ...count, ...own])];
  }

  #nodes(name: string, fragment: Fragment, inner: NodeForm = { rows: [], inner: new Map() }): Statement[] {
    const kind: Statement = ['sh:nodeKind', 'sh:BlankNodeOrIRI'];
    if (fragment.anyOf === undefined) return [kind, ['sh:node', this.#add(name, fragment, inner)]];
    const alternatives = fragment.anyOf.map((one) => this.#add(`${name}-${one.required?.[0]}`, one, inner));
    return [kind, ['sh:or', `( ${alternatives.join(' ')} )`]];
  }
}

function valueStatements(row: TermRow, fragment: Fragment): Statement[] {
  switch (row.kind) {
    case 'text':
      return fragment.enum === undefined ? [plainText, ...textStatements(fragment)] : [oneOf(fragment.enum)];
    case 'boolean':
      return [['sh:datatype', 'xsd:boolean'], ...(fragment.const === undefined ? [] : [oneOf([fragment.const])])];
    case 'integer':
      return [
        ['sh:datatype', 'xsd:integer'],
        ...statementsOf({ minInclusive: fragment.minimum, maxInclusive: fragment.maximum }),
      ];
    case 'json':
      return [['sh:datatype', short(rdf.JSON)]];
    case 'iri':
      return [['sh:nodeKind', 'sh:IRI'], ...textStatements(fragment)];
    case 'tool':
    case 'skill':
      return [['sh:nodeKind', 'sh:IRI']];
    default:
      throw new Error(`no form of nodes is known for "${row.key}"`);
  }
}

const plainText: Statement = ['sh:node', 'tgs:Text'];

function textStatements({ minLength, maxLength, pattern }: Fragment): Statement[] {
  if (pattern !== undefined && /\(\?|\\[bBdDwW0-9]/.test(pattern)) {
    // SHACL has the regular expressions of XPath (F&O 3.1 §5.6), which lack these.
    throw new Error(`the pattern ${pattern} cannot stand in a shape`);
  }
  const written = pattern === undefined ? undefined : JSON.stringify(pattern);
  return statementsOf({ minLength, maxLength, pattern: written });
}

function counts({ minItems, maxItems }: Fragment): Statement[] {
  return statementsOf({ minCount: minItems, maxCount: maxItems });
}

function minCount(n: number): Statement[] {
  return statementsOf({ minCount: n });
}

function statementsOf(values: Readonly<Record<string, string | number | undefined>>): Statement[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[`sh:${name}`, String(value)]],
  );
}

function oneOf(values: readonly (string | boolean)[]): Statement {
  return ['sh:in', `( ${values.map((value) => JSON.stringify(value)).join(' ')} )`];
}

function pathOf({ iri }: TermRow): Statement {
  return ['sh:path', short(iri)];
}

function property(statements: readonly Statement[]): Statement {
  return ['sh:property', `[\n    ${written(statements, '    ')}\n  ]`];
}

function written(statements: readonly Statement[], indent: string): string {
  return statements.map((statement) => statement.join(' ')).join(` ;\n${indent}`);
}

function fragmentOf(schema: z.ZodType): Fragment {
  return z.toJSONSchema(schema, { io: 'input' }) as Fragment;
}

/** Keys that have an older name: neither is required by itself, and a Tool that has none of them breaks a rule. */
function requiredByRules(): ReadonlySet<string> {
  const bare = { id: 'a', title: '-', invoke: {}, io: {}, satisfies: ['-'] };
  return new Set(toolRules(bare).map(({ path }) => String(path[0])));
}

function short(iri: string): string {
  const [prefix, namespace] = Object.entries(namespaces).find(([, start]) => iri.startsWith(start)) ?? [];
  if (namespace === undefined) throw new Error(`no prefix for <${iri}>`);
  return `${prefix}:${iri.slice(namespace.length)}`;
}

function prefixLines(): string {
  return Object.entries(namespaces)
    .map(([prefix, namespace]) => `@prefix ${prefix}: <${namespace}> .`)
    .join('\n');
}

function head(): string {
  const limits = shaclLimits.map(({ accepts, what }) => `- ${accepts === 'shapes' ? 'not seen' : 'stricter'}: ${what}`);
  return [
    'SHACL Core shapes for Tools, skills and views, as they stand in the graph.',
    'Generated from the Zod in schemas/ and the terms in src/store/vocabulary.ts by `npm run generate`. Do not edit.',
    'The shapes are open: triples of other vocabularies are welcome on every node.',
    'Where they and the service differ:',
    ...limits,
  ]
    .map((line) => `# ${line}`)
    .join('\n');
}

/** What is of a kind of value, whatever the key: a list is one chain of cells that ends in rdf:nil. */
const kindShapes = `tgs:Text a sh:NodeShape ;
  sh:or ( [ sh:datatype xsd:string ] [ sh:datatype rdf:langString ] ) .

tgs:List a sh:NodeShape ;
  sh:property [
    sh:path [ sh:zeroOrMorePath rdf:rest ] ;
    sh:hasValue rdf:nil ;
    sh:node tgs:Cell
  ] .

tgs:Cell a sh:NodeShape ;
  sh:or ( [ sh:in ( rdf:nil ) ] [
    sh:property [ sh:path rdf:first ; sh:minCount 1 ; sh:maxCount 1 ] ;
    sh:property [ sh:path rdf:rest ; sh:minCount 1 ; sh:maxCount 1 ]
  ] ) .`;
