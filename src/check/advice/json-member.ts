/** One member of an object, as it is written in a node. */
export function jsonMember(key: string, value: unknown): string {
  return `"${key}": ${JSON.stringify(value) ?? 'null'}`;
}
