import type { Term } from '@rdfjs/types';
import { encodeTerm } from './term-text.js';

/** Numbers terms in the order in which they are met, from 0, for a reader that gets the texts of them. */
export class TermNumbers {
  readonly #numbers = new Map<string, number>();
  readonly texts: string[] = [];

  of(term: Term): number {
    const text = encodeTerm(term);
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.texts.push(text) - 1;
    this.#numbers.set(text, number);
    return number;
  }
}
