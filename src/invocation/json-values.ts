import canonicalize from 'canonicalize';
import { measureValue } from './value-bounds.js';

/** Steps of a value, and of each value in one that is a container, beside one for each character. */
const valueSteps = 20;
const memberSteps = 60;

/** Takes note of steps before they are taken, and may throw. */
export type Spend = (steps: number) => void;

/** JSON values by which something is found again at once, whatever the order of their members. Pure. */
export class JsonValues<T> {
  readonly #scalars = new Map<unknown, T>();
  readonly #containers = new Map<string | undefined, T>();

  set(value: unknown, found: T): void {
    if (isContainer(value)) this.#containers.set(canonicalize(value), found);
    else this.#scalars.set(value, found);
  }

  /** What an equal value was set to. */
  get(value: unknown, spend: Spend): T | undefined {
    spend(valueSteps);
    if (!isContainer(value)) return this.#scalars.get(value);
    spend(stepsOf(value));
    return this.#containers.get(canonicalize(value));
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function stepsOf(container: object): number {
  let characters = 0;
  const { values } = measureValue(container, (value, key) => {
    if (typeof key === 'string') characters += key.length;
    if (typeof value === 'string') characters += value.length;
    return undefined;
  });
  return memberSteps * values + characters;
}
