/** A JSON text that was parsed, or the offset (UTF-16 code units) at which it is wrong and why. */
export type JsonText =
  | { readonly value: unknown }
  | {
      readonly fault: string;
      /** The fault, and what the author of the text can do. */
      readonly message: string;
      readonly offset: number;
    };

/** Parses a JSON text, however deeply it is nested: V8's parser does not recurse, so that `surveyTree` can bound the depth of the tree. */
export function parseJsonText(text: string): JsonText {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return syntaxError(text, (error as Error).message);
  }
}

/**
 * Whether some object of a valid JSON text has a key twice, of which `JSON.parse` keeps the last. Each member has one colon
 * outside strings; `members` and `colons` (inside strings and keys) are what the parsed tree has. Where a colon may be
 * written as an escape, the members of the text are counted instead.
 */
export function hasRepeatedKeys(text: string, parsed: { readonly members: number; readonly colons: number }): boolean {
  if (/\\u003a/i.test(text)) return scan(text, Number.POSITIVE_INFINITY).members > parsed.members;
  return countColons(text) > parsed.members + parsed.colons;
}

/**
 * The first key that an object of a valid JSON text has a second time, and the offset at which it stands again. Keys are compared as
 * they are meant, not as they are escaped.
 */
export function repeatedKey(text: string): { readonly key: string; readonly offset: number } | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x7b) open.push(new Set());
    else if (code === 0x5b) open.push(undefined);
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === quote) {
      const end = endOfString(text, i);
      const keys = open.at(-1);
      if (keys !== undefined && isKey(text, end)) {
        const written = text.slice(i, end + 1);
        const key: string = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
        if (keys.has(key)) return { key, offset: i };
        keys.add(key);
      }
      i = end;
    }
  }
  return undefined;
}

/**
 * Whether a JSON text holds more than `limit` values, containers included. Told by commas and brackets outside strings, so that it costs
 * little before a text is parsed: its end is not read once there are too many.
 */
export function hasMoreValues(text: string, limit: number): boolean {
  let values = 1;
  for (let i = 0; i < text.length && values <= limit; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfString(text, i);
    else if (code === 0x2c) values += 1;
    else if ((code === 0x7b || code === 0x5b) && !/[\]}]/.test(nextCharacter(text, i))) values += 1;
  }
  return values > limit;
}

/** Whether the string that is closed at `end` is followed by a colon. */
function isKey(text: string, end: number): boolean {
  return nextCharacter(text, end) === ':';
}

/** The first character after `at` that is not white space; empty at the end. */
function nextCharacter(text: string, at: number): string {
  let next = at + 1;
  while (/[ \t\r\n]/.test(text.charAt(next))) next += 1;
  return text.charAt(next);
}

export function countColons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count += 1;
  return count;
}

/** A value as a file that people read and edit has it: indented, with a line feed at its end. */
export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Words for a text that is nested deeper than is read. */
export function tooDeep(maxDepth: number): string {
  return `nested deeper than ${maxDepth} levels, which is the limit; make it flatter`;
}

/** Offset of the first bracket, outside strings, that opens a level beyond `maxDepth`. */
export function offsetBeyondDepth(text: string, maxDepth: number): number | undefined {
  return scan(text, maxDepth).tooDeepAt;
}

const quote = 0x22;
const backslash = 0x5c;

/** One pass over the characters outside strings. */
function scan(text: string, maxDepth: number): { members: number; tooDeepAt?: number } {
  let members = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quote:
        i = endOfString(text, i);
        break;
      case 0x3a: // :
        members += 1;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        if (depth > maxDepth) return { members, tooDeepAt: i };
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth -= 1;
        break;
    }
  }
  return { members };
}

/** Offset of the quote that closes the string opened at `start`, or the length of a text that never closes it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text.charCodeAt(escapes - 1) === backslash) escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

/** Anchored at the end, because the other messages quote the text itself. */
const statedOffset = /^(.*?)(?: in JSON| after JSON)? at position (\d+)(?: \(line \d+ column \d+\))?$/s;

/** V8 writes the offset into most messages, but not into "Unexpected token" and "Unexpected end". */
function syntaxError(text: string, message: string): Exclude<JsonText, { value: unknown }> {
  const stated = statedOffset.exec(message);
  if (stated?.[1] !== undefined) return wrongAt(Number(stated[2]), stated[1]);
  if (message.startsWith('Unexpected end')) {
    const fault = 'the JSON ends too early';
    return { fault, message: `${fault}; complete it, or remove the file`, offset: text.length };
  }
  const offset = lastOffsetThatCouldGoOn(text);
  return wrongAt(offset, `unexpected ${JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0xfffd))}`);
}

function wrongAt(offset: number, fault: string) {
  return { fault, message: `${fault}; correct the JSON here`, offset };
}

/** The error is at p when each prefix up to p only ends too early, and each longer one is wrong before its end. */
function lastOffsetThatCouldGoOn(text: string): number {
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (endsTooEarly(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function endsTooEarly(prefix: string): boolean {
  try {
    JSON.parse(prefix);
    return true;
  } catch (error) {
    const { message } = error as Error;
    return message.startsWith('Unexpected end') || Number(statedOffset.exec(message)?.[2]) === prefix.length;
  }
}
