import type { Json, JsonSchema } from '../../../schemas/declaration.js';
import { isJsonObject } from '../../json-object.js';
import { toPointer } from '../../json-pointer.js';
import {
  type Acceptance,
  type Alternative,
  anyArray,
  anyObject,
  anything,
  exactly,
  normalised,
  nothing,
  type Opaque,
} from './acceptance.js';
import {
  hasPatternNames,
  invalidKeywords,
  isConstrained,
  isEverything,
  opaqueConstraints,
  type TypeName,
  typeNames,
} from './constraints.js';
import { Effort, TooLargeError } from './effort.js';
import { areDisjoint, checkCount, intersection, withOpaque } from './intersection.js';
import { canonicalText, isWithinBounds } from './json-value.js';
import type { PatternAnswers } from './pattern-question.js';
import { number, numberRange, stringRange } from './scalar-range.js';
import { SchemaDocument } from './schema-document.js';

/** Bounds on one schema, references followed: it comes from a server that nobody vouches for. */
const maxDepth = 100;
const maxValues = 50_000;
const maxSchemas = 5000;

/**
 * What a schema accepts (JSON Schema 2020-12; an array as `items`, of older revisions, counts as `prefixItems`). `pointer` is that of the
 * schema, which all places in the result begin with. Annotations and unknown keywords say nothing. A constraint that is not understood is
 * kept as `opaque`. Throws a TooLargeError for a schema beyond the bounds.
 */
export function readSchema(schema: Json, pointer: string, patterns: PatternAnswers, effort = new Effort()): Acceptance {
  if (!isWithinBounds(schema, maxDepth, maxValues)) {
    throw new TooLargeError(`it is deeper than ${maxDepth} levels or holds more than ${maxValues} values`);
  }
  const document = new SchemaDocument(schema, pointer);
  return new SchemaReader(document, patterns, effort).read(schema, { pointer, refs: [] });
}

interface Place {
  readonly pointer: string;
  /** The references that led here. */
  readonly refs: readonly string[];
}

class SchemaReader {
  readonly #document: SchemaDocument;
  readonly #patterns: PatternAnswers;
  readonly #effort: Effort;
  #schemas = 0;

  constructor(document: SchemaDocument, patterns: PatternAnswers, effort: Effort) {
    this.#document = document;
    this.#patterns = patterns;
    this.#effort = effort;
  }

