import type { Declaration, JsonSchema } from '../../schemas/declaration.js';
import type { EngineCommand } from '../../schemas/engine.js';
import type { RunnableArm, ServedTier, Tool } from '../../schemas/tool.js';
import type { Diagnostic, OmissionCode } from '../diagnostic.js';
import type { ServedView, ViewOmission } from './view-state.js';

/** Where one input goes on the way to a process. Inputs that the arm cannot reach are not here. */
export type Slot =
  | {
      readonly name: string;
      readonly kind: 'flag';
      readonly flag: string;
      readonly joined: boolean;
      readonly repeated: boolean;
      readonly boolean: boolean;
    }
  | { readonly name: string; readonly kind: 'positional'; readonly position: number; readonly repeated: boolean }
  | { readonly name: string; readonly kind: 'stdin' };

/** One output that is read from the stdout of a process (P6). */
export interface StdoutOutput {
  readonly name: string;
  /** `json`: stdout is one JSON value. `text`: the output is stdout without the white space around it. */
  readonly format: 'json' | 'text';
  /** JSON pointer (RFC 6901) to the part of the JSON value that is the output; absent: the whole. */
  readonly pointer?: string;
  readonly required: boolean;
  /** Absent for an output that is a value. */
  readonly content?: OutputContent;
}

/** How an output is content of a result (MCP, Tool Result), and not a value in it. */
export interface OutputContent {
  readonly kind: 'image' | 'audio' | 'resource';
  readonly mediaType: string;
  /** What is read: the text itself, its bytes in base64, or stdout as it is. */
  readonly form: 'text' | 'base64' | 'bytes';
}

/** How a process gives its outputs. */
interface ProcessOutputs {
  /** How stdout is read; there exactly when the declaration has an outputSchema, or `valueSchema` is there. */
  readonly outputs?: readonly [StdoutOutput, ...StdoutOutput[]];
  /** Where one of them is content: of all but the bytes, as the object of an outputSchema. It is checked, and not declared. */
  readonly valueSchema?: JsonSchema;
}

/** All that `buildArgv` needs of a shell arm: words, then positionals by position, then flags in declared order, the repeated positional last (P7). */
export interface ShellBinding extends ProcessOutputs {
  readonly arm: 'shell';
  readonly words: readonly [string, ...string[]];
  readonly slots: readonly Slot[];
}

/** One output that is read from what a function returns (P6). */
export interface ResultOutput {
  readonly name: string;
  /** JSON pointer (RFC 6901) to the part of the result that is the output; absent: the whole. */
  readonly pointer?: string;
  readonly required: boolean;
}

/** All that a call of a function needs (P10): no words, its arguments are the inputs by name. */
export interface InProcessBinding {
  readonly arm: 'inProcess';
  /** Path of the module in the instance. */
  readonly module: string;
  /** Names of exports: the first that the module has is the one. */
  readonly exports: readonly [string, ...string[]];
  /** By which a module that registers its tools itself may name this one: id and MCP name. */
  readonly names: readonly [string, ...string[]];
  /** How the result is read; there exactly when the declaration has an outputSchema. */
  readonly outputs?: readonly [ResultOutput, ...ResultOutput[]];
}

/** What of the instance is seen in a container. */
export interface Mount {
  /** Path in the instance. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  readonly readOnly: boolean;
}

/** All that a call of a command in a container needs (P9). */
export interface ContainerBinding extends ProcessOutputs {
  readonly arm: 'container';
  /** The engine of this host that answers. */
  readonly engine: EngineCommand;
  /** The image, then the command in it, which may have no word: that of the image then. */
  readonly words: readonly [string, ...string[]];
  /** As in `ShellBinding`: what they make comes after the words. */
  readonly slots: readonly Slot[];
  readonly network: boolean;
  readonly mounts: readonly Mount[];
}

/** The chosen arm of a Tool, with all that running it needs. */
export type Binding = ShellBinding | InProcessBinding | ContainerBinding;

/** Why something is not served or not run: a reason code with one sentence. */
export interface Unfitness {
  readonly code: OmissionCode;
  readonly reason: string;
}

/** An arm of a Tool that is not the one that runs, and why. */
export interface RejectedArm extends Unfitness {
  readonly arm: RunnableArm;
}

/** A projected Tool: what clients see of it, and what will run. */
export interface Entry {
  /** MCP name. */
  readonly name: string;
  readonly id: string;
  readonly iri: string;
  readonly document: string;
  /** Path to the included instance that it belongs to; absent for the instance itself. */
  readonly instance?: string;
  readonly tool: Tool;
  readonly declaration: Declaration;
  readonly binding: Binding;
  /** Patterns of its schemas that take linear time. A long string is matched with no others. Absent when there are none. */
  readonly linearPatterns?: readonly string[];
  /** Arms that are preferred to that of `binding` and cannot run here; absent when there are none. */
  readonly rejectedArms?: readonly RejectedArm[];
  /** Kept from an earlier generation because the node is a problem now (DESIGN decision 3). */
  readonly lastGood?: true;
}

/** A Tool deliberately not projected (state 2). */
export interface Omission extends Unfitness {
  readonly id: string;
  readonly iri: string;
  /** The MCP name that it would have: a call of it says why it is not served. */
  readonly name: string;
  readonly document: string;
  /** As in `Entry`. */
  readonly instance?: string;
  readonly pointer: string;
  /** Its arms in the order of preference, where there are several: code and reason are those of the first. */
  readonly rejectedArms?: readonly RejectedArm[];
}

/** What `project` returns: everything of a generation but its number. */
export interface Projection {
  /** By MCP name, in the order of the list: sorted by name (code units). */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Sorted by id, then document. */
  readonly omissions: readonly Omission[];
  /** By id, in the order of the list: sorted by id (code units). */
  readonly views: ReadonlyMap<string, ServedView>;
  /** Sorted by id, then document. */
  readonly viewOmissions: readonly ViewOmission[];
  /** A tool that reads any view is asked for: the MCP surface offers it. Absent when it is not. */
  readonly getStateTool?: true;
  /** Sorted by document, pointer, code, message. */
  readonly problems: readonly Diagnostic[];
  /** Hex sha-256 over the declarations, omissions, views and problems (without lines and columns). */
  readonly digest: string;
  /** Hex sha-256 over the declarations alone: equal means that no client is told (DESIGN decision 5). */
  readonly listDigest: string;
}

/** One immutable result. List, call, resources and record of one moment read the same one. */
export interface Generation extends Projection {
  readonly number: number;
  /** Of the sequence that the number is one of: what distinguishes processes that may rightly see different generations. */
  readonly key: string;
}

/** What a person chose for this service. */
export interface ProjectionOptions {
  readonly prefix?: string;
  readonly tiers: readonly ServedTier[];
  readonly arms?: readonly RunnableArm[];
  /** Whether a tool is offered that reads any view: no Tool can have its name then. */
  readonly getStateTool?: boolean;
}
