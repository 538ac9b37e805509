import type { Context } from 'hono';
import { breakOff } from '../connection.js';

/**
 * A body of whole text, or of pieces, each asked for when the client has taken those before. A client that goes away ends the source, also where
 * it has taken nothing: a generator that was not begun would not learn of that. A piece that cannot be had breaks the answer off.
 */
export function bodyOf(c: Context, text: string | AsyncIterable<string>): string | ReadableStream<Uint8Array> {
  if (typeof text === 'string') return text;
  const pieces = text[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          // An empty piece too: a stream that is given nothing does not ask again.
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          // Of a stream that fails @hono/node-server prints the stack; one whose connection is gone it cancels.
          if (!breakOff(c)) throw error;
        }
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
