import type { Quad } from '@rdfjs/types';
import { escapeStep, toPointer } from '../json-pointer.js';
import { Iri, LiteralTerm, QuadTerm } from '../store/rdf-terms.js';
import { classes, propertyIri, rdf } from '../store/vocabulary.js';
import type { Findings } from './findings.js';
import { jsonLiteral } from './quad.js';
import { checkTypeDocument } from './shape.js';

export interface TypeDocumentContent {
  readonly quads: readonly Quad[];
  readonly pointers: ReadonlyMap<string, string>;
  readonly broken: readonly string[] | 'all';
}

/**
 * Reads a JSON document with `$id` and `$defs`: each entry of `$defs` becomes a node `<$id>#/$defs/<name>` that holds its
 * schema as an `rdf:JSON` literal in JCS (tool-node.md §1). An entry with the wrong shape leaves the others as they are.
 */
export function ingestTypeDocument(
  tree: Readonly<Record<string, unknown>>,
  graph: string,
  findings: Findings,
): TypeDocumentContent {
  const issues = checkTypeDocument(tree);
  const id = tree.$id;
  const brokenTypes = new Set<string>();
  let all = typeof id !== 'string';
  for (const { path, message, atKey } of issues) {
    const [top, name] = path;
    const type = top === '$defs' && name !== undefined ? String(name) : undefined;
    const subject = type !== undefined && typeof id === 'string' ? typeIri(id, type) : undefined;
    if (type === undefined) all = true;
    else brokenTypes.add(type);
    findings.add('invalid-node', message, { pointer: toPointer(path), ...known(subject, atKey) });
  }
  if (all || typeof id !== 'string') return { quads: [], pointers: new Map(), broken: 'all' };
  const types = Object.entries(tree.$defs as Record<string, object>);
  const good = types.filter(([name]) => !brokenTypes.has(name));
  const document = new Iri(graph);
  return {
    quads: good.flatMap(([name, schema]) => typeQuads(new Iri(typeIri(id, name)), schema, document)),
    pointers: new Map(good.map(([name]) => [typeIri(id, name), `/$defs/${escapeStep(name)}`])),
    broken: [...brokenTypes].sort().map((name) => typeIri(id, name)),
  };
}

/** The IRI of one type: the JSON pointer of its entry as a URI fragment (RFC 6901 §6). */
export function typeIri(id: string, name: string): string {
  return `${id}#/$defs/${encodeURIComponent(escapeStep(name))}`;
}

function known(subject: string | undefined, atKey: boolean | undefined): { subject?: string; atKey?: boolean } {
  return { ...(subject === undefined ? {} : { subject }), ...(atKey === undefined ? {} : { atKey }) };
}

const type = new Iri(rdf.type);
const typeClass = new Iri(classes.Type);
const jsonSchema = new Iri(propertyIri('jsonSchema'));

function typeQuads(subject: Iri, schema: object, graph: Iri): Quad[] {
  const texts = (['title', 'description'] as const).flatMap((key) => {
    const value = (schema as Readonly<Record<string, unknown>>)[key];
    if (typeof value !== 'string' || !Object.hasOwn(schema, key)) return [];
    return [new QuadTerm(subject, new Iri(propertyIri(key)), new LiteralTerm(value), graph)];
  });
  return [
    new QuadTerm(subject, type, typeClass, graph),
    new QuadTerm(subject, jsonSchema, jsonLiteral(schema), graph),
    ...texts,
  ];
}
