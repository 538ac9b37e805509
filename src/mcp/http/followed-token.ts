import { TokenFile, type TokenState } from '../../store/access-token.js';

const everyMs = 1_000;
const revoked: TokenState = { kind: 'broken', why: 'the token was revoked; make another with toolgraph token' };

export interface FollowedTokenOptions {
  /** The state folder of the instance. */
  readonly folder: string;
  /** Another token holds from now on, or none does any more: what was opened with the old one has to end. */
  readonly onChange: () => void;
  /** For the person who runs the service. */
  readonly report: (words: string) => void;
}

/**
 * The token of a running service. A service that has required one never stops to: where the file is removed or broken, no request is let through until
 * there is a token again.
 */
export class FollowedToken {
  readonly #file: TokenFile;
  readonly #options: FollowedTokenOptions;
  readonly #timer: NodeJS.Timeout;
  #state: TokenState;

  constructor(options: FollowedTokenOptions) {
    this.#options = options;
    this.#file = new TokenFile(options.folder);
    this.#state = this.#file.read();
    // Streams that are open make no request at which a change would be seen.
    this.#timer = setInterval(() => this.current(), everyMs).unref();
  }

  current(): TokenState {
    const read = this.#file.read();
    const next = read.kind === 'none' && this.#state.kind !== 'none' ? revoked : read;
    if (next === this.#state) return next;
    this.#state = next;
    if (next.kind === 'broken') this.#options.report(`no request is let through: ${next.why}`);
    this.#options.onChange();
    return next;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
