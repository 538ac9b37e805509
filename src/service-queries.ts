import type { GenerationHolder } from './generation-holder.js';
import type { InstanceTree } from './instance-tree.js';
import type { GraphQuery, QueryOptions, QueryResult } from './store/query/graph-query.js';
import { type QueriedService, type QueryBasis, QueryEngine } from './store/query/query-engine.js';
import { QueryError } from './store/query/query-error.js';
import type { EngineLimits, QueryLoad } from './store/query/query-limits.js';
import { prefixesOf } from './store/query/query-prefixes.js';

/** Queries over the documents of all instances of a service, on its current generation. */
export class ServiceQueries implements GraphQuery {
  readonly #tree: InstanceTree;
  readonly #holder: GenerationHolder;
  readonly #isFollowing: boolean;
  readonly #engine: QueryEngine;

  /** `isFollowing` is false for a service that has read its instance once, and will not learn of what another process writes. */
  constructor(tree: InstanceTree, holder: GenerationHolder, isFollowing: boolean) {
    this.#tree = tree;
    this.#holder = holder;
    this.#isFollowing = isFollowing;
    const { root } = tree;
    const service: QueriedService = {
      get limits(): EngineLimits {
        const { queryMs, queryRows, queryMegabytes, waitingQueries } = root.config.limits;
        return { timeMs: queryMs, rows: queryRows, megabytes: queryMegabytes, waiting: waitingQueries };
      },
      get prefixes() {
        return prefixesOf(root.config.base);
      },
      basis: (all) => this.#basis(all),
      nextBasis: (isOld) => this.#nextBasis(isOld),
    };
    this.#engine = new QueryEngine(service);
  }

  get load(): QueryLoad {
    return this.#engine.load;
  }

  query(sparql: string, options?: QueryOptions): Promise<QueryResult> {
    return this.#engine.query(sparql, options);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #basis(all: boolean): QueryBasis | undefined {
    const generation = this.#holder.current;
    if (generation === undefined || !this.#tree.isInStep) return undefined;
    const { number, digest, key } = generation;
    return {
      generation: { number, digest },
      instances: this.#tree.members.map((member) => member.takeWanted(all)),
      served: { base: this.#tree.root.config.base, key, number, digest },
    };
  }

  async #nextBasis(isOld: boolean): Promise<void> {
    const published = this.#tree.nextPublication();
    if (isOld && !this.#isFollowing) throw changedMeanwhile();
    if (isOld) await this.#tree.lookAgain();
    await published;
  }
}

function changedMeanwhile(): QueryError {
  return new QueryError('unavailable', 'another process has changed the graph meanwhile; ask again');
}
