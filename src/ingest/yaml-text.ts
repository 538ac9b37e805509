import type { ParsedNode } from 'yaml';
import { shown } from '../../schemas/issue-words.js';
import { tooDeep } from '../json-text.js';
import { positionAt } from '../text-position.js';
import { positionsIn, type SourcePositions } from './position.js';
import { type ComposedYaml, composeYaml, mostCharacters, mostLexemes } from './yaml-compose.js';
import { buildYamlTree, type YamlFault, type YamlLimits } from './yaml-tree.js';

/** A YAML text as the tree that JSON would give, or what is wrong with it. */
export type YamlText =
  | { readonly value: unknown; readonly positions: SourcePositions }
  | { readonly faults: readonly YamlFault[] };

/**
 * Parses a YAML text by the core schema of YAML 1.2, and refuses what has no tree of JSON, as YAML-LD does: several documents,
 * keys that are no strings, tags of other types, infinities. Merge keys, which JSON does not have, are refused too. Keys that
 * are repeated or reserved are left to the caller, who looks for them in JSON as well.
 */
export function parseYamlText(text: string, limits: YamlLimits): YamlText {
  const composed = composeYaml(text, limits.depth);
  if ('reason' in composed) {
    const message = composed.reason === 'too-deep' ? tooDeep(limits.depth) : tooLong;
    return { faults: [{ code: 'unreadable', message, position: positionAt(text, composed.offset) }] };
  }
  const refused = refusal(text, composed);
  if (refused !== undefined) return { faults: [refused] };
  const built = buildYamlTree(composed, limits);
  return 'faults' in built ? built : { value: built.value, positions: positionsIn(composed) };
}

const tooLong =
  `more than ${mostCharacters} characters, or ${mostLexemes} words and signs, of YAML; ` +
  'split the document, or write it as .json';

/** Why the text as a whole is refused. */
function refusal(text: string, { document, directives, secondAt }: ComposedYaml): YamlFault | undefined {
  const unreadable = (message: string, offset: number): YamlFault => {
    return { code: 'unreadable', message, position: positionAt(text, offset) };
  };
  const version = directives.find(({ source }) => /^%YAML(?!\s+1\.2\s*$)/.test(source));
  if (version !== undefined) {
    return unreadable(`${shown(version.source)} is refused, because YAML 1.2 is read; remove the line`, version.offset);
  }
  const [error] = document.errors;
  if (error !== undefined) {
    const words = error.message.replaceAll(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200);
    return unreadable(`the file is no YAML: ${words}; correct it here`, Math.min(error.pos[0], text.length));
  }
  if (secondAt !== undefined) {
    return unreadable('a second YAML document begins here; put it into a file of its own, or use @graph', secondAt);
  }
  if (document.contents === null || isNothing(document.contents)) {
    return unreadable('the YAML holds nothing; write a node into it, or remove the file', 0);
  }
  return undefined;
}

/** A scalar that no character stands for: a text of comments alone, or `---`. */
function isNothing({ range, tag }: ParsedNode): boolean {
  return range[0] === range[1] && tag === undefined;
}
