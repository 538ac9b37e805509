import { placedMessage } from '../../schemas/issue-words.js';
import { type Diagnostic, problem } from '../diagnostic.js';
import { toPointer } from '../json-pointer.js';

/** What is wrong at a key of a node. An item of a set has the path of the set: its place in the file is not known. */
export interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The path ends in a key that is itself what is wrong; the message says where it is. */
  readonly atKey?: boolean;
  /** The message says which documents state it. */
  readonly namesDocuments?: true;
}

/** The `invalid-node` for a fault of the node `subject`. `pointers` is the place of each node in the file, by its IRI. */
export function faultProblem(
  { path, message, atKey = false }: Fault,
  subject: string,
  document: string,
  pointers: ReadonlyMap<string, string>,
): Diagnostic {
  const place = sourcePath(path);
  const start = pointers.get(subject);
  const pointer = start === undefined ? {} : { pointer: start + toPointer(place) };
  const words = placedMessage({ path: place, message, atKey });
  return problem('invalid-node', words, { document, ...pointer, subject });
}

/** In the graph the ports stand at the Tool itself; in the source they are inside of `io`. */
function sourcePath(path: Fault['path']): Fault['path'] {
  return path[0] === 'inputs' || path[0] === 'outputs' ? ['io', ...path] : path;
}
