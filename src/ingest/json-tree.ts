import { reservedKeys } from '../../schemas/tool.js';
import { toPointer } from '../json-pointer.js';
import { countColons } from '../json-text.js';
import type { Step } from './tree-path.js';

/** Something in a parsed tree that no document may hold, whatever its kind. */
export interface TreeFault {
  readonly pointer: string;
  readonly message: string;
}

export interface TreeLimits {
  /** Levels of nesting; the root is the first. */
  readonly depth: number;
  /** Items of one array. */
  readonly items: number;
}

export interface TreeSurvey {
  /** Object members in the whole tree. */
  readonly members: number;
  /** Items of arrays. */
  readonly items: number;
  /** Colons in keys and strings. */
  readonly colons: number;
  /** The tree is nested deeper than the limit; the survey ended there. */
  readonly isTooDeep: boolean;
  /** Members named `@context`. */
  readonly contexts: number;
  readonly faults: readonly TreeFault[];
  /** Pointers of numbers that JSON-LD processors would write as `0` outside a JSON literal. */
  readonly tinyNumbers: readonly string[];
}

/**
 * Walks a parsed tree once, before anything copies it. `JSON.parse` makes `__proto__` an own property, which a later
 * assignment would turn into a prototype (CVE-2025-64718 and its kind), so the reserved keys are refused here.
 * `escapes` says that the text has `\u` escapes: only these can give half a surrogate pair.
 */
export function surveyTree(tree: unknown, limits: TreeLimits, escapes: boolean): TreeSurvey {
  const survey = new Survey(limits, escapes);
  if (Array.isArray(tree)) survey.array(tree, undefined);
  else if (typeof tree === 'object' && tree !== null) survey.object(tree, undefined);
  return survey;
}

/** The way from the root to a container, the nearest step first. The root itself has none. */
interface Path {
  readonly parent: Path | undefined;
  readonly step: Step;
  readonly depth: number;
}

class Survey implements TreeSurvey {
  members = 0;
  items = 0;
  colons = 0;
  contexts = 0;
  isTooDeep = false;
  readonly faults: TreeFault[] = [];
  readonly tinyNumbers: string[] = [];
  readonly #limits: TreeLimits;
  readonly #escapes: boolean;

  constructor(limits: TreeLimits, escapes: boolean) {
    this.#limits = limits;
    this.#escapes = escapes;
  }

  array(items: readonly unknown[], path: Path | undefined): void {
    const { items: most } = this.#limits;
    if (items.length > most) {
      const message = `an array of ${items.length} items; at most ${most} are read, so split the document`;
      this.faults.push({ pointer: pointerOf(path), message });
      return;
    }
    this.items += items.length;
    for (let i = 0; i < items.length; i++) this.#value(items[i], path, i);
  }

  object(members: object, path: Path | undefined): void {
    const keys = Object.keys(members);
    this.members += keys.length;
    for (const key of keys) {
      if (reservedKeys.has(key)) {
        this.#fault(path, key, `the key "${key}" is reserved and is refused; use another name`);
        continue;
      }
      if (key === '@context') this.contexts += 1;
      if (this.#escapes && !key.isWellFormed()) {
        this.#fault(path, key, 'the key holds half a surrogate pair; write the whole pair');
      }
      this.colons += countColons(key);
      this.#value((members as Record<string, unknown>)[key], path, key);
    }
  }

  #value(value: unknown, parent: Path | undefined, step: Step): void {
    if (typeof value === 'string') {
      this.colons += countColons(value);
      if (this.#escapes && !value.isWellFormed()) {
        this.#fault(parent, step, 'half a surrogate pair is no character; write the whole pair');
      }
    } else if (typeof value === 'number') {
      this.#number(value, parent, step);
    } else if (typeof value === 'object' && value !== null) {
      const path = { parent, step, depth: (parent?.depth ?? 1) + 1 };
      if (path.depth > this.#limits.depth) this.isTooDeep = true;
      else if (Array.isArray(value)) this.array(value, path);
      else this.object(value, path);
    }
  }

  #number(value: number, parent: Path | undefined, step: Step): void {
    if (!Number.isFinite(value)) this.#fault(parent, step, 'the number is too large; write it as a string');
    else if (isTiny(value)) this.tinyNumbers.push(pointerOf({ parent, step, depth: 0 }));
  }

  #fault(parent: Path | undefined, step: Step, message: string): void {
    this.faults.push({ pointer: pointerOf({ parent, step, depth: 0 }), message });
  }
}

/** jsonld takes a number for a double only when its JavaScript form has a dot, and so writes 1e-7 as "0"^^xsd:integer. */
function isTiny(value: number): boolean {
  return value !== 0 && Math.abs(value) < 1e-6 && !String(value).includes('.');
}

function pointerOf(path: Path | undefined): string {
  const steps: Step[] = [];
  for (let at = path; at !== undefined; at = at.parent) steps.push(at.step);
  return toPointer(steps.reverse());
}
