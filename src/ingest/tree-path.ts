/** One step into a JSON tree. */
export type Step = string | number;

/** The way to the first member or item that passes the test, in the order of the tree. */
export function findPath(tree: unknown, test: (key: string, value: unknown) => boolean): string[] | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined;
  for (const [key, value] of Object.entries(tree)) {
    if (test(key, value)) return [key];
    const inner = findPath(value, test);
    if (inner !== undefined) return [key, ...inner];
  }
  return undefined;
}
