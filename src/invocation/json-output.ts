import { hasMoreValues, parseJsonText, repeatedKey } from '../json-text.js';
import { resultBytesLimit } from '../result-size.js';
import { positionAt } from '../text-position.js';
import type { CapturedText } from './output.js';
import { valuesLimit } from './value-bounds.js';

/** stdout as one JSON value, or why it is none: a sentence without a subject, and where. */
export type JsonOutput =
  | { readonly value: unknown }
  | {
      readonly fault: string;
      readonly place?: { readonly line: number; readonly column: number; readonly offset: number };
    };

/** Longer texts get no place where V8 tells none: to find it, the text is parsed some twenty times. */
const placedLength = 1024 * 1024;

/**
 * Reads stdout as one JSON value (RFC 8259). One byte order mark and white space around the value are skipped. An object with one key
 * twice is refused, because it is not clear which value is meant; so are bytes that are not UTF-8, and, before it is parsed, a text that is
 * too long or holds more than `valuesLimit` values. Pure.
 */
export function jsonOutput({ text, truncated, invalidUtf8 }: CapturedText, limitBytes: number): JsonOutput {
  if (truncated) {
    return {
      fault: `was cut after ${limitBytes} bytes, so it is no whole JSON value; print less, or raise limits.outputBytes of the node`,
    };
  }
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (invalidUtf8) return faultAt(json, json.indexOf('\uFFFD'), 'is not UTF-8, as JSON has to be');
  if (json.trim() === '') return { fault: 'is empty; expected one JSON value' };
  if (json.length > resultBytesLimit) {
    return { fault: `has ${json.length} characters; JSON is read up to ${resultBytesLimit}, so print less` };
  }
  if (hasMoreValues(json, valuesLimit)) {
    return {
      fault: `has more than ${valuesLimit} values by its commas and brackets; JSON is read up to that, so print less`,
    };
  }
  const parsed = parse(json);
  if (!('value' in parsed)) return parsed;
  const repeated = repeatedKey(json);
  if (repeated === undefined) return parsed;
  const key = JSON.stringify(repeated.key.slice(0, 100));
  return faultAt(
    json,
    repeated.offset,
    `has the key ${key} twice in one object, so it is not clear which value is meant`,
  );
}

function parse(json: string): JsonOutput {
  if (json.length > placedLength) {
    try {
      return { value: JSON.parse(json) };
    } catch {
      return { fault: 'is not JSON' };
    }
  }
  const parsed = parseJsonText(json);
  if ('value' in parsed) return parsed;
  const isWhole = 'value' in parseJsonText(json.slice(0, parsed.offset));
  const fault = isWhole ? 'goes on after one JSON value; expected no more than one' : `is not JSON: ${parsed.fault}`;
  return faultAt(json, parsed.offset, fault);
}

function faultAt(text: string, offset: number, fault: string): JsonOutput {
  const { line, column } = positionAt(text, offset);
  return { fault: `${fault} (line ${line}, column ${column})`, place: { line, column, offset } };
}
