import type { Json } from '../../../schemas/declaration.js';

/** A tool as a server lists it. Nothing is known of it but that it has a name. */
export interface ServerTool {
  readonly name: string;
  readonly inputSchema?: Json;
  readonly outputSchema?: Json;
  readonly annotations?: Json;
}
