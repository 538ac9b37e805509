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
