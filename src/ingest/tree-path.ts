/** One step into a JSON tree. */
export type Step = string | number;

/** A path as people write it: `io.inputs[0].schema`. */
export function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

/** The value at a path, or undefined where the path leads nowhere. */
export function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  let value = tree;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

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

/** Whether a value of a parsed tree is an object with members. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
