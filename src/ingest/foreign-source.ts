import { shown } from '../../schemas/issue-words.js';
import { ToolDocumentSchema } from '../../schemas/tool.js';
import { byCodeUnits } from '../code-units.js';
import { type ForeignKind, harnessName } from '../store/foreign-vocabulary.js';
import { decodedPart, localName, skillIri, toolIri } from '../store/node-iri.js';
import { propertyIri, rdf, terms, XSD } from '../store/vocabulary.js';
import { readJsonLiteral } from './json-literal.js';
import type { PlainQuad, PlainTerm } from './quad.js';

/** A node of a harness's vocabulary in the source form of ours. */
export interface ForeignSource {
  readonly node: Readonly<Record<string, unknown>>;
  /** The prefix of the names that the node uses: what stands before `tool/<id>` in its IRI. */
  readonly base: string;
  /** What could not be read, a sentence each. */
  readonly faults: readonly string[];
}

/**
 * Builds the source form (tool-node.md §1) of a Tool or skill out of the quads about it: its id or name is the one in its
 * IRI, `…#tool/<id>`, its title the label that is not that id, and the keys in the harness's vocabulary are ours, but for
 * `requirements`, which is `requires`. What is no key of ours is left alone. `base` is the prefix of the instance.
 */
export function foreignSource(
  iri: string,
  kind: ForeignKind,
  quads: readonly PlainQuad[],
  base: string,
): ForeignSource {
  const reader = new ForeignReader(quads);
  const [, own = base, encoded = ''] = (kind === 'tool' ? toolPattern : skillPattern).exec(iri) ?? [];
  const name = decodedPart(encoded);
  const misnamed = nameFault(iri, kind, name, base) ?? reader.contradiction(kind, name);
  if (misnamed !== undefined) return { node: {}, base: own, faults: [misnamed] };
  return { node: kind === 'tool' ? reader.tool(name) : reader.skill(name), base: own, faults: reader.faults };
}

