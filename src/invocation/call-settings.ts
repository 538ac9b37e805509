import type { CallQueue } from './call-queue.js';
import type { KeptSpool } from './kept-outputs.js';
import type { AnswerQuery } from './module/messages.js';
import type { ModulePool } from './module/pool.js';
import type { CallObserver } from './outcome.js';
import type { Progress } from './progress.js';

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
  /** Keeps the whole of an output that is cut. */
  readonly overflow?: KeptSpool;
  readonly signal?: AbortSignal;
  /** Where the call waits for its turn once its arguments are valid. */
  readonly queue: Pick<CallQueue, 'enter'>;
  /** Absolute path of the instance: a first word that holds `/` is a path in it. Default: `cwd`. */
  readonly root?: string;
  /** Whose call it is: `killAll(owner)` ends the calls of one service. */
  readonly owner?: object;
  /** Id of the call, as in its record. */
  readonly callId?: string;
  /** What becomes of daemons of the call, where they can be ended. Default: `end`. */
  readonly daemons?: 'end' | 'leave';
  /** Flags of the container engine, from the config. */
  readonly engineFlags?: readonly string[];
  readonly observer?: CallObserver;
  /** Where modules of inProcess arms run. */
  readonly modules?: ModulePool;
  /** Answers what a function asks of the graph. */
  readonly onQuery?: AnswerQuery;
  /** Is told how far a call is, as the tool says. */
  readonly onProgress?: (progress: Progress) => void;
  /** Is told of an error that is a fault of toolgraph; the client gets `internal_error` and no more. */
  readonly onInternalError?: (error: unknown) => void;
}