  read(schema: Json, place: Place): Acceptance {
    this.#schemas += 1;
    this.#effort.spend(1);
    if (this.#schemas > maxSchemas) throw new TooLargeError(`it holds more than ${maxSchemas} schemas`);
    const { pointer } = place;
    if (schema === true) return anything;
    if (schema === false) return nothing(pointer);
    if (!isJsonObject(schema)) return unclear(this.#document.opaque('schema', schema, pointer));
    if (!isConstrained(schema)) return anything;
    let accepted = this.#byType(schema, place);
    // Values first: they are told in the order in which they are written.
    for (const part of this.#parts(schema, place)) {
      const [left, right] = part.alternatives[0]?.kind === 'value' ? [part, accepted] : [accepted, part];
      this.#effort.spend((left.alternatives.length * right.alternatives.length) / 100);
      accepted = intersection(left, right, this.#patterns);
    }
    return { ...accepted, pointer };
  }

  /** What the keywords that concern one type each say, for every type that `type` names. */
  #byType(schema: JsonSchema, place: Place): Acceptance {
    const { pointer } = place;
    const wrong = invalidKeywords(schema);
    // What has not the right value is not read at all.
    const valid = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !wrong.includes(keyword)));
    const invalid = wrong.map((keyword): [string, Json] => [keyword, schema[keyword] ?? null]);
    const opaque = (found: readonly [string, Json][]): Opaque[] =>
      found.map(([keyword, text]) => this.#document.opaque(keyword, text, pointer + toPointer([keyword])));
    const { named, integer } = typesOf(valid.type);
    const every = [...opaque(invalid), ...opaque(opaqueConstraints(valid, 'every'))];
    const alternatives = named.flatMap((type): Alternative[] => {
      const unknown = [...every, ...opaque(opaqueConstraints(valid, type))];
      return this.#ofType(type, valid, integer, place).flatMap((alternative) => {
        const found = normalised(withOpaque({ ...alternative, pointer }, unknown));
        return found === undefined ? [] : [found];
      });
    });
    return { alternatives, pointer };
  }

  #ofType(type: TypeName, schema: JsonSchema, integer: boolean, place: Place): Alternative[] {
    switch (type) {
      case 'null':
        return [exactly(null, place.pointer)];
      case 'boolean':
        return [true, false].map((value) => exactly(value, place.pointer));
      case 'number':
        return [numberRange(schema, integer, place.pointer)];
      case 'string':
        return [stringRange(schema)];
      case 'array':
        return [this.#arrayShape(schema, place)];
      case 'object':
        return [this.#objectShape(schema, place)];
    }
  }

  #arrayShape(schema: JsonSchema, place: Place): Alternative {
    const isOld = Array.isArray(schema.items);
    const prefixKeyword = isOld ? 'items' : 'prefixItems';
    const restKeyword = isOld ? 'additionalItems' : 'items';
    const prefix = schema[prefixKeyword];
    const rest = schema[restKeyword];
    return {
      ...anyArray(),
      prefix: Array.isArray(prefix)
        ? prefix.map((item: Json, i) => this.read(item, step(place, prefixKeyword, i)))
        : [],
      rest: rest === undefined ? anything : this.read(rest, step(place, restKeyword)),
      min: number(schema.minItems, 0),
      max: number(schema.maxItems, Infinity),
      unique: schema.uniqueItems === true,
    };
  }

  #objectShape(schema: JsonSchema, place: Place): Alternative {
    const { properties, additionalProperties, required } = schema;
    const named = isJsonObject(properties) ? Object.entries(properties) : [];
    const isOpen = additionalProperties === undefined || hasPatternNames(schema);
    return {
      ...anyObject(),
      properties: new Map(
        named.map(([name, property]) => [name, this.read(property, step(place, 'properties', name))]),
      ),
      additional: isOpen ? anything : this.read(additionalProperties, step(place, 'additionalProperties')),
      required: new Set(Array.isArray(required) ? required.map(String) : []),
      min: number(schema.minProperties, 0),
      max: number(schema.maxProperties, Infinity),
    };
  }

  /** What the keywords say that concern every type: each of them narrows what is accepted. */
  *#parts(schema: JsonSchema, place: Place): Iterable<Acceptance> {
    if (schema.const !== undefined) yield valuesAt(step(place, 'const').pointer, [schema.const]);
    if (Array.isArray(schema.enum) && schema.enum.length > 0) {
      yield valuesAt(step(place, 'enum').pointer, distinct(schema.enum));
    }
    if (schema.$ref !== undefined) yield this.#follow(schema.$ref, place);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
      const members = schema[keyword];
      if (!Array.isArray(members)) continue;
      const read = members.map((member: Json, i) => this.read(member, step(place, keyword, i)));
      if (keyword === 'allOf') yield* read;
      else yield this.#union(read, keyword, members, step(place, keyword).pointer);
    }
    if (isEverything(schema.not)) yield nothing(step(place, 'not').pointer);
  }

  #union(read: readonly Acceptance[], keyword: 'anyOf' | 'oneOf', members: Json, pointer: string): Acceptance {
    if (keyword === 'anyOf' && read.includes(anything)) return anything;
    const alternatives = read.flatMap((member) => member.alternatives);
    checkCount(alternatives);
    // Without a value that two of them accept, exactly one of them is any of them.
    const isPlain = keyword === 'anyOf' || arePairwiseDisjoint(read, this.#patterns);
    const opaque = isPlain ? [] : [this.#document.opaque('oneOf', members, pointer)];
    return { alternatives: alternatives.map((alternative) => withOpaque(alternative, opaque)), pointer };
  }

  /** A local reference is read in its place; one that leads elsewhere, or to itself, is not understood. */
  #follow($ref: Json, place: Place): Acceptance {
    const target = this.#document.target($ref);
    if (target === undefined || place.refs.includes(target.pointer)) {
      return unclear(this.#document.opaque('$ref', { $ref }, step(place, '$ref').pointer));
    }
    return this.read(target.schema, { pointer: target.pointer, refs: [...place.refs, target.pointer] });
  }
}

/** Anything of which only this is known. */
function unclear(opaque: Opaque): Acceptance {
  const { pointer } = opaque;
  return {
    alternatives: anything.alternatives.map((alternative) => withOpaque({ ...alternative, pointer }, [opaque])),
    pointer,
  };
}

function typesOf(type: Json | undefined): { readonly named: readonly TypeName[]; readonly integer: boolean } {
  if (type === undefined) return { named: typeNames, integer: false };
  const written: readonly Json[] = Array.isArray(type) ? type : [type];
  const integer = written.includes('integer') && !written.includes('number');
  return { named: typeNames.filter((name) => written.includes(name) || (name === 'number' && integer)), integer };
}

function valuesAt(pointer: string, members: readonly Json[]): Acceptance {
  return { alternatives: members.map((value) => exactly(value, pointer)), pointer };
}

function arePairwiseDisjoint(read: readonly Acceptance[], patterns: PatternAnswers): boolean {
  return read.every((left, i) =>
    read
      .slice(i + 1)
      .every((right) => left.alternatives.every((a) => right.alternatives.every((b) => areDisjoint(a, b, patterns)))),
  );
}

function distinct(members: readonly Json[]): Json[] {
  return [...new Map(members.map((member) => [canonicalText(member), member])).values()];
}

function step({ pointer, refs }: Place, ...path: readonly PropertyKey[]): Place {
  return { pointer: pointer + toPointer(path), refs };
}
