import type { Json, JsonSchema } from '../../../schemas/declaration.js';
import { isJsonObject } from '../../json-object.js';
import { toPointer, unescapeStep } from '../../json-pointer.js';
import type { Opaque } from './acceptance.js';
import { canonicalText } from './json-value.js';

/** A schema as a whole: what references in it lead to, and what a part of it says that depends on the rest. */
export class SchemaDocument {
  readonly #root: Json;
  readonly #pointer: string;
  #text: string | undefined;
  #hasInnerIds: boolean | undefined;

  /** `pointer` is that of the root. */
  constructor(root: Json, pointer: string) {
    this.#root = root;
    this.#pointer = pointer;
  }

  /** What a local `$ref` leads to; undefined for one that leads elsewhere, or whose base cannot be told. */
  target($ref: Json): { readonly schema: Json; readonly pointer: string } | undefined {
    if (typeof $ref !== 'string' || this.#areBasesMixed()) return undefined;
    const own = isJsonObject(this.#root) && typeof this.#root.$id === 'string' ? this.#root.$id.replace(/#$/, '') : '';
    const local = own !== '' && $ref.startsWith(`${own}#`) ? $ref.slice(own.length) : $ref;
    if (local !== '#' && !local.startsWith('#/')) return undefined;
    let schema: Json = this.#root;
    const path: string[] = [];
    for (const encoded of local.split('/').slice(1)) {
      const key = decoded(encoded);
      if (key === undefined || typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, key)) {
        return undefined;
      }
      schema = (schema as JsonSchema)[key] ?? null;
      path.push(key);
    }
    return { schema, pointer: this.#pointer + toPointer(path) };
  }

  /** A constraint that is not understood. What its text says depends on the whole document where it refers to parts of that. */
  opaque(keyword: string, text: Json, pointer: string): Opaque {
    const refers = hasKey(text, (key) => key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef');
    const key = `${keyword} ${canonicalText(text)}${refers ? ` in ${this.#rootText()}` : ''}`;
    return { key, keyword, pointer };
  }

  /** An `$id` below the root gives the references beneath it another base. */
  #areBasesMixed(): boolean {
    this.#hasInnerIds ??=
      isJsonObject(this.#root) &&
      Object.values(this.#root).some((member) =>
        hasKey(member, (key, value) => key === '$id' && typeof value === 'string'),
      );
    return this.#hasInnerIds;
  }

  #rootText(): string {
    this.#text ??= canonicalText(this.#root);
    return this.#text;
  }
}

function hasKey(value: Json, isIt: (key: string, value: Json) => boolean): boolean {
  if (Array.isArray(value)) return value.some((member: Json) => hasKey(member, isIt));
  return (
    isJsonObject(value) && Object.entries(value).some(([key, member]) => isIt(key, member) || hasKey(member, isIt))
  );
}

function decoded(encoded: string): string | undefined {
  try {
    return unescapeStep(decodeURIComponent(encoded));
  } catch {
    return undefined;
  }
}
