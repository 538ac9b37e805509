/**
 * Bytes of JSON (UTF-8) that the value of one result may take in its message. The stdio clients of the SDK end the connection at a message
 * of 10 MiB; what is left of that is for the envelope: ids, links, `_meta`.
 */
export const resultBytesLimit = 8 * 1024 * 1024;

/** Bytes (UTF-8) of a string as `JSON.stringify` writes it, its two quotes included. */
export function jsonStringBytes(text: string): number {
  let bytes = 2;
  for (let at = 0; at < text.length; at++) bytes += codeUnitBytes(text, at);
  return bytes;
}

/**
 * The longest beginning of a text that takes no more than `limitBytes` as a JSON string, quotes included, and ends between two code
 * points. The whole text where that fits.
 */
export function fittingBeginning(text: string, limitBytes: number): string {
  let bytes = 2;
  for (let at = 0; at < text.length; at++) {
    bytes += codeUnitBytes(text, at);
    if (bytes > limitBytes) return text.slice(0, isLowHalf(text, at) ? at - 1 : at);
  }
  return text;
}

/** What the code unit at `at` adds to a JSON string. A pair is four bytes, two for each half; half a pair alone is escaped. */
function codeUnitBytes(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x20) return code === 8 || code === 9 || code === 10 || code === 12 || code === 13 ? 2 : 6;
  if (code === 0x22 || code === 0x5c) return 2;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  if (code < 0xd800 || code > 0xdfff) return 3;
  return isLowHalf(text, at) || isLowHalf(text, at + 1) ? 2 : 6;
}

/** Whether the second half of a surrogate pair is at `at`, after its first half. */
function isLowHalf(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
