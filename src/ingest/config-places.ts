import type { JsonPlaces } from '../instance/config.js';
import { hasRepeatedKeys, parseJsonText } from '../json-text.js';
import { positionAt } from '../text-position.js';
import { surveyTree } from './json-tree.js';
import { positionsOf } from './position.js';

/** Places in the text of the config file. */
export const configPlaces: JsonPlaces = {
  locate: (text, pointer) => positionsOf(text).locate(pointer),
  locateKey: (text, pointer) => positionsOf(text).locateKey(pointer),
  repeatedKeys: (text) => (mayRepeatKeys(text) ? positionsOf(text).repeatedKeys() : []),
  syntaxError: (text) => {
    const parsed = parseJsonText(text);
    return 'value' in parsed ? undefined : { message: parsed.message, ...positionAt(text, parsed.offset) };
  },
};

/** Spares the parser of places, which is to be loaded first, where no key is repeated: in almost every config. */
function mayRepeatKeys(text: string): boolean {
  const parsed = parseJsonText(text);
  // What lies beyond these limits is not counted, so that the text seems to have more members than the tree.
  return !('value' in parsed) || hasRepeatedKeys(text, surveyTree(parsed.value, { depth: 64, items: 10_000 }, false));
}
