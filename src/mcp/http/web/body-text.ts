/** A body that gives its pieces when the client has taken those before. A client that goes away ends the source. */
export function bodyOf(text: string | Iterable<string> | AsyncIterable<string>): string | ReadableStream<Uint8Array> {
  return typeof text === 'string' ? text : (ReadableStream.from(encoded(text)) as ReadableStream<Uint8Array>);
}

async function* encoded(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) if (piece !== '') yield encoder.encode(piece);
}
