import type { Node, Pair } from 'yaml';
import { escapeStep, fromPointer, toPointer } from '../json-pointer.js';
import type { Position } from '../text-position.js';
import { yaml } from './yaml.js';
import { type ComposedYaml, composeYaml } from './yaml-compose.js';

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

/** Deeper than a document may be nested: the place at which it becomes too deep is asked for too. */
const maxDepth = 256;

/** A JSON text is YAML too (YAML 1.2 §1.3), so one parser that keeps ranges serves both. */
export function positionsOf(text: string): SourcePositions {
  let source: Source | undefined;
  return positionsFrom(() => {
    source ??= sourceOf(text.length > maxLength ? undefined : composeYaml(text, maxDepth));
    return source;
  });
}

/** The places in a text that was composed already. */
export function positionsIn(composed: ComposedYaml): SourcePositions {
  const source = sourceOf(composed);
  return positionsFrom(() => source);
}

interface Source {
  readonly root: Node | null;
  readonly at: (node: Node) => Position | undefined;
}

function positionsFrom(source: () => Source): SourcePositions {
  return {
    locate: (pointer) => place(source(), pointer, false),
    locateKey: (pointer) => place(source(), pointer, true),
    repeatedKeys: () => repeated(source()),
  };
}

/** What is too deep or too long to be composed has no places. */
function sourceOf(composed: ReturnType<typeof composeYaml> | undefined): Source {
  if (composed === undefined || 'reason' in composed) return { root: null, at: () => undefined };
  const { document, lines } = composed;
  const at = ({ range }: Node): Position | undefined => {
    if (!range) return undefined;
    const { line, col } = lines.linePos(range[0]);
    return { line, column: col };
  };
  return { root: document.contents, at };
}

function place({ root, at }: Source, pointer: string, ofKey: boolean): Position | undefined {
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

function repeated({ root, at }: Source): RepeatedKey[] {
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
