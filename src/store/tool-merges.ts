import type { Quad } from '@rdfjs/types';
import type { DocumentNodes } from '../projection/node.js';
import { ExtendedSubjects } from './extended-subjects.js';
import { GraphIndex, nodeKey } from './graph-index.js';
import type { GraphStore, StoredDocument } from './graph-store.js';
import { type Addition, type HomeDocument, type MergedTool, mergeTool } from './merge-tool.js';
import type { UnclaimedSubject } from './stray-statements.js';
import { encodeTerm } from './term-text.js';

/** What an update found: paths of documents. */
export interface MergeUpdate {
  /** Other documents add something else to the Tools of these than before. */
  readonly concerned: ReadonlySet<string>;
  /** Another process has replaced these in the store meanwhile, so what they state now is not known. */
  readonly raced: ReadonlySet<string>;
}

/**
 * The Tools of an instance that more than one document describes, each merged at its home (DESIGN decision 1). Follows changes of
 * documents, and merges only those anew that a change can concern; documents that describe only nodes of their own cost a look.
 */
export class ToolMerges {
  readonly #store: Pick<GraphStore, 'documentQuads'>;
  readonly #base: string;
  /** By document. */
  readonly #stated = new Map<string, StatedElsewhere>();
  readonly #merged = new Map<string, MergedTools>();
  /** Subjects whose additions have changed since the last update that succeeded. */
  readonly #outdated = new Set<string>();
  #bySubject = new Map<string, Addition[]>();
  #extended = new ExtendedSubjects([]);

  constructor(store: Pick<GraphStore, 'documentQuads'>, base: string) {
    this.#store = store;
    this.#base = base;
  }

