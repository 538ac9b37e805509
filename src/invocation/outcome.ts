import type { ContentBlock } from '../../schemas/content-block.js';
import type { CallCode } from '../diagnostic.js';
import type { ArmEnd } from './call-record.js';

/** A JSON object. */
export type StructuredValue = Readonly<Record<string, unknown>>;

/** How one call ended. Refusals and failures are data (DESIGN decision 8): `code`, `message`, `details` reach the client, nothing else does. */
export type CallOutcome =
  | {
      readonly kind: 'ran';
      /**
       * stdout, decoded once as UTF-8, or what a function returned as data; capped at `limits.outputBytes`, the cut marked in the text.
       * Of a Tool with an outputSchema, the JSON of `structured`.
       */
      readonly text: string;
      readonly truncated: boolean;
      /** The blocks of outputs that are content, or that the tool returned as an MCP result; `text` is then that of its text blocks. Absent: one block, `text`. */
      readonly content?: readonly ContentBlock[];
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
  /** `pid` leads the process group that was started; `identity` is its `processIdentity`, where that is known already. */
  started(pid: number, identity?: string): void;
  /** What the arm knows of the end beside the outcome. */
  ended(end: ArmEnd): void;
}
