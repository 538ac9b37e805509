import { ResourceFailure } from './resources/resource-text.js';
import type { ShownLists } from './shown-lists.js';

/** Resources that one connection can be subscribed to. */
export const mostSubscriptions = 64;

/** How long calls that are recorded, and documents, are gathered before resources are read again, in ms. */
const gatherMs = 100;
/** How long until a resource that could not be read because others were asked for is read again, in ms. */
const retryMs = 1_000;

/** One resource that has to be asked for: a view, the records, an output. */
interface Watched {
  /** The text that the client can know; undefined until it was read for the first time. */
  text: string | undefined;
  /** Something may have changed while that was read. */
  isUncertain: boolean;
}

/**
 * Reads again, one after another, the resources that a client is subscribed to and that take time to read, and tells of those whose text
 * differs. What is asked for meanwhile is done once, after it. A read that fails says nothing of the resource; where it may succeed soon, it is
 * tried again.
 */
export class WatchedResources {
  readonly #shown: Pick<ShownLists, 'read'>;
  readonly #onChange: (uri: string) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #closing = new AbortController();
  #reading: Promise<void> | undefined;
  #isAgain = false;
  #isPaused = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(shown: Pick<ShownLists, 'read'>, onChange: (uri: string) => void) {
    this.#shown = shown;
    this.#onChange = onChange;
  }

  get uris(): Iterable<string> {
    return this.#watched.keys();
  }

  /** `text` is what the client can know; left out, it is read now. */
  watch(uri: string, text?: string): void {
    if (this.#watched.has(uri)) return;
    this.#watched.set(uri, { text, isUncertain: false });
    if (text === undefined) this.#read();
  }

  unwatch(uri: string): void {
    this.#watched.delete(uri);
  }

  /** Nobody can be told: what the client knows is kept until somebody can. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#read();
  }

  /** There is a new generation: everything may be other than it was. */
  look(): void {
    for (const watched of this.#watched.values()) watched.isUncertain = true;
    this.#read();
  }

  /** Calls have been recorded, or documents were read again. */
  lookSoon(): void {
    if (this.#watched.size > 0) this.#timer ??= setTimeout(() => this.#lookNow(), gatherMs).unref();
  }

  #retryLater(): void {
    if (!this.#closing.signal.aborted) this.#timer ??= setTimeout(() => this.#lookNow(), retryMs).unref();
  }

  /** Settles when nothing is being read. */
  async settled(): Promise<void> {
    while (this.#reading !== undefined) await this.#reading;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
    this.#watched.clear();
  }

  #lookNow(): void {
    this.#timer = undefined;
    this.look();
  }

  #read(): void {
    if (this.#watched.size === 0 || this.#isPaused) return;
    if (this.#reading !== undefined) {
      this.#isAgain = true;
      return;
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined;
      if (!this.#isAgain) return;
      this.#isAgain = false;
      this.#read();
    });
  }

  async #readAll(): Promise<void> {
    for (const [uri, watched] of [...this.#watched]) {
      if (this.#closing.signal.aborted || this.#isPaused) return;
      if (watched.text !== undefined && !watched.isUncertain) continue;
      const isFirst = watched.text === undefined;
      watched.isUncertain = false;
      const text = await this.#textOf(uri);
      if (text === undefined || this.#watched.get(uri) !== watched) continue;
      // What the client has read since it subscribed may be of before a change that this text is of after.
      const isOther = isFirst ? watched.isUncertain : text !== watched.text;
      if (isOther && this.#isPaused) {
        watched.isUncertain = true;
        continue;
      }
      watched.text = text;
      if (isOther) this.#onChange(uri);
    }
  }

  async #textOf(uri: string): Promise<string | undefined> {
    try {
      const contents = await this.#shown.read(uri);
      if (contents === undefined) return undefined;
      return 'text' in contents ? contents.text : contents.blob;
    } catch (error) {
      const mayPass = error instanceof ResourceFailure && ['busy', 'unavailable'].includes(error.code);
      if (mayPass) this.#retryLater();
      return undefined;
    }
  }
}
