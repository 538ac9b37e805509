import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { confirmationProperty } from '../../schemas/declaration.js';
import { actorKey, type Caller, type OutcomeKind, skillKey } from '../../schemas/invocation.js';
import type { CallCode } from '../diagnostic.js';
import type { CallOutcome } from './outcome.js';
import type { SecretMask } from './secret-mask.js';
import { measureValue, valuesLimit } from './value-bounds.js';

/** Inputs and argv are each kept whole up to this many bytes; of more, the beginning and a digest of the whole. */
export const keptBytes = 16 * 1024;
/** Names and reasons are cut at this many UTF-16 code units. */
const keptLength = 2048;
/** A longer name of an actor, a role, a version or a skill is none. */
const longestName = 200;

/** What is known of a call before anything is started, and `end` once it has ended. */
export interface CallRecord {
  readonly id: string;
  /** The MCP name that was asked for. */
  readonly name: string;
  readonly tool?: RecordedTool;
  readonly generation: { readonly key: string; readonly number: number; readonly digest: string };
  /** The skill that the call named, when the Tool satisfies it. */
  readonly skill?: string;
  /** The skill that it named, when the Tool does not. */
  readonly claimedSkill?: string;
  readonly by: Caller;
  readonly inputs?: RecordedText;
  /** Whether `user_confirmed` was true; absent when it was not sent. */
  readonly confirmed?: boolean;
  readonly arm?: string;
  readonly argv?: RecordedArgv;
  readonly started: Date;
  readonly end?: CallEnd;
}

export interface RecordedTool {
  readonly iri: string;
  readonly id?: string;
  readonly document?: string;
  readonly instance?: string;
  /** Digest of the declaration and of what runs; of a Tool that was served. */
  readonly definition?: string;
  readonly revision?: Revision;
}

/** A node as it was. */
export interface Revision {
  /** Hex sha-256 of the JCS form of the whole node. */
  readonly digest: string;
  /** That node, for whoever has not kept it yet. */
  readonly node: object;
}

/** A text of which `text` is all, or the beginning when it has more than `keptBytes`. */
export interface RecordedText {
  readonly text: string;
  /** Of the whole, in UTF-8. */
  readonly bytes: number;
  /** Hex, of the whole. */
  readonly sha256: string;
}

/** The words of a command, or the first ones of them. */
export interface RecordedArgv {
  readonly words: readonly string[];
  /** How many there were. */
  readonly count: number;
  /** Hex, of the JSON of all words. */
  readonly sha256: string;
}

/** What an arm tells of an end: all that it knows. */
export interface ArmEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly output?: { readonly bytes: number; readonly sha256: string };
  /** Ids of processes that had left the group of the call and lived on when it ended. */
  readonly survivors?: readonly number[];
  /** Ids of such that were ended with it. */
  readonly endedSurvivors?: readonly number[];
}

export interface CallEnd extends ArmEnd {
  readonly outcome: OutcomeKind;
  /** Empty exactly when it ran. */
  readonly reason: string;
  readonly code?: CallCode;
  readonly finished: Date;
}

/** Keeps the records of calls. */
export interface CallRecorder {
  /**
   * Writes the record, or its end. When it resolves, the record outlives this process. Rejects with an UnwritableRecord.
   */
  put(record: CallRecord): Promise<void>;
  /** Notes which process a running call has started; its identity is looked at where it is not given. Not being able to is no failure of the call. */
  leads(id: string, pid: number, identity?: string): Promise<void>;
}

/** A record that could not be written. The message says why and what to do, without a path of the host. */
export class UnwritableRecord extends Error {
  override readonly name = 'UnwritableRecord';
}

const outcomeByCode: { readonly [code in CallCode]?: OutcomeKind } = {
  confirmation_required: 'refused-permission',
  invalid_params: 'refused-input',
  option_like_value: 'refused-input',
  argument_too_large: 'refused-input',
  unknown_tool: 'unavailable',
  tool_removed: 'unavailable',
  tool_unavailable: 'unavailable',
  busy: 'unavailable',
  timeout: 'timeout',
  cancelled: 'cancelled',
};

/** What is recorded of an outcome. Pure. */
export function recordedOutcome(outcome: CallOutcome, mask: SecretMask): Pick<CallEnd, 'outcome' | 'reason' | 'code'> {
  if (outcome.kind === 'ran') return { outcome: 'ran', reason: '' };
  const { code, message } = outcome;
  return { outcome: outcomeKindOf(outcome), reason: cutText(mask.text(message)) || code, code };
}

