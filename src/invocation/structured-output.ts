import { definitionKey, type JsonSchema } from '../../schemas/declaration.js';
import type { CallCode } from '../diagnostic.js';
import { fromPointer } from '../json-pointer.js';
import type { Entry, ResultOutput, StdoutOutput } from '../projection/generation.js';
import { jsonStringBytes, resultBytesLimit } from '../result-size.js';
import { jsonOutput } from './json-output.js';
import type { StructuredValue } from './outcome.js';
import type { CapturedText } from './output.js';
import { type Issue, listIssues } from './refusal.js';
import { depthLimit, measureValue, valuesLimit } from './value-bounds.js';
import { valueIssues } from './value-issues.js';

export type OutputEntry = Pick<Entry, 'id' | 'declaration' | 'linearPatterns'>;

/** The outputs of one call, or why stdout does not give them. */
export type StructuredOutput = { readonly value: StructuredValue; readonly text: string } | UnfitOutput;

/** Why an output will not do. */
export interface UnfitOutput {
  readonly code: Extract<CallCode, 'output_not_json' | 'output_mismatch'>;
  readonly message: string;
  readonly details: { readonly [key: string]: unknown };
}

/** The object of all outputs, before it is checked, and the required ones that are not there. */
export interface ReadValues {
  readonly value: StructuredValue;
  readonly missing: readonly Issue[];
}

/** Of stdout that does not do, this much is kept, in UTF-16 code units. */
const keptLength = 4096;

/**
 * The outputs of a Tool with an outputSchema, from the stdout of its process (P6): one JSON value, parts of it, or the trimmed text,
 * checked against the schema that the client saw. `limitBytes` is what stdout was capped at. Pure but for the compiled schemas.
 */
export async function structuredOutput(
  entry: OutputEntry,
  { outputs, outputSchema }: { readonly outputs: readonly StdoutOutput[]; readonly outputSchema: JsonSchema },
  captured: CapturedText,
  limitBytes: number,
): Promise<StructuredOutput> {
  const raw = { stdout: keptText(captured.text) };
  const read = readOutputs(outputs, captured, limitBytes);
  if ('fault' in read) {
    const message = `The output of ${entry.id} ${read.fault}`;
    return { code: 'output_not_json', message, details: { ...read.place, ...raw } };
  }
  const cut = captured.truncated ? `; it was cut after ${limitBytes} bytes (limits.outputBytes of the node)` : '';
  return checkOutputs(entry, outputSchema, read, { cut, raw });
}

/**
 * The outputs of a Tool with an outputSchema, from what a function returned (P6): the value, or parts of it. `undefined` has no outputs.
 * Pure but for the compiled schemas.
 */
export async function structuredResult(
  entry: OutputEntry,
  { outputs, outputSchema }: { readonly outputs: readonly ResultOutput[]; readonly outputSchema: JsonSchema },
  returned: unknown,
): Promise<StructuredOutput> {
  const members: [string, unknown][] = [];
  const missing: Issue[] = [];
  for (const { name, pointer = '', required } of outputs) {
    const part = partAt(returned, pointer);
    if (part !== undefined) members.push([name, part]);
    else if (required) {
      missing.push({ path: `/${name}`, message: `is missing: the result has nothing at ${JSON.stringify(pointer)}` });
    }
  }
  const raw: Record<string, string> = returned === undefined ? {} : { result: keptText(JSON.stringify(returned)) };
  return checkOutputs(entry, outputSchema, { value: Object.fromEntries(members), missing }, { cut: '', raw });
}

/** Checks the object of all outputs. `raw` is kept in the details of a mismatch, and `cut` is said after it. */
async function checkOutputs(
  entry: OutputEntry,
  outputSchema: JsonSchema,
  read: ReadValues,
  { cut, raw }: { readonly cut: string; readonly raw: Readonly<Record<string, string>> },
): Promise<StructuredOutput> {
  let text = '';
  const issues = await outputIssues(entry, outputSchema, read, (characters) => {
    // The same text may be several outputs: all of them as JSON could be longer than a string can be.
    if (characters > resultBytesLimit) return { path: '', message: tooLarge(`${characters} characters`) };
    text = JSON.stringify(read.value);
    const bytes = resultBytes(text);
    return bytes > resultBytesLimit ? { path: '', message: tooLarge(`${bytes} bytes`) } : undefined;
  });
  if (issues.length > 0) return mismatch(entry, issues, { expected: 'what its outputSchema says', cut, raw });
  return { value: read.value, text };
}