  /** Takes the documents that changed, or are gone, since the last update. Throws a StoreError, and can then be called again. */
  update(changed: ReadonlySet<string>, held: ReadonlyMap<string, StoredDocument>): MergeUpdate {
    const raced = new Set<string>();
    for (const path of changed) this.#take(path, held.get(path), raced);
    const outdated = new ExtendedSubjects(this.#outdated);
    if (outdated.size > 0) this.#index();
    else if (this.#stated.size === 0 && this.#merged.size === 0) return { concerned: new Set(), raced };
    const next = new Map<string, MergedTools>();
    for (const path of new Set([...changed, ...(outdated.size > 0 ? held.keys() : [])])) {
      const stored = held.get(path);
      const before = this.#merged.get(path) ?? none;
      const merged = stored === undefined ? none : this.#mergeIn(stored, changed.has(path), outdated, raced);
      if (!areSame(before, merged)) next.set(path, merged);
    }
    for (const [path, merged] of next) {
      if (merged.size > 0) this.#merged.set(path, merged);
      else this.#merged.delete(path);
    }
    this.#outdated.clear();
    return { concerned: new Set(next.keys()), raced };
  }

  /** What a document gives: its nodes, with what other documents add to its Tools. */
  nodesOf({ path, lifted, diagnostics, broken }: StoredDocument): DocumentNodes {
    const merged = this.#merged.get(path) ?? none;
    const found = [...merged.values()];
    const isAlone = (iri: string | undefined): boolean => iri === undefined || !merged.has(iri);
    const undetermined = [...merged].flatMap(([iri, { node }]) => (node === undefined ? [iri] : []));
    return {
      tools: [...lifted.tools.filter(({ iri }) => isAlone(iri)), ...found.flatMap(({ node }) => node ?? [])],
      skills: lifted.skills,
      types: lifted.types,
      views: lifted.views,
      diagnostics: [
        ...diagnostics,
        ...lifted.diagnostics.filter(({ subject }) => isAlone(subject)),
        ...found.flatMap((tool) => tool.diagnostics),
      ],
      broken: broken === 'all' ? 'all' : [...broken, ...lifted.broken.filter(isAlone), ...undetermined],
    };
  }

  /** What the documents state beside their own nodes that became part of no Tool, since the last update. */
  unclaimed(): UnclaimedSubject[] {
    const read = new Set([...this.#merged.values()].flatMap((tools) => [...tools.values()].flatMap(readSubjects)));
    return [...this.#stated.values()].flatMap(({ document, graph }) =>
      [...graph.subjects()]
        .filter((subject) => !read.has(subject))
        .map((subject) => ({ document, subject, properties: [...graph.predicates(subject)] })),
    );
  }

  #take(path: string, stored: StoredDocument | undefined, raced: Set<string>): void {
    const before = this.#stated.get(path)?.quads ?? [];
    const subjects = new Set(stored?.lifted.extends);
    if (before.length === 0 && subjects.size === 0) return;
    const quads = stored === undefined ? [] : this.#store.documentQuads(path, stored.sha256);
    if (quads === undefined) {
      raced.add(path);
      return;
    }
    // What cannot be read now stays as it was last stated, as a node keeps its last good form (DESIGN decision 3).
    const unread = stored?.broken === 'all' ? before.map(subjectOf) : (stored?.broken ?? []);
    const kept = new Set(unread.filter((subject) => !subjects.has(subject)));
    const stated = [
      ...quads.filter((quad) => subjects.has(subjectOf(quad))),
      ...before.filter((quad) => kept.has(subjectOf(quad))),
    ];
    for (const subject of differingSubjects(before, stated)) this.#outdated.add(subject);
    if (stated.length === 0) this.#stated.delete(path);
    else this.#stated.set(path, { document: path, graph: new GraphIndex(stated), quads: stated });
  }

  #index(): void {
    this.#bySubject = new Map();
    for (const addition of this.#stated.values()) {
      for (const subject of addition.graph.subjects()) {
        const additions = this.#bySubject.get(subject);
        if (additions === undefined) this.#bySubject.set(subject, [addition]);
        else additions.push(addition);
      }
    }
    this.#extended = new ExtendedSubjects(this.#bySubject.keys());
  }

  /** The merged Tools of a document. When it `isOther` than it was, all are merged anew; else those that an outdated subject may concern. */
  #mergeIn(stored: StoredDocument, isOther: boolean, outdated: ExtendedSubjects, raced: Set<string>): MergedTools {
    const { path, lifted } = stored;
    const before = this.#merged.get(path) ?? none;
    const parts = new Map(lifted.parts);
    const merged = new Map<string, MergedTool>();
    let home: HomeDocument | undefined;
    for (const iri of [...lifted.tools.map((tool) => tool.iri), ...lifted.broken]) {
      const known = before.get(iri);
      const ownParts = parts.get(iri) ?? [];
      if (!isOther && !outdated.mayConcern(iri, [...ownParts, ...(known?.subjects ?? [])])) {
        if (known !== undefined) merged.set(iri, known);
        continue;
      }
      if (!this.#extended.mayConcern(iri, ownParts)) continue;
      home ??= this.#home(stored);
      if (home === undefined) {
        raced.add(path);
        return before;
      }
      const tool = mergeTool(iri, home, this.#base, (subject) => this.#additionsTo(subject, path));
      if (tool !== undefined) merged.set(iri, tool);
    }
    return merged;
  }

  #home({ path, sha256, pointers }: StoredDocument): HomeDocument | undefined {
    const quads = this.#store.documentQuads(path, sha256);
    return quads === undefined ? undefined : { path, graph: new GraphIndex(quads), pointers };
  }

  #additionsTo(subject: string, home: string): readonly Addition[] {
    const additions = this.#bySubject.get(subject) ?? [];
    return additions.some(({ document }) => document === home)
      ? additions.filter(({ document }) => document !== home)
      : additions;
  }
}

/** What a document states of nodes that are not its own. */
interface StatedElsewhere extends Addition {
  readonly quads: readonly Quad[];
}

/** The subjects of which the two do not state the same. */
function differingSubjects(before: readonly Quad[], now: readonly Quad[]): Set<string> {
  const [was, is] = [triples(before), triples(now)];
  const gone = [...was].filter(([triple]) => !is.has(triple));
  const added = [...is].filter(([triple]) => !was.has(triple));
  return new Set([...gone, ...added].map(([, subject]) => subject));
}

/** The subject of each triple, by the text of the triple. */
function triples(quads: readonly Quad[]): Map<string, string> {
  return new Map(
    quads.map((quad) => {
      const subject = subjectOf(quad);
      return [JSON.stringify([subject, quad.predicate.value, encodeTerm(quad.object)]), subject];
    }),
  );
}

function readSubjects({ subjects }: MergedTool): string[] {
  return [...subjects];
}

function subjectOf({ subject }: Quad): string {
  return nodeKey(subject);
}

type MergedTools = ReadonlyMap<string, MergedTool>;

const none: MergedTools = new Map();

function areSame(before: MergedTools, now: MergedTools): boolean {
  return before.size === now.size && [...now].every(([iri, tool]) => before.get(iri) === tool);
}