/** Pure. */
export function outcomeKindOf(outcome: CallOutcome): OutcomeKind {
  return outcome.kind === 'ran' ? 'ran' : (outcomeByCode[outcome.code] ?? 'failed');
}

/** The arguments in JCS form, secrets masked, without `user_confirmed`, which is a fact of its own. Pure. */
export function recordedInputs(args: unknown, mask: SecretMask): Pick<CallRecord, 'inputs' | 'confirmed'> {
  if (typeof args !== 'object' || args === null) return { inputs: recordedText(jsonText(mask.value(args))) };
  // What is nested without end is refused, and no recursion can walk it; so is what has too many values, which would hold up the main thread.
  const { isTooDeep, isTooMany } = measureValue(args, () => undefined, valuesLimit);
  if (isTooDeep || isTooMany) return {};
  const members = Object.entries(args).filter(([name]) => name !== confirmationProperty);
  const inputs = Array.isArray(args) ? args : Object.fromEntries(members);
  return {
    inputs: recordedText(jsonText(mask.value(inputs))),
    ...(Object.hasOwn(args, confirmationProperty)
      ? { confirmed: (args as Readonly<Record<string, unknown>>)[confirmationProperty] === true }
      : {}),
  };
}

/** Pure. */
export function recordedArgv(argv: readonly string[], mask: SecretMask): RecordedArgv {
  const all = argv.map((word) => mask.text(word));
  const words: string[] = [];
  let room = keptBytes;
  for (const word of all) {
    room -= Buffer.byteLength(word) + 3;
    if (room < 0) break;
    words.push(word);
  }
  return { words, count: all.length, sha256: sha256(JSON.stringify(all)) };
}

/** Who calls: what the call says in its `_meta`, else the actor of the config. What is no name is ignored. Pure. */
export function callerOf(meta: CallMeta, actor: ConfiguredActor | undefined): Caller {
  const said = meta?.[actorKey];
  const stated: Readonly<Record<string, unknown>> =
    typeof said === 'object' && said !== null ? { ...said } : { name: said };
  if (isName(stated.name)) return { ...named(stated.name, stated), identity: 'asserted' };
  return { ...(actor === undefined ? {} : named(actor.name, actor)), identity: 'none' };
}

/** What the `_meta` of a call holds. */
export type CallMeta = Readonly<Record<string, unknown>> | undefined;

export interface ConfiguredActor {
  readonly name: string;
  readonly role?: string | undefined;
  readonly version?: string | undefined;
}

function named(actor: string, { role, version }: { readonly role?: unknown; readonly version?: unknown }) {
  return { actor, ...(isName(role) ? { role } : {}), ...(isName(version) ? { version } : {}) };
}

/**
 * The skill that a call names in its `_meta`. One that the Tool does not satisfy is kept apart and refuses nothing: `satisfies` is not
 * in the list that clients know, so they cannot know of its change. `skillBase` is the IRI of a skill without its name. Pure.
 */
export function skillOf(
  meta: CallMeta,
  satisfies: readonly string[],
  skillBase: string,
): Pick<CallRecord, 'skill' | 'claimedSkill'> {
  const said = meta?.[skillKey];
  if (!isName(said)) return {};
  const skill = satisfies.find((name) => name === said || `${skillBase}${encodeURIComponent(name)}` === said);
  return skill === undefined ? { claimedSkill: said } : { skill };
}

/** The beginning of a text from outside that is too long for a record. Pure. */
export function cutText(text: string): string {
  return (text.length <= keptLength ? text : `${text.slice(0, keptLength)}…`).toWellFormed();
}

/** Size and digest of a text in UTF-8. Pure. */
export function textDigest(text: string): { bytes: number; sha256: string } {
  return { bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName && value.isWellFormed();
}

function recordedText(text: string): RecordedText {
  const digest = textDigest(text);
  if (digest.bytes <= keptBytes) return { text, ...digest };
  // In stream mode the decoder holds back the code point that the cut falls into.
  const head = new TextDecoder().decode(Buffer.from(text).subarray(0, keptBytes), { stream: true });
  return { text: head, ...digest };
}

/** JCS; JSON where there is none, as of a number that JSON.parse made infinite. */
function jsonText(value: unknown): string {
  try {
    return canonicalize(value) ?? 'null';
  } catch {
    return JSON.stringify(value) ?? 'null';
  }
}

function sha256(text: string): string {
  return hash('sha256', text);
}
