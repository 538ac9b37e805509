/** Which generation an answer was made from: its number, and its digest in hexadecimal. */
export function generationHeaders(generation: { readonly number: number; readonly digest: string }) {
  return { 'Toolgraph-Generation': String(generation.number), 'Toolgraph-Digest': generation.digest };
}
