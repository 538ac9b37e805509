/** rdf-canonize has no types of its own; this is the part that the tests use. */
declare module 'rdf-canonize' {
  export function canonize(
    dataset: readonly object[],
    options: { algorithm: 'RDFC-1.0'; maxWorkFactor?: number; format?: 'application/n-quads' },
  ): Promise<string>;
}
