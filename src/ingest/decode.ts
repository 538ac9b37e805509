import { isUtf8 } from 'node:buffer';
import { type Position, positionAt } from '../text-position.js';

/** The text of a file, or why it has none and where. */
export type Decoded = { readonly text: string } | { readonly message: string; readonly position: Position };

/**
 * Decodes UTF-8 strictly. One byte order mark is stripped; UTF-16 and other bytes that are no UTF-8 are refused,
 * because a replacement character in an IRI or a command would change its meaning silently.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)) {
    return {
      message: 'the file is UTF-16, and UTF-8 was expected; save it as UTF-8',
      position: { line: 1, column: 1 },
    };
  }
  const nul = bytes.indexOf(0);
  if (nul !== -1) {
    return {
      message: 'the file holds a NUL byte, so it is binary or UTF-16, and UTF-8 was expected; save it as UTF-8',
      position: positionOfByte(bytes, nul),
    };
  }
  if (!isUtf8(bytes)) {
    return {
      message: 'the file holds a byte that is not UTF-8; save it as UTF-8',
      position: positionOfByte(bytes, invalidByte(bytes)),
    };
  }
  return { text: new TextDecoder('utf-8').decode(bytes) };
}

function startsWith(bytes: Uint8Array, first: number, second: number): boolean {
  return bytes[0] === first && bytes[1] === second;
}

/** Offset of the first byte that no UTF-8 sequence can hold: the end of the longest prefix that could still go on. */
function invalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (couldGoOn(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function couldGoOn(prefix: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(prefix, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function positionOfByte(bytes: Uint8Array, offset: number): Position {
  const before = new TextDecoder('utf-8').decode(bytes.subarray(0, offset), { stream: true });
  return positionAt(before, before.length);
}
