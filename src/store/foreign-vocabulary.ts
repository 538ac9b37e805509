/**
 * The local name of an IRI in the vocabulary of a harness: `…/cat-harness/ns#<name>`, or `…/cat-harness/<version>/ns#<name>`
 * of any authority (tool-node.md §1, "Accepted forms"); undefined for any other IRI.
 */
export function harnessName(iri: string): string | undefined {
  return iri.includes('ns#') ? pattern.exec(iri)?.[1] : undefined;
}

const pattern = /^[A-Za-z][A-Za-z0-9+.-]*:(?:.*[/:])?cat-harness(?:\/[^/?#]+)?\/ns#([^#]+)$/;

export type ForeignKind = 'tool' | 'skill';

/** What a class of a harness's vocabulary is in ours. */
export function foreignKind(type: string): ForeignKind | undefined {
  const name = harnessName(type);
  if (name === 'Tool') return 'tool';
  return name === 'Skill' ? 'skill' : undefined;
}
