/**
 * The one shape of a finding, from read to check to the printer, and the one table of codes.
 * Codes are never reused. `docs/codes.md` is generated from the table.
 */

/** What a code is: state 3 (problem), state 2 (omission), or why one call was refused or failed. */
export type CodeKind = 'problem' | 'omission' | 'call';

interface CodeRow {
  readonly kind: CodeKind;
  /** What happened, one sentence. */
  readonly summary: string;
  /** What the person who sees it can do. */
  readonly remedy: string;
  /** For an omission: a change of the node would cure it, so `check` fails on it (tool-node.md §3). */
  readonly curable?: boolean;
}

export const codes = {
  // state 3: could not determine (tool-node.md §3)
  unreadable: {
    kind: 'problem',
    summary: 'The file or folder cannot be read, or the file cannot be parsed.',
    remedy:
      'Do what the message says: correct the syntax, the permissions or the path, or make the folder that is missing.',
  },
  'invalid-node': {
    kind: 'problem',
    summary: 'The node does not have the shape of a Tool, skill, view or type document.',
    remedy: 'Write at the place named what the message expects; docs/authoring.md shows a whole node.',
  },
  'unknown-context': {
    kind: 'problem',
    summary: 'The document names a JSON-LD context that is not available offline.',
    remedy: 'Use the bundled context, leave @context out, or put the context into a file of the instance.',
  },
  'unresolved-schema': {
    kind: 'problem',
    summary: 'A port, or a parameter of a view, names a type that no type document of the instance defines.',
    remedy: 'Correct the IRI, or add the type to a type document.',
  },
  'unsafe-pattern': {
    kind: 'problem',
    summary: 'A pattern of a type can take exponential or high polynomial time, or could not be analysed.',
    remedy: 'Rewrite the pattern so that no part of it can match the same text in several ways.',
  },
  'duplicate-id': {
    kind: 'problem',
    summary: 'Two documents describe the same Tool or view.',
    remedy: 'Remove one, or give it another id.',
  },
  'name-collision': {
    kind: 'problem',
    summary: 'Two Tools would have the same MCP name, or two views of several instances the same id.',
    remedy: 'Change one of the ids, or give one of two instances a prefix.',
  },
  'unportable-schema': {
    kind: 'problem',
    summary: 'A type cannot be written as a schema that every MCP host accepts.',
    remedy: 'Change the type at the place named.',
  },
  'invalid-config': {
    kind: 'problem',
    summary:
      'toolgraph.config.json is not valid. A service that runs keeps the last good one; one that starts has none to keep.',
    remedy: 'Write at the place named what the message expects; docs/configuration.md has every field.',
  },
  'internal-error': {
    kind: 'problem',
    summary: 'toolgraph itself failed on this input.',
    remedy: 'Report it, with the document named.',
  },
  'invalid-query': {
    kind: 'problem',
    summary: 'The query of a view is not a SPARQL SELECT, ASK or CONSTRUCT that can be run with its parameters.',
    remedy: 'Correct the query at the place named, or take the parameter out that it does not use.',
  },
  // state 2: omitted (tool-node.md §3), in the order in which the first that holds is given
  internal: {
    kind: 'omission',
    summary: 'The tier is internal, which is never projected.',
    remedy: 'Nothing, or change the tier.',
  },
  'mcp-only': {
    kind: 'omission',
    summary: 'Its only arm is mcp: it is an MCP tool already.',
    remedy: 'Add a shell, container or inProcess arm, or remove the node.',
    curable: true,
  },
  'manual-only': {
    kind: 'omission',
    summary: 'Its only arm is manual: it is done by a person.',
    remedy: 'Nothing, or add an arm that can be run.',
  },
  'shell-syntax': {
    kind: 'omission',
    summary: 'The shell string needs a shell; toolgraph never starts one.',
    remedy: 'Write plain words, or put the line into a script and name the script.',
    curable: true,
  },
  'interpreter-slot': {
    kind: 'omission',
    summary: 'An input would become the code of an interpreter.',
    remedy: 'Pass the input to a script as an argument or on stdin.',
    curable: true,
  },
  'unreachable-input': {
    kind: 'omission',
    summary: 'A required input has no arg, so it cannot reach the process.',
    remedy: 'Give the input an arg (flag, positional or stdin), or make it optional.',
    curable: true,
  },
  'unsafe-argv-input': {
    kind: 'omission',
    summary: 'An input bound to argv has a type that admits shell-active characters.',
    remedy: 'Give the input a type with a stricter pattern, or pass it on stdin.',
    curable: true,
  },
  tier: { kind: 'omission', summary: 'Its tier is not served.', remedy: 'Serve the tier with --tiers or the config.' },
  'unmet-os': { kind: 'omission', summary: 'It needs another operating system.', remedy: 'Run it elsewhere.' },
  'unmet-runtime': { kind: 'omission', summary: 'A runtime that it needs is missing.', remedy: 'Install the runtime.' },
  'unmet-network': {
    kind: 'omission',
    summary: 'It needs the network.',
    remedy: 'Connect, or state host.network in the config.',
  },
  'unmet-env': {
    kind: 'omission',
    summary: 'An environment variable that it needs is not set, or the config does not permit it.',
    remedy: 'Set the variable, and list it under env in the config.',
  },
  'unmet-when': { kind: 'omission', summary: 'A path that it waits for does not exist.', remedy: 'Create the path.' },
  'command-not-found': {
    kind: 'omission',
    summary: 'The first word of its shell arm is neither on PATH nor an executable file of the instance.',
    remedy: 'Install the command, or set the execute bit.',
  },
  'module-not-found': {
    kind: 'omission',
    summary: 'Its module is not a file of the instance.',
    remedy: 'Correct the path, or add the file.',
  },
  'module-failed': {
    kind: 'omission',
    summary: 'Its module does not load, or lacks the export.',
    remedy: 'Fix the module.',
  },
  'no-container-engine': {
    kind: 'omission',
    summary: 'Neither podman nor docker answers.',
    remedy: 'Install and start one of them.',
  },
  // a call (tool-node.md §4)
  unknown_tool: { kind: 'call', summary: 'No tool has this name.', remedy: 'Ask for tools/list.' },
  tool_removed: { kind: 'call', summary: 'The tool was removed since.', remedy: 'Ask for tools/list again.' },
  tool_unavailable: {
    kind: 'call',
    summary: 'The tool exists and is not served now.',
    remedy: 'See the reason in the message.',
  },
  confirmation_required: {
    kind: 'call',
    summary: 'The user has not confirmed the call.',
    remedy: 'Ask the user, then call with user_confirmed: true.',
  },
  invalid_params: {
    kind: 'call',
    summary: 'The arguments do not satisfy the inputSchema.',
    remedy: 'Correct the arguments that details lists.',
  },
  option_like_value: {
    kind: 'call',
    summary: 'A value begins with "-" and could be read as an option.',
    remedy: 'Use a value that does not begin with "-".',
  },
  argument_too_large: {
    kind: 'call',
    summary: 'An argument, or all of them together, are too large for a process, or to be checked.',
    remedy: 'Send less; the message names the limit.',
  },
  exit_code: { kind: 'call', summary: 'The process ended with an exit code other than 0.', remedy: 'Read its stderr.' },
  killed: { kind: 'call', summary: 'The process was ended by a signal.', remedy: 'See the signal in details.' },
  timeout: {
    kind: 'call',
    summary: 'The process did not end in time and was ended.',
    remedy: 'Ask for less, or raise limits.timeoutMs of the node.',
  },
  cancelled: { kind: 'call', summary: 'The client cancelled the call.', remedy: 'Nothing.' },
  module_failed: { kind: 'call', summary: 'The module threw, or its thread ended.', remedy: 'Fix the module.' },
  output_not_json: {
    kind: 'call',
    summary: 'The tool has outputs that are read as JSON, and what it printed is not one JSON value.',
    remedy: 'Print one JSON value on stdout and all else on stderr, or correct the "from" of the outputs.',
  },
  output_mismatch: {
    kind: 'call',
    summary: 'What the tool printed does not satisfy its outputSchema.',
    remedy: 'Correct what the tool prints at the paths that details lists, or the type or the pointer of the output.',
  },
  spawn_failed: { kind: 'call', summary: 'The process could not be started.', remedy: 'See the reason in details.' },
  busy: { kind: 'call', summary: 'Too many calls are running.', remedy: 'Try again.' },
  internal_error: { kind: 'call', summary: 'toolgraph itself failed.', remedy: 'Report it.' },
} as const satisfies Record<string, CodeRow>;

