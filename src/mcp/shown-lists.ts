import { toolListDigest } from './resources/get-state-tool.js';
import { type ReadableService, readKnown, readResource } from './resources/read-resource.js';
import { buildResourcesList, buildResourceTemplatesList } from './resources/resource-list.js';

/**
 * What the clients of one service can be shown now, made once in a turn of the event loop however many ask: a new generation makes
 * everyone ask at once.
 */
export class ShownLists {
  readonly #service: ReadableService;
  readonly #made = new Map<string, unknown>();
  #generation: ReadableService['current'];
  #forgetting: NodeJS.Immediate | undefined;
  /** Equal to what was made last, it is that string: comparing the two is then free. */
  #lastResources: string | undefined;

  constructor(service: ReadableService) {
    this.#service = service;
  }

  /** Digest of the list of tools; undefined until there is a generation. */
  tools(): string | undefined {
    const { current } = this.#service;
    return current === undefined ? undefined : this.#once('tools', () => toolListDigest(current));
  }

  /** The lists of resources and templates as text; undefined until there is a generation. */
  resources(): string | undefined {
    if (this.#service.current === undefined) return undefined;
    return this.#once('resources', () => {
      const text = JSON.stringify([buildResourcesList(this.#service), buildResourceTemplatesList(this.#service)]);
      if (text !== this.#lastResources) this.#lastResources = text;
      return this.#lastResources;
    });
  }

  /** Text of a resource that is known at once; undefined where there is none. */
  text(uri: string): string | undefined {
    return this.#once(`text ${uri}`, () => {
      try {
        return readKnown(this.#service, uri)?.text;
      } catch {
        return undefined;
      }
    });
  }

  /** As `readResource`: those who are subscribed to a view do not each ask for it. */
  read(uri: string): ReturnType<typeof readResource> {
    return this.#once(`read ${uri}`, () => readResource(this.#service, uri));
  }

  /** `key` says what kind of value is made. */
  #once<T>(key: string, make: () => T): T {
    if (this.#generation !== this.#service.current) this.#made.clear();
    this.#generation = this.#service.current;
    if (this.#made.has(key)) return this.#made.get(key) as T;
    const made = make();
    this.#made.set(key, made);
    this.#forgetting ??= setImmediate(() => {
      this.#forgetting = undefined;
      this.#made.clear();
    });
    return made;
  }
}
