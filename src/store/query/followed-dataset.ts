import { StoreError } from '../store-error.js';
import { FollowedInstance } from './followed-instance.js';
import type { Oxigraph } from './oxigraph.js';
import { QueryDataset } from './query-dataset.js';
import type { WantedInstance } from './query-messages.js';
import { type ServedGeneration, serviceIri, serviceStatements } from './service-statements.js';

/** The dataset of all instances of a service, changed by difference when what is wanted changes. */
export class FollowedDataset {
  readonly dataset: QueryDataset;
  readonly #instances = new Map<string, FollowedInstance>();
  #isLoaded = false;
  #serviceGraph: string | undefined;

  constructor(oxigraph: Oxigraph) {
    this.dataset = new QueryDataset(oxigraph);
  }

  /**
   * Whether the dataset is now exactly what is wanted, with what the service says of itself. Throws a StoreError, and what the engine
   * throws.
   */
  follow(wanted: readonly WantedInstance[], served?: ServedGeneration): boolean {
    if (!this.#followInstances(wanted)) return false;
    const graph = served === undefined ? undefined : serviceIri(served.base);
    if (this.#serviceGraph !== undefined && this.#serviceGraph !== graph) this.dataset.removeGraph(this.#serviceGraph);
    if (served !== undefined && graph !== undefined) this.dataset.replaceGraph(graph, serviceStatements(served));
    this.#serviceGraph = graph;
    return true;
  }

  #followInstances(wanted: readonly WantedInstance[]): boolean {
    if (!this.#want(wanted)) return false;
    const instances = [...this.#instances.values()];
    if (!this.#isLoaded || instances.some((instance) => instance.isFarBehind)) return this.#loadAll();
    for (const instance of instances) {
      const others = instances.filter((other) => other !== instance);
      if (!instance.takeChanges(this.dataset, (graph) => others.flatMap((other) => other.stated(graph)))) return false;
    }
    return instances.every((instance) => instance.takeSources(this.dataset)) || this.#loadAll();
  }

  /** False when the store of one of them is not the one that is wanted. */
  #want(wanted: readonly WantedInstance[]): boolean {
    const folders = new Set(wanted.map(({ folder }) => folder));
    for (const folder of this.#instances.keys()) if (!folders.has(folder)) this.#close(folder);
    let isComplete = true;
    for (const one of wanted) {
      if (this.#instances.get(one.folder)?.identity !== one.identity) {
        this.#close(one.folder);
        const opened = openInstance(one);
        if (opened === undefined) isComplete = false;
        else this.#instances.set(one.folder, opened);
        this.#isLoaded = false;
      }
      this.#instances.get(one.folder)?.want(one);
    }
    return isComplete;
  }

  #loadAll(): boolean {
    this.#isLoaded = false;
    this.dataset.clear();
    const instances = [...this.#instances.values()];
    for (const instance of instances) instance.forget();
    for (const instance of instances) if (!instance.loadAll(this.dataset)) return false;
    this.#isLoaded = instances.every((instance) => instance.takeSources(this.dataset));
    return this.#isLoaded;
  }

  #close(folder: string): void {
    this.#instances.get(folder)?.close();
    if (this.#instances.delete(folder)) this.#isLoaded = false;
  }
}

/** Undefined when the file was replaced or removed: whoever wants it learns of that by itself, and wants another one then. */
function openInstance(wanted: WantedInstance): FollowedInstance | undefined {
  try {
    return new FollowedInstance(wanted);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'failed') return undefined;
    throw error;
  }
}
