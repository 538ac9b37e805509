import { type NodeForm, skillForm, toolForm, typeForm, viewForm } from '../src/store/node-forms.js';
import {
  type ClassDefinition,
  classDefinitions,
  type PropertyDefinition,
  partClasses,
  propertyDefinitions,
} from '../src/store/term-definitions.js';
import {
  classes,
  DCTERMS,
  OSLC_RM,
  OWL,
  PROV,
  prefixes,
  RDF,
  RDFS,
  rdf,
  type TermRow,
  TG,
  terms,
  XSD,
} from '../src/store/vocabulary.js';

/** Short names of the namespaces that the vocabulary uses. */
export const ontologyPrefixes: Readonly<Record<string, string>> = {
  ...prefixes,
  rdfs: RDFS,
  owl: OWL,
  prov: PROV,
  oslc_rm: OSLC_RM,
  vann: 'http://purl.org/vocab/vann/',
  jsonschema: 'https://www.w3.org/2019/wot/json-schema#',
};

/** A value of a statement: an IRI, an English text, a plain text, or the class that is the union of some. */
export type OntologyValue =
  | { readonly iri: string }
  | { readonly english: string }
  | { readonly text: string }
  | { readonly unionOf: readonly string[] };

/** A subject and what is stated of it, each predicate once. */
export interface OntologyNode {
  readonly iri: string;
  readonly statements: readonly (readonly [predicate: string, values: readonly OntologyValue[]])[];
}

/** Every class and property, each with what it means; the ontology itself comes first. Pure. Throws where a key has no definition. */
export function ontology(): readonly OntologyNode[] {
  const defined = new Set(propertyDefinitions.map(({ iri }) => iri));
  const undefinedTerm = terms.find(({ iri }) => !defined.has(iri));
  if (undefinedTerm !== undefined) {
    throw new Error(`src/store/term-definitions.ts has no definition of the key "${undefinedTerm.key}"`);
  }
  return [head, ...classDefinitions.map(classNode), ...propertyDefinitions.map(propertyNode)];
}

const head: OntologyNode = {
  iri: TG,
  statements: [
    [rdf.type, iris(`${OWL}Ontology`)],
    [`${DCTERMS}title`, [{ english: 'The toolgraph vocabulary' }]],
    [
      `${DCTERMS}description`,
      [
        {
          english:
            'Terms for Tools, the skills that they satisfy, their types, views, and what is known of where they come from.',
        },
      ],
    ],
    ['http://purl.org/vocab/vann/preferredNamespacePrefix', [{ text: 'tg' }]],
    ['http://purl.org/vocab/vann/preferredNamespaceUri', [{ text: TG }]],
  ],
};

function classNode({ iri, comment, broader = [] }: ClassDefinition): OntologyNode {
  return {
    iri,
    statements: [
      [rdf.type, iris(`${RDFS}Class`, `${OWL}Class`)],
      ...words(iri, comment),
      ...(broader.length === 0 ? [] : [[`${RDFS}subClassOf`, iris(...broader)] as const]),
    ],
  };
}

/** Of a property of another vocabulary, domain and range are not ours to state. */
function propertyNode(definition: PropertyDefinition): OntologyNode {
  const { iri, comment, broader = [] } = definition;
  if (!iri.startsWith(TG)) return { iri, statements: [[rdf.type, iris(`${RDF}Property`)], ...words(iri, comment)] };
  const row = terms.find((term) => term.iri === iri);
  const domain = definition.domain ?? [...(subjects.get(iri) ?? [])];
  const range = definition.range ?? (row === undefined ? undefined : rangeOf(row));
  const isData = range !== undefined && (range === rdf.JSON || range.startsWith(XSD));
  const kind = range === undefined ? [] : [`${OWL}${isData ? 'DatatypeProperty' : 'ObjectProperty'}`];
  return {
    iri,
    statements: [
      [rdf.type, iris(`${RDF}Property`, ...kind)],
      ...words(iri, comment),
      ...(broader.length === 0 ? [] : [[`${RDFS}subPropertyOf`, iris(...broader)] as const]),
      ...(domain.length === 0 ? [] : [[`${RDFS}domain`, [domainValue(domain)]] as const]),
      ...(range === undefined ? [] : [[`${RDFS}range`, iris(range)] as const]),
    ],
  };
}

function domainValue(domain: readonly string[]): OntologyValue {
  const [only = ''] = domain;
  return domain.length === 1 ? { iri: only } : { unionOf: domain };
}

function words(iri: string, comment: string): OntologyNode['statements'] {
  return [
    [`${RDFS}label`, [{ english: label(iri) }]],
    [`${RDFS}comment`, [{ english: comment }]],
    [`${RDFS}isDefinedBy`, iris(namespaceOf(iri))],
  ];
}

/** The local name in words: `requiresConfirmation` is "requires confirmation". */
function label(iri: string): string {
  const name = iri.slice(namespaceOf(iri).length);
  return name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function namespaceOf(iri: string): string {
  const namespace = Object.values(ontologyPrefixes).find((start) => iri.startsWith(start));
  if (namespace === undefined) throw new Error(`no prefix for <${iri}>`);
  return namespace;
}

function iris(...all: string[]): OntologyValue[] {
  return all.map((iri) => ({ iri }));
}

/** The class of the nodes that a key leads to. */
const partOf: ReadonlyMap<string, string> = new Map([
  ['inputs', partClasses.Input],
  ['outputs', partClasses.Output],
  ['parameters', partClasses.Parameter],
  ['arg', partClasses.Arg],
  ['remedies', partClasses.Remedy],
  ['maintains', partClasses.Maintained],
]);

function rangeOf({ key, kind }: TermRow): string {
  switch (kind) {
    case 'text':
      return `${XSD}string`;
    case 'boolean':
    case 'integer':
      return `${XSD}${kind}`;
    case 'json':
      return rdf.JSON;
    case 'list':
      return `${RDF}List`;
    case 'tool':
      return classes.Tool;
    case 'skill':
      return classes.Skill;
    case 'iri':
      return classes.Type;
    default:
      return partClass(key);
  }
}

function partClass(key: string): string {
  const iri = partOf.get(key);
  if (iri === undefined) throw new Error(`scripts/ontology.ts knows no class of the nodes at "${key}"`);
  return iri;
}

/** The classes of the nodes that have a property, by its IRI: from the forms that lift reads. */
const subjects: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const found = new Map<string, Set<string>>();
  const visit = (subject: string, { rows, inner }: NodeForm): void => {
    for (const { iri } of rows) found.set(iri, (found.get(iri) ?? new Set()).add(subject));
    for (const [key, form] of inner) visit(partClass(key), form);
  };
  visit(classes.Tool, toolForm);
  visit(classes.Skill, skillForm);
  visit(classes.View, viewForm);
  visit(classes.Type, typeForm);
  const ports = [partClasses.Input, partClasses.Output, partClasses.Parameter];
  for (const of of found.values()) {
    if (!ports.every((port) => of.has(port))) continue;
    for (const port of ports) of.delete(port);
    of.add(partClasses.Port);
  }
  return found;
})();
