import { setTimeout as delay } from 'node:timers/promises';
import type { Quad } from '@rdfjs/types';
import { byCodeUnits } from './code-units.js';
import type { GenerationHolder } from './generation-holder.js';
import type { GraphSnapshot } from './graph-snapshot.js';
import type { InstanceTree } from './instance-tree.js';
import type { MemberInstance } from './member-instance.js';
import { jcsDigest } from './projection/digest.js';
import { documentsDigest } from './projection/saved-projection.js';
import type { ExportOptions } from './service.js';
import type { ExportFormat, ExportSelection } from './store/export-format.js';
import type { ExportedInstance } from './store/export-messages.js';
import { exportText } from './store/export-text.js';
import { ExportThread } from './store/export-thread.js';
import type { ProvenanceSource } from './store/provenance/provenance-source.js';
import type { AnsweredGeneration } from './store/query/graph-query.js';
import { QueryError } from './store/query/query-error.js';
import { cancelled, closed } from './store/query/query-turns.js';
import { untilAborted } from './store/query/until-aborted.js';

/** Exports that are written at once: each is a thread with a connection of its own. */
const mostAtOnce = 2;
/** As `QueryEngine` waits for documents and generation to be of one moment, in ms. */
const patienceMs = 10_000;
const lookMs = 250;

/** Writes what the documents state: at once, or the dataset of the current generation for readers that take their time. */
export class ServiceExports {
  readonly #tree: InstanceTree;
  readonly #holder: GenerationHolder;
  readonly #isFollowing: boolean;
  readonly #threads = new Set<ExportThread>();
  #isClosed = false;

  /** `isFollowing` as for `ServiceQueries`. */
  constructor(tree: InstanceTree, holder: GenerationHolder, isFollowing: boolean) {
    this.#tree = tree;
    this.#holder = holder;
    this.#isFollowing = isFollowing;
  }

  /** Waits while documents are stored of which there is no generation yet. Rejects with a QueryError. */
  async snapshot(signal?: AbortSignal): Promise<GraphSnapshot> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      if (this.#isClosed) throw closed();
      if (signal?.aborted) throw cancelled();
      const { current } = this.#holder;
      if (current !== undefined && this.#tree.isInStep) return this.#snapshotOf(current);
      if (performance.now() > deadline) {
        throw new QueryError('unavailable', 'the documents are being read, and there is no generation of them yet');
      }
      const published = Promise.race([this.#tree.nextPublication(), delay(lookMs, undefined, { ref: false })]);
      await untilAborted(published, signal);
    }
  }

  /** As `Service.export`. */
  export({ format, all }: ExportOptions): Iterable<string> | AsyncIterable<string> {
    const { members, root } = this.#tree;
    return exportText(
      quadsInOrder(members, all, all ? root.history.openProvenance() : undefined),
      format,
      root.config.base,
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#threads, (thread) => thread.end()));
  }

  #snapshotOf({ number, digest }: AnsweredGeneration): GraphSnapshot {
    const members = this.#tree.members.map((member) => member.held());
    const { base } = this.#tree.root.config;
    return {
      generation: { number, digest },
      digest: jcsDigest([base, members.map(({ key, documents }) => [key, documentsDigest(documents)])]),
      write: (format, selection = 'dataset') => this.#write(members, { format, selection, base }),
    };
  }

  async #write(
    members: readonly ExportedInstance[],
    wanted: { readonly format: ExportFormat; readonly selection: ExportSelection; readonly base: string },
  ): Promise<AsyncIterableIterator<string> | undefined> {
    if (this.#isClosed) throw closed();
    if (this.#threads.size >= mostAtOnce) {
      throw new QueryError('busy', `${mostAtOnce} exports are being read already; try again later`);
    }
    const instances = members.map(({ folder, identity, documents }) => ({ folder, identity, documents }));
    const thread = new ExportThread({ instances, ...wanted }, () => this.#threads.delete(thread));
    this.#threads.add(thread);
    const first = await thread.first();
    if (first.kind === 'begun' && (first.graphs > 0 || typeof wanted.selection === 'string')) return thread;
    await thread.end();
    if (first.kind === 'begun') return undefined;
    if (first.kind === 'failed') throw new QueryError('unavailable', first.message);
    // Another process has changed the store, and nothing has told of it yet.
    if (this.#isFollowing) await this.#tree.lookAgain();
    throw new QueryError('unavailable', 'the documents have changed meanwhile; ask again');
  }
}

/** In the order of the IRIs of the graphs, which does not depend on that of the instances. */
function* quadsInOrder(
  members: readonly MemberInstance[],
  all: boolean,
  provenance: ProvenanceSource | undefined,
): Generator<Quad> {
  const ofDocuments = members.flatMap((member) =>
    member.graphIris(all).map((iri) => [iri, () => member.graph(iri)] as const),
  );
  const graphs = [...ofDocuments, ...(provenance?.graphs() ?? [])];
  try {
    for (const [, quads] of graphs.sort(([a], [b]) => byCodeUnits(a, b))) yield* quads();
  } finally {
    provenance?.close();
  }
}
