import { posix } from 'node:path';
import type { ProblemCode } from '../diagnostic.js';
import { contextIri, terms } from '../store/vocabulary.js';
import { toPointer } from './pointer.js';

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
  readonly hasInlineTerms: boolean;
}

/** Where a context is used, and the context documents of the instance by path. */
export interface ContextSite {
  readonly path: string;
  readonly pointer: string;
  readonly contexts: ReadonlyMap<string, unknown>;
}

/** What a document without `@context` has. */
export const defaultContext: NodeContext = {
  entries: [contextIri],
  isOurs: true,
  maps: () => false,
  hasInlineTerms: false,
};

/** Absolute: a scheme and a colon (RFC 3986 §3.1). */
export const schemePattern = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * Resolves the contexts that apply to a node, outermost first, without the network (DESIGN decision 2): the bundled IRI
 * stays, a path becomes the content of that context document, inline objects stay, all else is a fault.
 */
export function resolveContext(
  values: readonly { readonly value: unknown; readonly pointer: string }[],
  site: Omit<ContextSite, 'pointer'>,
): { readonly context: NodeContext; readonly faults: readonly ContextFault[] } {
  const faults: ContextFault[] = [];
  const entries = values.flatMap(({ value, pointer }) => resolve(value, { ...site, pointer }, [], faults));
  const context = describe(entries);
  const pointer = values.at(-1)?.pointer ?? '/@context';
  if (context.isOurs) faults.push(...takeoverFaults(entries, pointer));
  return { context, faults };
}

/** A copy of a value that lies inside a node, with each `@context` in it resolved. JSON literals are left alone. */
export function resolveNested(value: unknown, site: ContextSite, faults: ContextFault[]): unknown {
  if (Array.isArray(value)) {
    return value.map((item, i) => resolveNested(item, { ...site, pointer: `${site.pointer}/${i}` }, faults));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => {
    const inside = { ...site, pointer: site.pointer + toPointer([key]) };
    if (key === '@value') return [key, member];
    if (key === '@context') return [key, resolve(member, inside, [], faults)];
    return [key, resolveNested(member, inside, faults)];
  });
  return Object.fromEntries(members);
}

function resolve(value: unknown, site: ContextSite, opened: readonly string[], faults: ContextFault[]): unknown[] {
  if (value === null) return [null];
  if (typeof value === 'string') return resolveName(value, site, opened, faults);
  if (Array.isArray(value)) {
    return value.flatMap((entry, i) =>
      resolve(entry, opened.length === 0 ? { ...site, pointer: `${site.pointer}/${i}` } : site, opened, faults),
    );
  }
  if (isObject(value)) return [resolveInline(value, site, opened, faults)];
  const { pointer } = site;
  faults.push({ code: 'invalid-node', pointer, message: '@context: expected an IRI, a path, an object or an array' });
  return [];
}

function resolveName(name: string, site: ContextSite, opened: readonly string[], faults: ContextFault[]): unknown[] {
  if (name === contextIri) return [name];
  const unknown = (message: string): unknown[] => {
    faults.push({ code: 'unknown-context', pointer: site.pointer, message });
    return [];
  };
  if (schemePattern.test(name)) {
    return unknown(
      `the context ${quoted(name)} is not available, because nothing is fetched; use ${contextIri}, leave @context out, ` +
        'or put the context into a file of the instance and name its relative path',
    );
  }
  const path = posix.join(posix.dirname(opened.at(-1) ?? site.path), name);
  if (path.startsWith('../') || path === '..' || name.startsWith('/')) {
    return unknown(`the context ${quoted(name)} lies outside the instance; name a file inside it by a relative path`);
  }
  if (opened.includes(path)) return unknown(`the context document ${path} includes itself; remove the circle`);
  const document = site.contexts.get(path);
  if (!isObject(document) || document['@context'] === undefined) {
    return unknown(
      `${quoted(name)} names no context document of the instance (looked for ${path}); create it with "@context" alone, ` +
        `or use ${contextIri}`,
    );
  }
  return resolve(document['@context'], site, [...opened, path], faults);
}

function resolveInline(
  context: Readonly<Record<string, unknown>>,
  site: ContextSite,
  opened: readonly string[],
  faults: ContextFault[],
): unknown {
  const at = (key: string): string => (opened.length === 0 ? site.pointer + toPointer([key]) : site.pointer);
  if ('@import' in context) {
    const message = `@import of ${quoted(context['@import'])} is refused, because nothing is fetched; write its terms here`;
    faults.push({ code: 'unknown-context', pointer: at('@import'), message });
  }
  if ('@base' in context) {
    const message = `@base ${quoted(context['@base'])} is refused, because the base is that of the instance; remove @base`;
    faults.push({ code: 'invalid-node', pointer: at('@base'), message });
  }
  const members = Object.entries(context).map(([term, definition]): [string, unknown] => {
    if (!isObject(definition) || !('@context' in definition)) return [term, definition];
    const inside = { ...site, pointer: opened.length === 0 ? `${at(term)}/@context` : site.pointer };
    return [term, { ...definition, '@context': resolve(definition['@context'], inside, opened, faults) }];
  });
  return Object.fromEntries(members);
}

const ownTerms = new Set(terms.map(({ key }) => key));

function describe(entries: readonly unknown[]): NodeContext {
  let isOurs = false;
  const inline = new Set<string>();
  for (const entry of entries) {
    if (entry === contextIri) isOurs = true;
    else if (entry === null) isOurs = false;
    else if (isObject(entry)) {
      for (const [term, definition] of Object.entries(entry)) {
        if (!term.startsWith('@') && definition !== null && !ownTerms.has(term)) inline.add(term);
      }
    }
  }
  const maps = (key: string): boolean => {
    const colon = key.indexOf(':');
    return inline.has(key) || (colon > 0 && inline.has(key.slice(0, colon)));
  };
  return { entries, isOurs, maps, hasInlineTerms: inline.size > 0 };
}

/** Defaults that would change what our own keys mean, or map a misspelt key silently. */
function takeoverFaults(entries: readonly unknown[], pointer: string): ContextFault[] {
  return entries.filter(isObject).flatMap((entry) =>
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
