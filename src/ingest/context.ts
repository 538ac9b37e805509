import { posix } from 'node:path';
import type { ProblemCode } from '../diagnostic.js';
import { isJsonObject } from '../json-object.js';
import { toPointer } from '../json-pointer.js';
import { contextIri, jsonKeys, terms } from '../store/vocabulary.js';

/** Something wrong with a `@context`; the pointer is into the document that uses it. */
export interface ContextFault {
  readonly code: Extract<ProblemCode, 'unknown-context' | 'invalid-node'>;
  readonly pointer: string;
  readonly message: string;
}

/** The context of a node, with the files that it names read in. */
export interface NodeContext {
  /** What jsonld gets: `contextIri`, inline objects and null. */
  readonly entries: readonly unknown[];
  /** It includes the bundled context, so the keys of tool-node.md §1 mean what they mean there. */
  readonly isOurs: boolean;
  /** Whether the document itself maps the key: then the key is data and stays in the graph (tool-node.md §1). */
  readonly maps: (key: string) => boolean;
  /** Whether the value of the key is a JSON literal, inside of which JSON-LD does not look. */
  readonly isJson: (key: string) => boolean;
  readonly hasInlineTerms: boolean;
  /** The `@base` that holds at the node, where one is honoured. */
  readonly base?: string;
}

/** The document in which a context is used, and the context documents of the instance by path. */
export interface ContextSite {
  readonly path: string;
  readonly contexts: ReadonlyMap<string, unknown>;
  /** The document is a harness's export (`kind: export`): the `@base` of its own inline context is honoured. */
  readonly isExport?: boolean;
}

/** What a document without `@context` has. */
export const defaultContext: NodeContext = {
  entries: [contextIri],
  isOurs: true,
  maps: () => false,
  isJson: (key) => jsonKeys.has(key),
  hasInlineTerms: false,
};

/** Absolute: a scheme and a colon (RFC 3986 §3.1). */
export const schemePattern = /^[A-Za-z][A-Za-z0-9+.-]*:/;

export interface ResolvedContext {
  readonly context: NodeContext;
  readonly faults: readonly ContextFault[];
}

/**
 * Resolves the contexts that apply to a node, outermost first, without the network (DESIGN decision 2): the bundled IRI
 * stays, a path becomes the content of that context document, inline objects stay, all else is a fault. A node without
 * contexts has the bundled one.
 */
export function resolveContext(
  values: readonly { readonly value: unknown; readonly pointer: string }[],
  site: ContextSite,
): ResolvedContext {
  if (values.length === 0) return { context: defaultContext, faults: [] };
  const resolver = new Resolver(site);
  const entries = values.flatMap(({ value, pointer }) => resolver.resolve(value, { pointer, opened: [] }));
  const context = describe(entries);
  const pointer = values.at(-1)?.pointer ?? '/@context';
  return { context, faults: [...resolver.faults, ...(context.isOurs ? takeoverFaults(entries, pointer) : [])] };
}

/**
 * A copy of what lies inside a node, with each `@context` in it resolved. JSON literals are left alone: what stands under
 * `@value`, and under the keys that `isLiteral` names.
 */
export function resolveNested(
  body: object,
  pointer: string,
  site: ContextSite,
  isLiteral: (key: string) => boolean,
): { readonly body: object; readonly faults: readonly ContextFault[] } {
  const resolver = new Resolver(site);
  const copy = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((item, i) => copy(item, `${at}/${i}`));
    return isJsonObject(value) ? members(value, at) : value;
  };
  const members = (value: object, at: string): object => {
    const resolved = Object.entries(value).map(([key, member]): [string, unknown] => {
      const inside = at + toPointer([key]);
      if (key === '@value' || isLiteral(key)) return [key, member];
      return [
        key,
        key === '@context' ? resolver.resolve(member, { pointer: inside, opened: [] }) : copy(member, inside),
      ];
    });
    return Object.fromEntries(resolved);
  };
  return { body: members(body, pointer), faults: resolver.faults };
}

/** Where a context is written: in the document, or in the last of the context documents that were opened to get to it. */
interface Place {
  /** Into the document that is read, also for what stands in a context document. */
  readonly pointer: string;
  readonly opened: readonly string[];
}

/** Documents of one node; contexts that name each other twice would open a number that doubles with each level. */
const maxOpened = 100;

class Resolver {
  readonly faults: ContextFault[] = [];
  readonly #site: ContextSite;
  #openedInAll = 0;

  constructor(site: ContextSite) {
    this.#site = site;
  }

