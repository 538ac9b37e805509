/** The most values that one property has at one node, and how often two values are compared in all. */
export interface SetSize {
  readonly comparisons: number;
  readonly property: string;
  readonly values: number;
}

/**
 * jsonld compares each value of a property with every other of the same node, so ten thousand values take seconds and a
 * document of four megabytes could take minutes. Takes the expanded form, in which aliases and nesting are resolved; the
 * values of a list are not compared.
 */
export function measureSets(expanded: unknown): SetSize {
  const sets = new Map<string, number>();
  let unnamed = 0;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || '@value' in value) return;
    const id = '@id' in value ? String(value['@id']) : `_:${unnamed++}`;
    for (const [property, values] of Object.entries(value)) {
      if (property !== '@type' && property.startsWith('@')) {
        visit(property === '@reverse' ? Object.values(values as object) : values);
      } else if (Array.isArray(values)) {
        const set = `${id} ${property}`;
        sets.set(set, (sets.get(set) ?? 0) + values.length);
        visit(values);
      }
    }
  };
  visit(expanded);
  let comparisons = 0;
  let largest = { property: '', values: 0 };
  for (const [set, values] of sets) {
    comparisons += (values * values) / 2;
    if (values > largest.values) largest = { property: set.slice(set.lastIndexOf(' ') + 1), values };
  }
  return { comparisons, ...largest };
}