type CodesOf<K extends CodeKind> = {
  [C in keyof typeof codes]: (typeof codes)[C]['kind'] extends K ? C : never;
}[keyof typeof codes];

export type ProblemCode = CodesOf<'problem'>;
export type OmissionCode = CodesOf<'omission'>;
export type CallCode = CodesOf<'call'>;

/** Whether a change of the node would cure an omission; `check` fails on these. */
export function isCurable(code: OmissionCode): boolean {
  const row: CodeRow = codes[code];
  return row.curable === true;
}

/** Where a finding is: what read, shape, lift, project and check know of it. */
export interface Place {
  /** Path in the instance, with `/`; of an included instance, its path there after that of the instance. */
  readonly document?: string;
  /** Path to the included instance that it is about; absent for the instance itself. */
  readonly instance?: string;
  /** JSON pointer (RFC 6901) into the document. */
  readonly pointer?: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in UTF-16 code units. */
  readonly column?: number;
  /** IRI of the node that the finding is about. */
  readonly subject?: string;
}

/** A finding. The message says what is wrong, what was expected and what to do, in one line. */
export interface Diagnostic extends Place {
  readonly code: ProblemCode | OmissionCode;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/**
 * A problem (state 3): something that could not be determined. Half a surrogate pair, which a document can hold as an escape and
 * the shortening of a message can leave, becomes U+FFFD: no digest, store or terminal takes it.
 */
export function problem(code: ProblemCode, message: string, place: Place = {}): Diagnostic {
  const { document, pointer, subject } = place;
  return {
    code,
    severity: 'error',
    message: message.toWellFormed(),
    ...place,
    ...(document === undefined ? {} : { document: document.toWellFormed() }),
    ...(pointer === undefined ? {} : { pointer: pointer.toWellFormed() }),
    ...(subject === undefined ? {} : { subject: subject.toWellFormed() }),
  };
}