  resolve(value: unknown, place: Place): unknown[] {
    if (value === null) return [null];
    if (typeof value === 'string') return this.#named(value, place);
    if (Array.isArray(value)) return value.flatMap((entry, i) => this.resolve(entry, within(place, i)));
    if (isJsonObject(value)) return [this.#inline(value, place)];
    this.#fault('invalid-node', place, '@context: expected an IRI, a path, an object or an array');
    return [];
  }

  #named(name: string, place: Place): unknown[] {
    if (name === contextIri) return [name];
    const path = posix.join(posix.dirname(place.opened.at(-1) ?? this.#site.path), name);
    const document = this.#site.contexts.get(path);
    const content = isJsonObject(document) ? document['@context'] : undefined;
    const refusal = this.#refusal(name, path, place.opened, content !== undefined);
    if (refusal !== undefined) {
      this.#fault('unknown-context', place, refusal);
      return [];
    }
    this.#openedInAll += 1;
    return this.resolve(content, { ...place, opened: [...place.opened, path] });
  }

  #refusal(name: string, path: string, opened: readonly string[], exists: boolean): string | undefined {
    if (schemePattern.test(name)) {
      return (
        `the context ${quoted(name)} is not available, because nothing is fetched; use ${contextIri}, ` +
        'leave @context out, or put the context into a file of the instance and name its relative path'
      );
    }
    if (path.startsWith('../') || path === '..' || name.startsWith('/')) {
      return `the context ${quoted(name)} lies outside the instance; name a file inside it by a relative path`;
    }
    if (opened.includes(path)) return `the context document ${quoted(path)} includes itself; remove the circle`;
    if (this.#openedInAll >= maxOpened) return `more than ${maxOpened} context documents are opened; name fewer`;
    if (exists) return undefined;
    return (
      `${quoted(name)} names no context document of the instance (looked for ${quoted(path)}); ` +
      `create it with "@context" alone, or use ${contextIri}`
    );
  }

  #inline(context: Readonly<Record<string, unknown>>, place: Place): unknown {
    if (Object.hasOwn(context, '@import')) {
      const url = quoted(context['@import']);
      const message = `@import of ${url} is refused, because nothing is fetched; write its terms here`;
      this.#fault('unknown-context', within(place, '@import'), message);
    }
    if (Object.hasOwn(context, '@base')) {
      const refusal = this.#baseRefusal(context['@base'], place.opened.length === 0);
      if (refusal !== undefined) this.#fault('invalid-node', within(place, '@base'), refusal);
    }
    const members = Object.entries(context).map(([term, definition]): [string, unknown] => {
      if (!isJsonObject(definition) || !Object.hasOwn(definition, '@context')) return [term, definition];
      const scoped = this.resolve(definition['@context'], within(within(place, term), '@context'));
      return [term, { ...definition, '@context': scoped }];
    });
    return Object.fromEntries(members);
  }

  #baseRefusal(iri: unknown, isInline: boolean): string | undefined {
    if (this.#site.isExport !== true || !isInline) {
      const remedy = 'remove @base, or give the folder of a harness\'s export the kind "export"';
      return `@base ${quoted(iri)} is refused, because the base is that of the instance; ${remedy}`;
    }
    if (typeof iri === 'string' && schemePattern.test(iri)) return undefined;
    return `@base: expected an absolute IRI, found ${quoted(iri)}; write the IRI of the export`;
  }

  #fault(code: ContextFault['code'], { pointer, opened }: Place, message: string): void {
    // Contexts that open each other would otherwise repeat one fault by the thousand.
    if (this.faults.length >= maxOpened) return;
    const where = opened.length === 0 ? '' : `in ${opened.at(-1)}: `;
    this.faults.push({ code, pointer, message: where + message });
  }
}

/** The place inside; what stands in another document keeps the place at which that one is named. */
function within(place: Place, step: string | number): Place {
  return place.opened.length === 0 ? { ...place, pointer: place.pointer + toPointer([step]) } : place;
}

const ownTerms = new Set(terms.map(({ key }) => key));

function describe(entries: readonly unknown[]): NodeContext {
  let isOurs = false;
  let base: string | undefined;
  const inline = new Set<string>();
  const json = new Set<string>();
  for (const entry of entries) {
    if (entry === contextIri) isOurs = true;
    else if (entry === null) {
      isOurs = false;
      base = undefined;
    } else if (isJsonObject(entry)) {
      if (typeof entry['@base'] === 'string') base = entry['@base'];
      for (const [term, definition] of Object.entries(entry)) {
        if (term.startsWith('@') || definition === null) continue;
        if (isJsonObject(definition) && definition['@type'] === '@json') json.add(term);
        if (!ownTerms.has(term)) inline.add(term);
      }
    }
  }
  const maps = (key: string): boolean => {
    const colon = key.indexOf(':');
    return inline.has(key) || (colon > 0 && inline.has(key.slice(0, colon)));
  };
  const isJson = (key: string): boolean => json.has(key) || (isOurs && jsonKeys.has(key));
  return { entries, isOurs, maps, isJson, hasInlineTerms: inline.size > 0, ...(base === undefined ? {} : { base }) };
}

/** Defaults that would change what our own keys mean, or map a misspelt key silently. */
function takeoverFaults(entries: readonly unknown[], pointer: string): ContextFault[] {
  return entries.filter(isJsonObject).flatMap((entry) =>
    ['@vocab', '@language', '@direction']
      .filter((keyword) => (entry[keyword] ?? null) !== null)
      .map((keyword): ContextFault => {
        const effect = keyword === '@vocab' ? 'would take in misspelt keys' : 'would apply to every text of the node';
        const remedy = 'define the single terms that you need instead';
        return { code: 'invalid-node', pointer, message: `${keyword} in @context is refused: it ${effect}; ${remedy}` };
      }),
  );
}

function quoted(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