const toolPattern = /^(.*[/:#])tool\/([^/#?]+)$/;
const skillPattern = /^(.*[/:#])skill\/([^/#?]+)$/;

function nameFault(iri: string, kind: ForeignKind, name: string, base: string): string | undefined {
  if (name === '') {
    const place = kind === 'tool' ? '#tool/<id>' : '#skill/<name>';
    // The label of a blank node is another in each process.
    const found = iri.startsWith('_:') ? 'a blank node' : `<${iri}>`;
    return `expected an IRI that ends in ${place}, which is where a harness's ${kind} has its name; found ${found}`;
  }
  const expected = kind === 'tool' ? toolIri(base, name) : skillIri(base, name);
  if (!iri.startsWith(base) || iri === expected) return undefined;
  return `expected <${expected}> as the IRI of the ${kind} ${JSON.stringify(name)}, found <${iri}>; correct it`;
}

const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';

/** Keys of the terms that a harness uses beside its own vocabulary, in the order in which one is looked for. */
const standardKeys = new Map([
  [`${RDFS}label`, 'label'],
  [propertyIri('title'), 'dcterms:title'],
  [propertyIri('description'), 'dcterms:description'],
  ['https://schema.org/description', 'schema:description'],
  ['http://schema.org/description', 'schema:description'],
  [`${RDFS}comment`, 'rdfs:comment'],
]);

/** The keys of a Tool that are read as they stand; id, title and description have several sources. */
const toolKeys = Object.keys(ToolDocumentSchema.shape).filter(
  (key) => !/^[@$]/.test(key) && !['id', 'title', 'description'].includes(key),
);
const setKeys = new Set(terms.filter(({ many }) => many).map(({ key }) => key));
/** Keys whose values are names, of which a harness may make an IRI: the name is the last part of it. */
const nameKeys = new Set(['tier', 'effect', 'type']);

/** Bounds on a JSON literal, as on a document. */
const literalLimits = { depth: 64, items: 10_000 };

class ForeignReader {
  readonly faults: string[] = [];
  readonly #terms = new Map<string, PlainTerm[]>();

  constructor(quads: readonly PlainQuad[]) {
    for (const { predicate, object } of quads) {
      const key = harnessName(predicate.value) ?? standardKeys.get(predicate.value);
      if (key === undefined) continue;
      const known = this.#terms.get(key);
      if (known === undefined) this.#terms.set(key, [object]);
      else known.push(object);
    }
  }

  tool(id: string): Record<string, unknown> {
    const entries = toolKeys.map((key): [string, unknown] => {
      const values = this.#values(key, key === 'requires' ? ['requires', 'requirements'] : [key]);
      return [key, setKeys.has(key) ? asSet(values) : this.#single(key, values)];
    });
    const title = this.#title(id) ?? (this.#terms.has('label') ? id : undefined);
    return defined([['id', id], ['title', title], ['description', this.#description()], ...entries]);
  }

  skill(name: string): Record<string, unknown> {
    return defined([
      ['name', name],
      ['title', this.#title(name)],
      ['description', this.#description()],
    ]);
  }

  /** An id or name that is stated and is another than that of the IRI. */
  contradiction(kind: ForeignKind, name: string): string | undefined {
    const key = kind === 'tool' ? 'id' : 'name';
    const other = this.#values(key, [key]).find((value) => value !== name);
    if (other === undefined) return undefined;
    return `${key}: expected ${JSON.stringify(name)}, which the IRI says, found ${JSON.stringify(other)}; make the two agree`;
  }

  /** Name and title are both labels: the one that is not the name is the title. */
  #title(name: string): unknown {
    const key = ['title', 'dcterms:title'].find((candidate) => this.#terms.has(candidate));
    if (key !== undefined) return this.#single('title', this.#values('title', [key]));
    const labels = this.#values('label', ['label']).filter((label) => label !== name);
    return this.#single('title', labels);
  }

  #description(): unknown {
    const candidates = ['description', 'summary', 'dcterms:description', 'schema:description', 'rdfs:comment'];
    const key = candidates.find((candidate) => this.#terms.has(candidate));
    // A summary is a key of its own.
    return key === undefined || key === 'summary' ? undefined : this.#single('description', this.#values('', [key]));
  }

  /** The different values of the keys, in an order that does not depend on that of the quads. */
  #values(key: string, from: readonly string[]): unknown[] {
    const found = new Map<string, unknown>();
    for (const term of from.flatMap((name) => this.#terms.get(name) ?? [])) {
      const value = this.#value(key, term);
      if (value !== undefined) found.set(JSON.stringify(value), value);
    }
    return [...found].sort(([a], [b]) => byCodeUnits(a, b)).map(([, value]) => value);
  }

  #single(key: string, [value, other]: readonly unknown[]): unknown {
    if (other === undefined) return value;
    this.faults.push(`${key}: two different values, ${shown(value)} and ${shown(other)}; keep one`);
    return value;
  }

  #value(key: string, { termType, value, datatype }: PlainTerm): unknown {
    if (termType === 'NamedNode') return nameKeys.has(key) ? localName(value) : value;
    if (termType !== 'Literal') {
      this.faults.push(
        `${key}: expected a literal, an IRI or a JSON literal, found a node without IRI; write one of these`,
      );
      return undefined;
    }
    if (datatype?.value === rdf.JSON) return this.#json(key, value);
    if (datatype?.value === `${XSD}boolean` && /^(?:true|false|0|1)$/.test(value)) return /^(?:true|1)$/.test(value);
    if (datatype?.value === `${XSD}integer` && /^[+-]?\d{1,15}$/.test(value)) return Number(value);
    return value;
  }

  #json(key: string, text: string): unknown {
    const read = readJsonLiteral(text, literalLimits);
    if ('value' in read) return read.value;
    this.faults.push(`${key}${read.pointer}: ${read.message}`);
    return undefined;
  }
}

/** A set may be given as one JSON literal that holds them all. */
function asSet(values: readonly unknown[]): unknown[] | undefined {
  return values.length === 0 ? undefined : values.flat(1);
}

function defined(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
