import { defaultBusyTimeoutMs } from '../database-file.js';
import { graphFile, openGraphAgain } from '../graph-opening.js';
import { DocumentReader, type TripleTexts } from './document-reader.js';
import type { QuadSource } from './quad-source.js';
import { openQuadSources } from './quad-sources.js';
import type { QueryDataset } from './query-dataset.js';
import type { WantedInstance } from './query-messages.js';

/** More changed documents than this, and than a quarter of all, are not changed one by one: the dataset is loaded anew. */
const mostChanges = 1_000;

/** One source with what it was asked last. */
interface OpenSource {
  readonly source: QuadSource;
  cursor: unknown;
}

/** What a query sees of one instance: the documents that are wanted, as its `graph.db` holds them, and what the service itself states. */
export class FollowedInstance {
  readonly identity: string;
  readonly #reader: DocumentReader;
  readonly #sources: OpenSource[];
  /** By path, the sha-256 of each document that is wanted. */
  readonly #wanted = new Map<string, string>();
  /** Documents of which the dataset may hold something else. */
  readonly #pending = new Set<string>();
  /** By path, the graphs of each document in the dataset. */
  readonly #graphs = new Map<string, readonly string[]>();
  readonly #graphPaths = new Map<string, string>();

  /** Throws a StoreError when `graph.db` is not the one that is wanted. */
  constructor({ folder, base, label, identity }: WantedInstance) {
    this.identity = identity;
    this.#reader = new DocumentReader(openGraphAgain(graphFile(folder, defaultBusyTimeoutMs), identity));
    this.#sources = openQuadSources({ folder, base, label }).map((source) => ({ source, cursor: undefined }));
  }

  want({ documents: { all, held, gone } }: WantedInstance): void {
    const stated = new Map(held);
    const isNews = ([path, sha256]: readonly [string, string]) => !all || this.#wanted.get(path) !== sha256;
    for (const [path] of held.filter(isNews)) this.#pending.add(path);
    const dropped = all ? [...this.#wanted.keys()].filter((path) => !stated.has(path)) : gone;
    for (const path of dropped) {
      this.#wanted.delete(path);
      this.#pending.add(path);
    }
    for (const [path, sha256] of held) this.#wanted.set(path, sha256);
  }

  /** So much is other than what the dataset holds that it is better loaded anew. */
  get isFarBehind(): boolean {
    return this.#pending.size > Math.max(mostChanges, this.#graphs.size / 4);
  }

  /**
   * Takes in the documents that are pending. `others` gives what other instances state in a graph of the same name. False, with nothing
   * changed, when the store holds one of them with other bytes, or no more.
   */
  takeChanges(dataset: QueryDataset, others: (graph: string) => TripleTexts[]): boolean {
    return this.#reader.atOneMoment(() => {
      const changed = this.#graphNumbers(this.#pending);
      if (changed === undefined) return false;
      for (const path of this.#pending) {
        const before = this.#graphs.get(path) ?? [];
        const now = (changed.get(path) ?? []).map((graph) => [this.#reader.iri(graph), graph] as const);
        const kept = new Set(now.map(([iri]) => iri));
        for (const iri of before) if (!kept.has(iri)) dataset.replaceGraph(iri, others(iri));
        for (const [iri, graph] of now) dataset.replaceGraph(iri, [...this.#reader.triples(graph), ...others(iri)]);
        this.#hold(path, [...kept]);
      }
      this.#pending.clear();
      return true;
    });
  }

  /** Loads all documents into a dataset that has nothing of this instance. False, as `takeChanges`. */
  loadAll(dataset: QueryDataset): boolean {
    return this.#reader.atOneMoment(() => {
      const found = this.#graphNumbers(this.#wanted.keys());
      if (found === undefined) return false;
      this.#graphs.clear();
      this.#graphPaths.clear();
      for (const [path, graphs] of found)
        this.#hold(
          path,
          graphs.map((graph) => this.#reader.iri(graph)),
        );
      dataset.load(this.#reader.quads(new Set([...found.values()].flat())));
      this.#pending.clear();
      return true;
    });
  }

  /** What a document of this instance states in the graph; empty when none does. */
  stated(graph: string): TripleTexts[] {
    const path = this.#graphPaths.get(graph);
    const sha256 = path === undefined ? undefined : this.#wanted.get(path);
    if (path === undefined || sha256 === undefined) return [];
    const numbers = this.#reader.graphsOf(path, sha256) ?? [];
    return numbers.flatMap((number) => (this.#reader.iri(number) === graph ? this.#reader.triples(number) : []));
  }

  /** Takes in what the sources state now. False when one has begun anew, so that the dataset is to be loaded anew. */
  takeSources(dataset: QueryDataset): boolean {
    for (const open of this.#sources) {
      const isFirst = open.cursor === undefined;
      const { cursor, startsOver, removedGraphs = [], added, removed } = open.source.changesSince(open.cursor);
      if (startsOver && !isFirst) return false;
      for (const graph of removedGraphs) dataset.removeGraph(graph);
      dataset.remove(removed);
      dataset.add(added);
      open.cursor = cursor;
    }
    return true;
  }

  /** The dataset has nothing of this instance any more. */
  forget(): void {
    for (const open of this.#sources) open.cursor = undefined;
    this.#graphs.clear();
    this.#graphPaths.clear();
  }

  close(): void {
    for (const { source } of this.#sources) source.close();
    this.#reader.close();
  }

  #hold(path: string, graphs: readonly string[]): void {
    for (const graph of this.#graphs.get(path) ?? []) this.#graphPaths.delete(graph);
    if (graphs.length === 0) this.#graphs.delete(path);
    else this.#graphs.set(path, graphs);
    for (const graph of graphs) this.#graphPaths.set(graph, path);
  }

  /** By path, the graphs of those that are wanted; undefined when the store does not hold one of them as it is wanted. */
  #graphNumbers(paths: Iterable<string>): Map<string, number[]> | undefined {
    const found = new Map<string, number[]>();
    for (const path of paths) {
      const sha256 = this.#wanted.get(path);
      if (sha256 === undefined) continue;
      const graphs = this.#reader.graphsOf(path, sha256);
      if (graphs === undefined) return undefined;
      found.set(path, graphs);
    }
    return found;
  }
}
