import type { CallCode } from '../diagnostic.js';
import type { ArmEnd } from './call-record.js';

/** A JSON object. */
export type StructuredValue = Readonly<Record<string, unknown>>;

/** How one call ended. Refusals and failures are data (DESIGN decision 8): `code`, `message`, `details` reach the client, nothing else does. */
export type CallOutcome =
  | {
      readonly kind: 'ran';
      /**
       * stdout, decoded once as UTF-8, capped at `limits.outputBytes`, the cut marked in the text; of a Tool with an outputSchema, the
       * JSON of `structured`.
       */
      readonly text: string;
      readonly truncated: boolean;
      /** The outputs by name, valid against the outputSchema; absent where the declaration has none (P6). */
      readonly structured?: StructuredValue;
    }
  | {
      /** `refused`: nothing was started. `failed`: it was started, or could not be. */
      readonly kind: 'refused' | 'failed';
      readonly code: CallCode;
      /** One line, for the model and the person. */
      readonly message: string;
      readonly details: { readonly [key: string]: unknown };
    };

/** Follows one call, for its record. */
export interface CallObserver {
  /**
   * To be awaited last before something is started: what it rejects with keeps that from being started. `argv` is the command with its
   * arguments, where the arm has one.
   */
  starting(argv?: readonly string[]): Promise<void>;
  /** `pid` leads the process group that was started. */
  started(pid: number): void;
  /** What the arm knows of the end beside the outcome. */
  ended(end: ArmEnd): void;
}

/** What a call needs beside the entry and its arguments. */
export interface CallSettings {
  /** Absolute path of the instance root, or of the config's `cwd`. */
  readonly cwd: string;
  /** The environment of the service; the child gets the allow-listed part of it (tool-node.md §4). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names that the config permits beside the base list, if the node lists them too. */
  readonly permittedEnv: readonly string[];
  /** Defaults, from the config; the node's own `limits` come first. */
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly signal?: AbortSignal;
  /** Absolute path of the instance: a first word that holds `/` is a path in it. Default: `cwd`. */
  readonly root?: string;
  /** Whose call it is: `killAll(owner)` ends the calls of one service. */
  readonly owner?: object;
  readonly observer?: CallObserver;
  /** Is told of an error that is a fault of toolgraph; the client gets `internal_error` and no more. */
  readonly onInternalError?: (error: unknown) => void;
}
