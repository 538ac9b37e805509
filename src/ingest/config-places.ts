import type { JsonPlaces } from '../instance/config.js';
import { parseJsonText } from './json-text.js';
import { positionAt, positionsOf } from './position.js';

/** Places in the text of the config file. */
export const configPlaces: JsonPlaces = {
  locate: (text, pointer) => positionsOf(text).locate(pointer),
  locateKey: (text, pointer) => positionsOf(text).locateKey(pointer),
  repeatedKeys: (text) => positionsOf(text).repeatedKeys(),
  syntaxError: (text) => {
    const parsed = parseJsonText(text);
    return 'value' in parsed ? undefined : { message: parsed.message, ...positionAt(text, parsed.offset) };
  },
};
