import type { Json, JsonSchema } from '../../schemas/declaration.js';
import { unescapeStep } from '../json-pointer.js';
import type { TypeNode, TypeRegistry } from './node.js';

/** A type, or a part of one, that a reference names. */
export interface Referred {
  /** Absolute IRI with fragment: two references to one thing have one key. */
  readonly key: string;
  readonly schema: Json;
  /** The type that the schema is in: its own references start there. */
  readonly type: TypeNode;
}

/**
 * What `$ref` names, as seen from a type: `#/$defs/X` of the same type document or else of the type's own `$defs` (the other way
 * round when the type has an `$id`, which makes it a resource of its own), or another known type document by IRI. Undefined when
 * nothing known has this IRI; nothing is ever fetched (DESIGN decision 2).
 */
export function resolveReference(ref: string, from: TypeNode, types: TypeRegistry): Referred | undefined {
  const [base = '', fragment = ''] = ref.split(/#(.*)/s, 2);
  if (base !== '') {
    const document = absolute(base, documentOf(from.iri));
    return document === undefined ? undefined : inDocument(document, fragment, types);
  }
  const within = (): Referred | undefined => inType(from, fragment);
  const beside = (): Referred | undefined => inDocument(documentOf(from.iri), fragment, types);
  return typeof from.schema.$id === 'string' ? (within() ?? beside()) : (beside() ?? within());
}

/** The name of a type as people know it: the last step of its IRI. */
export function typeName(iri: string): string {
  const name = /#\/\$defs\/(.+)$/s.exec(iri)?.[1] ?? iri;
  return decoded(name) ?? name;
}

/** A known type that a mistyped IRI most likely stands for: the same but for case, `-` and `_`, or but for one character. */
export function nearestType(iri: string, types: TypeRegistry): string | undefined {
  const known = [...types.keys()].sort();
  const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');
  return known.find((other) => plain(other) === plain(iri)) ?? known.find((other) => differInOneCharacter(other, iri));
}

function inDocument(document: string, fragment: string, types: TypeRegistry): Referred | undefined {
  const [, name, rest] = /^\/\$defs\/([^/]+)(.*)$/s.exec(fragment) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const type = types.get(`${document}#/$defs/${name}`) ?? types.get(`${document}#/$defs/${decoded(name) ?? name}`);
  return type === undefined ? undefined : inType(type, rest);
}

function inType(type: TypeNode, pointer: string): Referred | undefined {
  let schema: Json | undefined = type.schema;
  for (const step of pointer.split('/').slice(1)) {
    const inUri = decoded(step);
    const key = inUri === undefined ? undefined : unescapeStep(inUri);
    if (key === undefined || schema === null || typeof schema !== 'object' || !Object.hasOwn(schema, key))
      return undefined;
    schema = (schema as JsonSchema)[key];
    if (schema === undefined) return undefined;
  }
  return { key: `${type.iri}${pointer}`, schema, type };
}

function documentOf(iri: string): string {
  return iri.split('#', 1)[0] ?? iri;
}

function absolute(reference: string, base: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference)) return reference;
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** One character is added, left out or replaced, or two neighbours are swapped. */
function differInOneCharacter(a: string, b: string): boolean {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB.slice(1) ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0])
  );
}
