import type { Alias, Node, Pair, ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { shown } from '../../schemas/issue-words.js';
import type { ProblemCode } from '../diagnostic.js';
import { tooDeep } from '../json-text.js';
import type { Position } from '../text-position.js';
import { yaml } from './yaml.js';
import type { ComposedYaml } from './yaml-compose.js';

export interface YamlFault {
  readonly code: Extract<ProblemCode, 'unreadable' | 'invalid-node'>;
  readonly message: string;
  readonly position: Position;
}

export interface YamlLimits {
  /** Levels of nesting, aliases followed; the root is the first. */
  readonly depth: number;
  /** What the aliases stand for in all, in characters: a document as large would not be read. */
  readonly bytes: number;
}

/** What a composed text is as a tree of JSON, or why it is none. */
export function buildYamlTree(
  composed: ComposedYaml,
  limits: YamlLimits,
): { readonly value: unknown } | { readonly faults: readonly YamlFault[] } {
  const builder = new TreeBuilder(limits, composed);
  const value = builder.build(composed.document.contents, 1);
  return builder.faults.length > 0 ? { faults: builder.faults } : { value };
}

/** Aliases that are followed in one document. */
const mostAliases = 1000;

/** The types of JSON as tags of the core schema, and what a scalar with each must be. */
const scalarTypes = new Map([
  ['tag:yaml.org,2002:str', 'string'],
  ['tag:yaml.org,2002:int', 'number'],
  ['tag:yaml.org,2002:float', 'number'],
  ['tag:yaml.org,2002:bool', 'boolean'],
  ['tag:yaml.org,2002:null', 'object'],
  // The non-specific tag makes a string of any scalar.
  ['!', 'string'],
]);
const mapTag = 'tag:yaml.org,2002:map';
const seqTag = 'tag:yaml.org,2002:seq';

/**
 * Builds the tree, in the order of the text, and a copy of what an alias stands for in its place. `toJS` of `yaml` would share
 * it, and a later walk over the tree would meet it as often as it is named (the "billion laughs").
 */
class TreeBuilder {
  readonly faults: YamlFault[] = [];
  readonly #limits: YamlLimits;
  readonly #composed: ComposedYaml;
  readonly #anchors = new Map<string, Node>();
  /** What each alias stands for: of two anchors of one name it is the one before it in the text. */
  readonly #targets = new Map<Alias, Node>();
  readonly #open = new Set<Node>();
  #aliases = 0;
  #followed = 0;
  #copied = 0;

  constructor(limits: YamlLimits, composed: ComposedYaml) {
    this.#limits = limits;
    this.#composed = composed;
  }

  build(node: unknown, depth: number): unknown {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (isAlias(node)) return this.#alias(node, depth);
    if (isScalar(node)) return this.#scalar(node);
    if (!isMap<ParsedNode, ParsedNode | null>(node) && !isSeq<ParsedNode>(node)) return null;
    this.#anchor(node);
    if (depth > this.#limits.depth) return this.#fault(node, tooDeep(this.#limits.depth));
    if (!this.#count(1, node)) return null;
    this.#open.add(node);
    const built = isMap<ParsedNode, ParsedNode | null>(node) ? this.#map(node, depth) : this.#seq(node, depth);
    this.#open.delete(node);
    return built;
  }

  #map(map: YAMLMap<ParsedNode, ParsedNode | null>, depth: number): unknown {
    if (map.tag !== undefined && map.tag !== mapTag) return this.#fault(map, foreignTag(map.tag));
    const members = map.items.map((pair): [string, unknown] => [this.#key(pair), this.build(pair.value, depth + 1)]);
    // A member named __proto__ becomes a property as any other, which `surveyTree` then refuses.
    return Object.fromEntries(members);
  }

  #seq(seq: YAMLSeq<ParsedNode>, depth: number): unknown {
    if (seq.tag !== undefined && seq.tag !== seqTag) return this.#fault(seq, foreignTag(seq.tag));
    return seq.items.map((item) => this.build(item, depth + 1));
  }

  #key({ key }: Pair<ParsedNode, ParsedNode | null>): string {
    const { isScalar, Scalar } = yaml();
    const name = isScalar(key) ? this.#scalar(key) : undefined;
    if (typeof name !== 'string') {
      this.#fault(key, 'a key must be a string here, as in JSON; put it in quotes');
      return '';
    }
    if (name === '<<' && isScalar(key) && key.type === Scalar.PLAIN) {
      this.#fault(key, 'the merge key << is refused; write out what it stands for', 'invalid-node');
    }
    return name;
  }

  #scalar(scalar: Scalar): unknown {
    this.#anchor(scalar);
    const { value, source = '', tag } = scalar;
    if (!this.#count(source.length + 1, scalar)) return null;
    if (tag !== undefined) {
      const type = scalarTypes.get(tag);
      if (type === undefined) return this.#fault(scalar, foreignTag(tag));
      const isInteger = tag.endsWith(':int') ? Number.isInteger(value) : true;
      if (typeof value !== type || !isInteger) {
        return this.#fault(scalar, `${shown(source)} is no value of the tag ${shown(tag)}; correct one of the two`);
      }
    }
    if (typeof value === 'number' && /\.(?:inf|nan)$/i.test(source)) {
      return this.#fault(scalar, `${source} is no number of JSON; write it as a string`);
    }
    return value;
  }

  #alias(alias: Alias, depth: number): unknown {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source);
    const name = shown(`*${alias.source}`);
    if (target === undefined) return this.#fault(alias, `no anchor before the alias ${name}; define it first`);
    if (this.#open.has(target)) {
      return this.#fault(alias, `the alias ${name} stands inside of what it stands for; write out what is meant`);
    }
    this.#targets.set(alias, target);
    this.#aliases += 1;
    if (this.#aliases > mostAliases) {
      if (this.#aliases > mostAliases + 1) return null;
      return this.#fault(alias, `more than ${mostAliases} aliases are followed here; write out what they stand for`);
    }
    this.#followed += 1;
    const copy = this.build(target, depth);
    this.#followed -= 1;
    return copy;
  }

  /** Anchors count where they are written, not where an alias leads to them again. */
  #anchor(node: Node & { anchor?: string }): void {
    if (node.anchor !== undefined && this.#followed === 0) this.#anchors.set(node.anchor, node);
  }

  /** Counts what stands in the tree because of an alias; false when that is too much. */
  #count(characters: number, node: Node): boolean {
    if (this.#followed === 0) return true;
    const before = this.#copied;
    this.#copied += characters;
    const { bytes } = this.#limits;
    if (this.#copied <= bytes) return true;
    if (before <= bytes) this.#fault(node, `the aliases stand for more than ${bytes} characters in all; use fewer`);
    return false;
  }

  #fault(node: Node, message: string, code: YamlFault['code'] = 'unreadable'): undefined {
    const { line, col } = this.#composed.lines.linePos(node.range?.[0] ?? 0);
    this.faults.push({ code, message, position: { line, column: col } });
    return undefined;
  }
}

function foreignTag(tag: string): string {
  return `the tag ${shown(tag)} is refused, because only the types of JSON are read; remove it, or write a string`;
}
