import type { OutputSpool } from '../kept-outputs.js';
import { CappedOutput } from '../output.js';
import { depthLimit } from '../value-bounds.js';
import type { ReturnedData } from './messages.js';

/** JSON as it is built; what JSON has no form for has become text. */
export type Data = null | boolean | number | string | Data[] | { [key: string]: Data };

/** More values than these are left out, so that an object that makes its own members cannot go on for ever. */
const valuesLimit = 1_000_000;

/**
 * What a function returned, as text that is capped at `limitBytes`: a string as it is, undefined as nothing, all else as JSON. What is more
 * goes to `overflow`, from its first byte on.
 * Never throws, whatever getters and proxies do.
 */
export function returnedData(value: unknown, limitBytes: number, overflow?: OutputSpool): ReturnedData {
  if (value === undefined) return { form: 'nothing', output: { text: '', truncated: false } };
  if (typeof value === 'string') return { form: 'text', output: capped(value.toWellFormed(), limitBytes, overflow) };
  return { form: 'json', output: capped(JSON.stringify(asData(value)), limitBytes, overflow) };
}

/**
 * A value as JSON: what JSON.stringify would give, but a BigInt as its digits, what is not a finite number by its name, a Map as an object, a Set
 * as an array, bytes as base64, an error as its name and message, a function or symbol by its name, and a cycle as `[circular]`.
 */
export function asData(value: unknown): Data {
  return dataOf(value, { ancestors: new Set(), left: { values: valuesLimit } }) ?? null;
}

interface Walk {
  readonly ancestors: ReadonlySet<object>;
  readonly left: { values: number };
}

/** Undefined for what is left out of an object, and null in an array. */
function dataOf(value: unknown, walk: Walk): Data | undefined {
  walk.left.values -= 1;
  if (walk.left.values < 0) return '[left out]';
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return String(value);
    case 'function':
      return '[function]';
    case 'symbol':
      return `[${String(value)}]`;
    case 'object':
      return value === null ? null : objectData(value, walk);
    default:
      return undefined;
  }
}

function objectData(value: object, { ancestors, left }: Walk): Data | undefined {
  if (ancestors.has(value)) return '[circular]';
  if (ancestors.size >= depthLimit) return '[nested too deep]';
  try {
    return membersData(value, { ancestors: new Set(ancestors).add(value), left });
  } catch (error) {
    return `[not readable: ${error instanceof Error ? error.name : 'it threw'}]`;
  }
}

function membersData(value: object, walk: Walk): Data | undefined {
  const bytes = bytesOf(value);
  if (bytes !== undefined) return bytes.toString('base64');
  if ('toJSON' in value && typeof value.toJSON === 'function') return dataOf(value.toJSON(), walk);
  if (value instanceof Boolean || value instanceof Number || value instanceof String) {
    return dataOf(value.valueOf(), walk);
  }
  if (value instanceof Error) return { name: String(value.name), message: String(value.message) };
  if (value instanceof RegExp) return String(value);
  if (value instanceof Set) return arrayData(value, walk);
  if (value instanceof Map) {
    const isNamed = [...value.keys()].every((key) => typeof key === 'string');
    return isNamed ? recordData(value as Map<string, unknown>, walk) : arrayData(value, walk);
  }
  if (Array.isArray(value)) return arrayData(value, walk);
  return recordData(Object.entries(value), walk);
}

function bytesOf(value: object): Buffer | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer ? Buffer.from(value) : undefined;
}

function arrayData(values: Iterable<unknown>, walk: Walk): Data[] {
  const data: Data[] = [];
  for (const value of values) {
    data.push(dataOf(value, walk) ?? null);
    if (walk.left.values < 0) break;
  }
  return data;
}

function recordData(entries: Iterable<readonly [string, unknown]>, walk: Walk): Data {
  const data: [string, Data][] = [];
  for (const [key, value] of entries) {
    const member = dataOf(value, walk);
    if (member !== undefined) data.push([key.toWellFormed(), member]);
    if (walk.left.values < 0) break;
  }
  return Object.fromEntries(data);
}

function capped(text: string, limitBytes: number, overflow: OutputSpool | undefined): ReturnedData['output'] {
  const output = new CappedOutput(limitBytes, overflow);
  output.write(Buffer.from(text));
  return output.read();
}
