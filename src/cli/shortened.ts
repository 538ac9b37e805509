/** In characters: of a word that stands in a message, and of a whole message. */
const longestWord = 200;
const longestText = 1000;

/** A text that somebody else wrote, as a message holds it: long words and what goes on too long are cut, with an ellipsis. */
export function shortened(text: string): string {
  const words = text.replace(/\S{201,}/g, (word) => cut(word, longestWord));
  return cut(words, longestText);
}

function cut(text: string, longest: number): string {
  // The cut can leave half a surrogate pair.
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}
