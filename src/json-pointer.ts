/** JSON pointers (RFC 6901), as findings, refusals and IRIs of types have them. Pure. */

export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${escapeStep(String(step))}`).join('');
}

/** The steps of a JSON pointer. */
export function fromPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeStep);
}

/** A key as one step of a JSON pointer. */
export function escapeStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
