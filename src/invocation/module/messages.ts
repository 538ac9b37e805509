import type { MessagePort } from 'node:worker_threads';
import type { CapturedText } from '../output.js';
import type { Progress } from '../progress.js';

/** Given to a thread at its start. Paths are absolute and without links. */
export interface ThreadStart {
  readonly port: MessagePort;
  readonly file: string;
  readonly root: string;
}

/** A file of the instance that a module is made of, with its signature from before it was read. */
export interface LoadedFile {
  readonly path: string;
  /** As `fileSignature` gives it; '' when the file was not there. */
  readonly signature: string;
}

export type ThreadRequest =
  | { readonly kind: 'check'; readonly id: number; readonly exports: readonly string[] }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly exports: readonly string[];
      /** By which the tool may be registered on an MCP server. */
      readonly names: readonly string[];
      readonly inputs: Readonly<Record<string, unknown>>;
      /** Names of all inputs that the Tool has. */
      readonly declared: readonly string[];
      readonly outputBytes: number;
      /** Of a result that is more than `outputBytes` so much is kept, and passed on in pieces. */
      readonly keptBytes: number;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** To `asks`. `id` is that of the call. */
  | { readonly kind: 'answer'; readonly id: number; readonly question: number; readonly answer: QueryAnswer };

/** What a query of a function led to: plain data. */
export type QueryAnswer =
  | { readonly value: unknown }
  | { readonly fault: { readonly code?: string; readonly message: string } };

/** Answers a query over the graph of the service; `values` are plain data by the names of variables. Rejects for a fault of toolgraph alone. */
export type AnswerQuery = (
  sparql: unknown,
  values: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal | undefined,
) => Promise<QueryAnswer>;

/** What a function returned, as data. `text`: a string. `json`: anything else, as JSON. `nothing`: undefined. */
export interface ReturnedData {
  readonly form: 'text' | 'json' | 'nothing';
  readonly output: CapturedText;
}

/** What went wrong in a module, for a client: without a stack, paths of the instance relative. */
export interface ModuleFault {
  readonly message: string;
  /** Name of the error class, and its `code`, where it has them. */
  readonly name?: string;
  readonly code?: string;
}

export type ThreadReply =
  /** The files that are loaded now: once the module is loaded or is known not to load, and again when there are more. */
  | { readonly kind: 'files'; readonly files: readonly LoadedFile[] }
  | { readonly kind: 'alive'; readonly id: number }
  | ({ readonly kind: 'progress'; readonly id: number } & Progress)
  /** A query over the graph, which the service answers. `question` numbers those of the thread. */
  | {
      readonly kind: 'asks';
      readonly id: number;
      readonly question: number;
      readonly sparql: unknown;
      readonly values?: Readonly<Record<string, unknown>>;
    }
  /** A piece of a result that is cut, from its first byte on; all come before the result. */
  | { readonly kind: 'overflow'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: 'checked'; readonly id: number; readonly fault?: ModuleFault }
  | ({ readonly kind: 'returned'; readonly id: number } & ReturnedData)
  /** `loading`: the module does not load, or lacks the export; else the function threw. `stack` is for the log alone. */
  | {
      readonly kind: 'threw';
      readonly id: number;
      readonly fault: ModuleFault;
      readonly loading: boolean;
      readonly stack?: string;
    };
