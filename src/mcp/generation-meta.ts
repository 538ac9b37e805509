import { generationKey } from '../../schemas/declaration.js';

/** Which generation a result was made from (P17). */
export type GenerationMeta = { readonly [generationKey]: { readonly number: number; readonly digest: string } };

export function generationMeta({
  number,
  digest,
}: {
  readonly number: number;
  readonly digest: string;
}): GenerationMeta {
  return { [generationKey]: { number, digest } };
}
