import type { Diagnostic } from '../diagnostic.js';
import type { Projection } from './generation.js';

/** What of a projection names documents. */
export type ProjectedParts = Pick<
  Projection,
  'entries' | 'omissions' | 'views' | 'viewOmissions' | 'getStateTool' | 'problems'
>;

/** The name of a document of an included instance as seen from the one that includes it, where `label` is the path between them. */
export function documentIn(label: string, document: string): string {
  if (label === '') return document;
  if (document === '.') return label;
  return label.endsWith('/') ? label + document : `${label}/${document}`;
}

/**
 * Says of everything in the projection of an included instance which one that is, and names its documents as the `label` says. What
 * stays in a projection stays the same object here.
 */
export class DocumentLabeller {
  readonly #label: string;
  readonly #known = new WeakMap<object, object>();

  constructor(label: string) {
    this.#label = label;
  }

  label({ entries, omissions, views, viewOmissions, problems, ...rest }: ProjectedParts): ProjectedParts {
    const documents = new Set(problems.flatMap(({ document }) => document ?? []));
    return {
      ...(rest.getStateTool === true ? { getStateTool: true } : {}),
      entries: new Map(Array.from(entries, ([name, entry]) => [name, this.#named(entry)])),
      omissions: omissions.map((omission) => this.#named(omission)),
      views: new Map(Array.from(views, ([id, view]) => [id, this.#named(view)])),
      viewOmissions: viewOmissions.map((omission) => this.#named(omission)),
      problems: problems.map((found) => this.#found(found, documents)),
    };
  }

  #named<T extends { readonly document: string }>(original: T): T {
    const known = this.#known.get(original) as T | undefined;
    if (known !== undefined) return known;
    const named = { ...original, document: documentIn(this.#label, original.document), instance: this.#label };
    this.#known.set(original, named);
    return named;
  }

  /** A message names the other documents that are concerned too: each of them has a problem of its own. */
  #found(found: Diagnostic, documents: ReadonlySet<string>): Diagnostic {
    const rename = (word: string) => (documents.has(word) ? documentIn(this.#label, word) : word);
    const message = found.message.replace(/[^\s",;()]+/gu, rename);
    const { document } = found;
    const place = document === undefined ? {} : { document: documentIn(this.#label, document) };
    return { ...found, ...place, message, instance: this.#label };
  }
}
