import { byCodeUnits } from '../code-units.js';
import type { Diagnostic } from '../diagnostic.js';
import { errorMessage } from '../error-message.js';
import { documents, sharing } from './duplicates.js';
import { lastGoodEntries, type Undetermined } from './last-good.js';
import type { ViewNode } from './node.js';
import {
  atView,
  evaluateView,
  type ServedView,
  type ViewJudgement,
  type ViewOmission,
  type ViewState,
} from './view-state.js';

/** What is known beside the views. */
export interface ViewSurroundings extends ViewJudgement, Omit<Undetermined, 'determined'> {
  /** An error is told of the node already, so it must not have a second state. */
  isFaulty(iri: string): boolean;
}

/** What the views of an instance become. */
export interface ViewOutcome {
  /** By id, sorted by it. */
  readonly served: ReadonlyMap<string, ServedView>;
  /** Sorted by id, then document. */
  readonly omissions: readonly ViewOmission[];
  /** In no particular order. */
  readonly problems: readonly Diagnostic[];
}

/**
 * The views of one instance, as `LiveProjection` has its Tools: exactly one of three states each, what was served before goes on while its
 * node cannot be determined (DESIGN decision 3), and what has not changed is not judged again.
 */
export class LiveViews {
  readonly #nodes = new Map<string, readonly ViewNode[]>();
  #states = new WeakMap<ViewNode, ViewState>();
  #latest: ViewOutcome;
  #basis: readonly unknown[] = [];

  constructor(previous: ReadonlyMap<string, ServedView> = new Map()) {
    this.#latest = { served: previous, omissions: [], problems: [] };
  }

  /** Takes the views that a document holds now. */
  change(path: string, views: readonly ViewNode[]): void {
    if (views.length > 0) this.#nodes.set(path, views);
    else this.#nodes.delete(path);
  }

