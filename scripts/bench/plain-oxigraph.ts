import { Store } from 'oxigraph';

/** Characters of one loading: all at once takes ten times as long. */
const pieceLength = 1_000_000;

/** A store of oxigraph alone that holds what the lines of N-Quads state. */
export async function oxigraphOf(lines: Iterable<string> | AsyncIterable<string>): Promise<Store> {
  const store = new Store();
  let piece: string[] = [];
  let length = 0;
  const load = () => {
    if (piece.length > 0) store.load(piece.join('\n'), { format: 'nq', lenient: true });
    piece = [];
    length = 0;
  };
  for await (const line of lines) {
    piece.push(line);
    length += line.length;
    if (length >= pieceLength) load();
  }
  load();
  return store;
}
