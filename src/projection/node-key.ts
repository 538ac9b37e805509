/** What tells a node from every other: two instances that are served together may have the same base, and so the same IRIs. */
export function nodeKey(iri: string, { instance = '' }: { readonly instance?: string }): string {
  return `${instance}\n${iri}`;
}
