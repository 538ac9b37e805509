import type { Json } from '../../../schemas/declaration.js';
import type { Step } from './difference.js';

export type Side = 'node' | 'server';
export type Part = 'input' | 'output';

export interface SchemaPair {
  readonly node: Json;
  readonly server: Json;
  readonly part: Part;
  /** The node requires the user's confirmation. */
  readonly confirmed?: boolean;
  /** JSON pointer into the document of the node, from a path into the values. */
  readonly placeOf: (path: readonly Step[]) => string;
}