  /** Views are few, so that all are put together at each step; only what each is by itself is kept. */
  next(surroundings: ViewSurroundings): ViewOutcome {
    const { schemaOf, verdicts, queries, options } = surroundings;
    const basis = [schemaOf, verdicts, queries, JSON.stringify(options.tiers)];
    if (basis.some((part, i) => part !== this.#basis[i])) this.#states = new WeakMap();
    this.#basis = basis;
    this.#latest = this.#project(surroundings);
    return this.#latest;
  }

  #project(surroundings: ViewSurroundings): ViewOutcome {
    const before = [...this.#latest.served.values()];
    const nodes = [...this.#nodes.values()].flat().sort(byIri);
    if (nodes.length + before.length === 0) return nothing;
    const served: ServedView[] = [];
    const omissions: ViewOmission[] = [];
    const problems: Diagnostic[] = [];
    const determined = new Set<string>();
    const atFault = new Set<string>();
    const duplicates = new Map([...sharedUris(nodes, before), ...duplicateViews(nodes, before)]);
    for (const node of nodes) {
      const duplicate = duplicates.get(node);
      const state: ViewState =
        duplicate === undefined ? this.#stateOf(node, surroundings) : { state: 'problem', problems: [duplicate] };
      if (state.state !== 'problem' && surroundings.isFaulty(node.iri)) continue;
      if (state.state === 'problem') {
        problems.push(...state.problems);
        atFault.add(node.iri);
      } else determined.add(node.iri);
      if (state.state === 'omitted') omissions.push(state.omission);
      if (state.state === 'projected') served.push(state.view);
    }
    const isInternal = ({ iri, document }: ServedView) =>
      nodes.some((node) => node.iri === iri && node.document === document && node.view.tier === 'internal');
    const kept = lastGoodEntries(
      before.filter((view) => !isInternal(view)),
      {
        determined,
        isAtFault: (iri) => atFault.has(iri) || surroundings.isAtFault(iri),
        isUnreadable: (document) => surroundings.isUnreadable(document),
      },
    );
    const taken = new Map(kept.map((view) => [view.id, view]));
    const uris = new Map(kept.flatMap((view) => (view.uri === undefined ? [] : [[view.uri, view]])));
    const holderOf = ({ id, uri = '' }: ServedView): ServedView | undefined => taken.get(id) ?? uris.get(uri);
    for (const view of served) {
      const holder = holderOf(view);
      const node = nodes.find(({ iri, document }) => iri === view.iri && document === view.document);
      if (holder !== undefined && node !== undefined) problems.push(placeTaken(node, holder));
    }
    const all = [...served.filter((view) => holderOf(view) === undefined), ...kept].sort((a, b) =>
      byCodeUnits(a.id, b.id),
    );
    omissions.sort((a, b) => byCodeUnits(a.id, b.id) || byCodeUnits(a.document, b.document));
    return { served: new Map(all.map((view) => [view.id, view])), omissions, problems };
  }

  #stateOf(node: ViewNode, surroundings: ViewSurroundings): ViewState {
    const known = this.#states.get(node) ?? evaluateSafely(node, surroundings);
    this.#states.set(node, known);
    return known;
  }
}

const nothing: ViewOutcome = { served: new Map(), omissions: [], problems: [] };

function evaluateSafely(node: ViewNode, judgement: ViewJudgement): ViewState {
  try {
    return evaluateView(node, judgement);
  } catch (error) {
    const message = `toolgraph failed on this view: ${errorMessage(error)}; report it`;
    return { state: 'problem', problems: [atView(node, 'internal-error', message)] };
  }
}

/** As `duplicateIds`, of views: the one that is served already goes on. */
function duplicateViews(nodes: readonly ViewNode[], before: readonly ServedView[]): Map<ViewNode, Diagnostic> {
  const servedFrom = new Map(before.map(({ iri, document }) => [iri, document]));
  const found = new Map<ViewNode, Diagnostic>();
  for (const group of sharing(nodes, ({ iri, view }) => [`iri ${iri}`, `id ${view.id}`])) {
    const first = group.filter(({ iri, document }) => servedFrom.get(iri) === document);
    for (const node of group) {
      if (first.length === 1 && node === first[0]) continue;
      const others = documents(group.filter((other) => other !== node));
      const message = `the view "${node.view.id}" of ${node.document} is also described in ${others}; remove one, or give it another id`;
      found.set(node, atView(node, 'duplicate-id', message));
    }
  }
  return found;
}

/** The views that share their `uri` with another. Again the one that is served already goes on. */
function sharedUris(nodes: readonly ViewNode[], before: readonly ServedView[]): Map<ViewNode, Diagnostic> {
  const servedAt = new Map(before.map(({ iri, uri }) => [iri, uri]));
  const found = new Map<ViewNode, Diagnostic>();
  for (const group of sharing(nodes, ({ view: { uri } }) => (uri === undefined ? [] : [uri]))) {
    const first = group.filter(({ iri, view }) => servedAt.get(iri) === view.uri);
    for (const node of group) {
      if (first.length === 1 && node === first[0]) continue;
      const others = documents(group.filter((other) => other !== node));
      const message = `the view "${node.view.id}" has the uri ${node.view.uri}, which a view of ${others} has too; change one of them`;
      found.set(node, atView(node, 'name-collision', message, '/uri'));
    }
  }
  return found;
}

/** A new view does not take the id or the uri of one that is kept. */
function placeTaken(node: ViewNode, holder: ServedView): Diagnostic {
  if (node.view.id !== holder.id) {
    const message = `the view "${node.view.id}" has the uri of the one of ${holder.document}, which is served as it was; change one of them`;
    return atView(node, 'name-collision', message, '/uri');
  }
  const message = `the view "${node.view.id}" has the id of the one of ${holder.document}, which is served as it was; change one of the ids`;
  return atView(node, 'duplicate-id', message);
}

function byIri(a: ViewNode, b: ViewNode): number {
  return byCodeUnits(a.iri, b.iri) || byCodeUnits(a.document, b.document) || byCodeUnits(a.pointer, b.pointer);
}