/** `output_mismatch`, with its first issue in the message. At least one is needed. */
export function mismatch(
  { id }: Pick<OutputEntry, 'id'>,
  issues: readonly Issue[],
  { expected, cut, raw }: { readonly expected: string; readonly cut: string; readonly raw: object },
): UnfitOutput {
  const { summary, details } = listIssues(issues, 'the whole');
  const message = `The output of ${id} is not ${expected}: ${summary}${cut}`;
  return { code: 'output_mismatch', message, details: { ...details, ...raw } };
}

/**
 * What is wrong with the object of all outputs; nothing is. `sizeIssue` says what is wrong with its size before it is checked with the schema:
 * it is given the UTF-16 code units of all its keys and strings.
 */
export async function outputIssues(
  { declaration, linearPatterns = [] }: Omit<OutputEntry, 'id'>,
  schema: JsonSchema,
  read: ReadValues,
  sizeIssue: (characters: number) => Issue | undefined,
): Promise<readonly Issue[]> {
  if (read.missing.length > 0) return read.missing;
  let characters = 0;
  const { issue, isTooDeep, values } = measureValue(read.value, (value, key) => {
    if (typeof key === 'string') characters += key.length;
    if (typeof value === 'string') characters += value.length;
    return outputFault(value, key);
  });
  if (isTooDeep) return [{ path: '', message: `is nested deeper than ${depthLimit} levels` }];
  if (issue !== undefined) return [issue];
  if (values > valuesLimit) {
    return [{ path: '', message: `has ${values} values; at most ${valuesLimit} are given, so print less` }];
  }
  const size = sizeIssue(characters);
  if (size !== undefined) return [size];
  const key = `outputs ${declaration._meta[definitionKey]}`;
  return (await valueIssues(read.value, values, { key, schema, linearPatterns, inputs: [] })).issues;
}

/** A result has the JSON of its outputs twice: as `structuredContent`, and as a text, in which it is escaped once more. */
function resultBytes(json: string): number {
  return Buffer.byteLength(json) + jsonStringBytes(json);
}

function tooLarge(size: string): string {
  return `takes ${size} of a result, which has it as JSON and once more as text; at most ${resultBytesLimit} bytes fit, so print less`;
}

/** The outputs as stdout has them, or why it is no JSON. Pure. */
export function readOutputs(
  outputs: readonly StdoutOutput[],
  captured: CapturedText,
  limitBytes: number,
): ReadValues | Exclude<ReturnType<typeof jsonOutput>, { value: unknown }> {
  const json = outputs.some(({ format }) => format === 'json') ? jsonOutput(captured, limitBytes) : undefined;
  if (json !== undefined && 'fault' in json) return json;
  const members: [string, unknown][] = [];
  const missing: Issue[] = [];
  for (const { name, format, pointer = '', required } of outputs) {
    if (format === 'text') {
      members.push([name, captured.text.trim()]);
      continue;
    }
    const part = partAt(json?.value, pointer);
    if (part !== undefined) members.push([name, part]);
    else if (required) {
      missing.push({ path: `/${name}`, message: `is missing: stdout has nothing at ${JSON.stringify(pointer)}` });
    }
  }
  return { value: Object.fromEntries(members), missing };
}

/** What a JSON pointer picks of a JSON value; undefined where there is nothing. An index has no sign and no leading zero (RFC 6901). */
function partAt(value: unknown, pointer: string): unknown {
  let part = value;
  for (const step of fromPointer(pointer)) {
    if (typeof part !== 'object' || part === null) return undefined;
    if (Array.isArray(part) && !/^(?:0|[1-9][0-9]*)$/.test(step)) return undefined;
    if (!Object.hasOwn(part, step)) return undefined;
    part = (part as Readonly<Record<string, unknown>>)[step];
  }
  return part;
}

/** What a client would not get as the tool printed it. From 1e21 on a number is printed with an exponent, and read as rounded. */
function outputFault(value: unknown, key: string | number): string | undefined {
  if (key === '__proto__') return 'is a key that JavaScript clients lose or take for a prototype; print another name';
  if (typeof key === 'string' && !key.isWellFormed())
    return 'is a key with half a surrogate pair; print the whole pair';
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : 'has half a surrogate pair, which is no character; print the whole pair';
  }
  if (typeof value !== 'number') return undefined;
  if (!Number.isFinite(value)) return 'is a number that is too large; print it as a string';
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
  return isRounded ? 'is an integer beyond 2^53, which JSON does not carry exactly; print it as a string' : undefined;
}

/** The beginning of an output that does not do, as the details of its error have it. */
export function keptText(text: string): string {
  if (text.length <= keptLength) return text;
  // Not between the two halves of a pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(keptLength - 1)) ? keptLength - 1 : keptLength;
  return `${text.slice(0, end)}…`;
}
