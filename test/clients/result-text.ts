/** Text of the one content block of a call result that is no error. `result` is whatever a client returned. */
export function resultText(result: unknown): string {
  return textOf(result, false);
}

/** Text of the one content block of a call result that is an error. */
export function errorText(result: unknown): string {
  return textOf(result, true);
}

/** The structured content of a call result that is no error. */
export function resultValue(result: unknown): unknown {
  const { isError, structuredContent } = result as { isError?: unknown; structuredContent?: unknown };
  if (isError === true) throw new Error(`expected a result, got ${JSON.stringify(result)}`);
  return structuredContent;
}

function textOf(result: unknown, failed: boolean): string {
  const { isError, content } = result as { isError?: unknown; content?: { type?: unknown; text?: unknown }[] };
  const [block, ...more] = content ?? [];
  if ((isError === true) !== failed || block?.type !== 'text' || typeof block.text !== 'string' || more.length > 0) {
    throw new Error(`expected ${failed ? 'an error' : 'a result'} of one text, got ${JSON.stringify(result)}`);
  }
  return block.text;
}
