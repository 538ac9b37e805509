/** The IRIs of the graph, and one table from which the JSON-LD context and docs/vocabulary.md are made. */

export const TG = 'https://w3id.org/toolgraph/ns#';
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XSD = 'http://www.w3.org/2001/XMLSchema#';
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
export const OWL = 'http://www.w3.org/2002/07/owl#';
export const PROV = 'http://www.w3.org/ns/prov#';
export const DCTERMS = 'http://purl.org/dc/terms/';
export const SCHEMA = 'https://schema.org/';
export const TD = 'https://www.w3.org/2019/wot/td#';
export const OSLC_RM = 'http://open-services.net/ns/rm#';

/** Short names of the namespaces, for Turtle and TriG that people read. */
export const prefixes: Readonly<Record<string, string>> = {
  tg: TG,
  dcterms: DCTERMS,
  schema: SCHEMA,
  td: TD,
  prov: PROV,
  rdf: RDF,
  xsd: XSD,
};

/** The one context that documents may name; bundled, never fetched. */
export const contextIri = 'https://w3id.org/toolgraph/v1.jsonld';

export const rdf = {
  type: `${RDF}type`,
  first: `${RDF}first`,
  rest: `${RDF}rest`,
  nil: `${RDF}nil`,
  JSON: `${RDF}JSON`,
  langString: `${RDF}langString`,
} as const;

/** Classes: the values of `@type`. */
export const classes = {
  Tool: `${TG}Tool`,
  Skill: `${TG}Skill`,
  View: `${TG}View`,
  Type: `${TG}Type`,
  Document: `${TG}Document`,
} as const;

/**
 * How the value of a key stands in the graph: a plain literal, a reference to a Tool, a skill or any IRI, a list of nodes
 * in order, a set of nodes, one node, or a JSON literal (stored as RFC 8785 JCS).
 */
export type TermKind = 'text' | 'boolean' | 'integer' | 'tool' | 'skill' | 'iri' | 'list' | 'nodes' | 'node' | 'json';

export interface TermRow {
  readonly key: string;
  readonly iri: string;
  readonly kind: TermKind;
  /** The key holds an array; a set in the graph, sorted again when it is lifted. */
  readonly many?: boolean;
}

/** One row a key. The keys of nodes inside a Tool or view (ports, arg, remedies, maintains, parameters) share the table: the context is flat. */
export const terms: readonly TermRow[] = [
  { key: 'id', iri: `${DCTERMS}identifier`, kind: 'text' },
  { key: 'name', iri: `${SCHEMA}name`, kind: 'text' },
  { key: 'title', iri: `${DCTERMS}title`, kind: 'text' },
  { key: 'description', iri: `${DCTERMS}description`, kind: 'text' },
  { key: 'version', iri: `${SCHEMA}softwareVersion`, kind: 'text' },
  { key: 'tier', iri: `${TG}tier`, kind: 'text' },
  { key: 'effect', iri: `${TG}effect`, kind: 'text' },
  { key: 'idempotent', iri: `${TD}isIdempotent`, kind: 'boolean' },
  { key: 'openWorld', iri: `${TG}openWorld`, kind: 'boolean' },
  { key: 'requiresConfirmation', iri: `${TG}requiresConfirmation`, kind: 'boolean' },
  { key: 'deprecated', iri: `${TG}deprecated`, kind: 'json' },
  { key: 'install', iri: `${TG}install`, kind: 'json' },
  { key: 'invoke', iri: `${TG}invoke`, kind: 'json' },
  { key: 'requires', iri: `${TG}requires`, kind: 'json' },
  { key: 'when', iri: `${TG}when`, kind: 'json' },
  { key: 'limits', iri: `${TG}limits`, kind: 'json' },
  { key: 'selection', iri: `${TG}selection`, kind: 'json' },
  { key: 'downstream', iri: `${TG}downstream`, kind: 'json' },
  { key: 'from', iri: `${TG}from`, kind: 'json' },
  { key: 'inputs', iri: `${TG}inputs`, kind: 'list' },
  { key: 'outputs', iri: `${TG}outputs`, kind: 'list' },
  { key: 'schema', iri: `${TG}schema`, kind: 'iri' },
  { key: 'required', iri: `${TG}required`, kind: 'boolean' },
  { key: 'repeated', iri: `${TG}repeated`, kind: 'boolean' },
  { key: 'arg', iri: `${TG}arg`, kind: 'node' },
  { key: 'flag', iri: `${TG}flag`, kind: 'text' },
  { key: 'joined', iri: `${TG}joined`, kind: 'boolean' },
  { key: 'positional', iri: `${TG}positional`, kind: 'integer' },
  { key: 'stdin', iri: `${TG}stdin`, kind: 'boolean' },
  { key: 'satisfies', iri: `${TG}satisfies`, kind: 'skill', many: true },
  { key: 'alternativeTo', iri: `${TG}alternativeTo`, kind: 'tool', many: true },
  { key: 'remedies', iri: `${TG}remedy`, kind: 'nodes', many: true },
  { key: 'host', iri: `${TG}host`, kind: 'text' },
  { key: 'error', iri: `${TG}error`, kind: 'text' },
  { key: 'tool', iri: `${TG}tool`, kind: 'tool' },
  { key: 'none', iri: `${TG}none`, kind: 'text' },
  { key: 'maintains', iri: `${TG}maintains`, kind: 'nodes', many: true },
  { key: 'source', iri: `${TG}source`, kind: 'text' },
  { key: 'artefact', iri: `${TG}artefact`, kind: 'text' },
  { key: 'format', iri: `${DCTERMS}format`, kind: 'text' },
  { key: 'renders', iri: `${TG}renders`, kind: 'text', many: true },
  { key: 'subprocesses', iri: `${TG}subprocess`, kind: 'text', many: true },
  { key: 'query', iri: `${TG}query`, kind: 'text' },
  { key: 'parameters', iri: `${TG}parameters`, kind: 'list' },
  { key: 'uri', iri: `${TG}uri`, kind: 'text' },
  { key: 'mediaType', iri: `${TG}mediaType`, kind: 'text' },
  { key: 'jsonSchema', iri: `${TG}jsonSchema`, kind: 'json' },
];

/** Keys whose value is a JSON literal: no context applies inside. */
export const jsonKeys: ReadonlySet<string> = new Set(terms.filter(({ kind }) => kind === 'json').map(({ key }) => key));

const iriByKey = new Map(terms.map(({ key, iri }) => [key, iri]));

/** The property IRI of a key of `terms`. Throws on a key that is not in the table: a mistake of ours. */
export function propertyIri(key: string): string {
  const iri = iriByKey.get(key);
  if (iri === undefined) throw new Error(`no term for key "${key}"`);
  return iri;
}

/** The flat JSON-LD 1.1 context (DESIGN decision 13): no scoped contexts, so that jsonld keeps one processed context. */
export function buildContext(): Record<string, unknown> {
  const context: Record<string, unknown> = { '@version': 1.1, '@protected': true, io: '@nest' };
  for (const [name, iri] of Object.entries(classes)) context[name] = iri;
  for (const row of terms) context[row.key] = termDefinition(row);
  return { '@context': context };
}

function termDefinition({ iri, kind }: TermRow): unknown {
  if (kind === 'json') return { '@id': iri, '@type': '@json' };
  if (kind === 'list') return { '@id': iri, '@container': '@list' };
  if (kind === 'iri' || kind === 'tool' || kind === 'skill') return { '@id': iri, '@type': '@id' };
  return { '@id': iri };
}
