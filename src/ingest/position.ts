import type { Node, Pair } from 'yaml';
import { escapeStep, fromPointer, toPointer } from '../json-pointer.js';
import { offsetBeyondDepth } from './json-text.js';
import { yaml } from './yaml.js';

/** A place in a text, both from 1; the column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface RepeatedKey {
  readonly pointer: string;
  readonly key: string;
  readonly first: Position;
  readonly again: Position;
}

/** Where the parts of one JSON or YAML text are. Parsed at the first question; most documents are never asked. */
export interface SourcePositions {
  /** Place of the value at the pointer, or of its nearest ancestor that exists. */
  locate(pointer: string): Position | undefined;
  /** Place of the key that the pointer ends in. */
  locateKey(pointer: string): Position | undefined;
  /** Keys that are given more than once in one object, in the order of the text. */
  repeatedKeys(): readonly RepeatedKey[];
}

/**
 * Above this length no places are given: `yaml` takes up to two microseconds a character, and a place in a document of
 * megabytes is not worth seconds in which nothing is served. The pointer and the subject of a finding remain.
 */
const maxLength = 512 * 1024;

/** Brackets nested by the hundred thousand make `yaml` 2.9 end the whole process (out of memory in a regular expression). */
const maxDepth = 256;

/** A JSON text is YAML too (YAML 1.2 §1.3), so one parser that keeps ranges serves both. Never throws. */
export function positionsOf(text: string): SourcePositions {
  let parsed: Parsed | undefined;
  const source = (): Parsed => {
    parsed ??= parse(text);
    return parsed;
  };
  return {
    locate: (pointer) => place(source(), pointer, false),
    locateKey: (pointer) => place(source(), pointer, true),
    repeatedKeys: () => repeated(source()),
  };
}

/** Place of an offset in UTF-16 code units. */
export function positionAt(text: string, offset: number): Position {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

interface Parsed {
  readonly root: Node | null;
  readonly at: (node: Node) => Position | undefined;
}

function parse(text: string): Parsed {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const at = (node: Node): Position | undefined => {
    if (!node.range) return undefined;
    const { line, col } = lines.linePos(node.range[0]);
    return { line, column: col };
  };
  if (text.length > maxLength || offsetBeyondDepth(text, maxDepth) !== undefined) return { root: null, at };
  try {
    const options = { lineCounter: lines, uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;
    return { root: parseDocument(text, options).contents, at };
  } catch {
    // Deep nesting overflows the stack of the parser; what is asked then has no place.
    return { root: null, at };
  }
}

function place({ root, at }: Parsed, pointer: string, ofKey: boolean): Position | undefined {
  const { isMap, isSeq } = yaml();
  let node = root;
  let key: Node | null = null;
  for (const step of fromPointer(pointer)) {
    let next: unknown;
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.findLast((item) => keyText(item) === step);
      next = pair?.value;
      if (pair !== undefined) key = pair.key as Node;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      if (next !== undefined) key = null;
    }
    if (next === undefined || next === null) break;
    node = next as Node;
  }
  if (node === null) return undefined;
  return at(ofKey && key !== null ? key : node);
}

function repeated({ root, at }: Parsed): RepeatedKey[] {
  const { isMap, isSeq } = yaml();
  const found: RepeatedKey[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (isSeq(node)) for (const [i, item] of node.items.entries()) visit(item, `${pointer}/${i}`);
    if (!isMap(node)) return;
    const seen = new Map<string, Position | undefined>();
    for (const pair of node.items) {
      const key = keyText(pair);
      const again = at(pair.key as Node);
      const first = seen.get(key);
      if (first !== undefined && again !== undefined) {
        found.push({ pointer: pointer + toPointer([key]), key, first, again });
      }
      if (!seen.has(key)) seen.set(key, again);
      visit(pair.value, `${pointer}/${escapeStep(key)}`);
    }
  };
  visit(root, '');
  return found;
}

function keyText(pair: Pair): string {
  return yaml().isScalar(pair.key) ? String(pair.key.value) : '';
}
